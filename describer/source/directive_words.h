/* The words of directives, for whoever includes them: WORD(identifier, word, what else directive.c
   knows of it). */
WORD(PARAMETERS, "parameters")
WORD(ARRAY, "array", .is_free = true)
WORD(ALIGN, "align")
WORD(CANDIDATE, "candidate", .has_name = true,
     .clauses = {"processors", "distribute", "halo", "redistribute"})
WORD(SEGMENT, "segment", .before_statement = true, .has_name = true,
     .clauses = {"repeat", "overlap", "corners", "exchange", "misses"})
WORD(PROGRAM, "program", .clauses = {"repeat"})
WORD(CALL, "call", .has_name = true, .clauses = {"bytes", "processors", "segment", "repeat"})
WORD(REDUCTION, "reduction", .before_statement = true)
WORD(HOME, "home", .before_statement = true)
WORD(STRIP, "strip", .before_statement = true)
WORD(PROBABILITY, "probability", .before_statement = true)
WORD(IGNORE, "ignore", .before_statement = true)
WORD(COST, "cost", .is_free = true)
WORD(GATHER, "gather", .before_statement = true)
WORD(SCOP, "scop", .is_free = true)
WORD(ENDSCOP, "endscop", .is_free = true)
WORD(XMP, "xmp", .is_free = true)
