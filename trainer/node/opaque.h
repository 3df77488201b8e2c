/* Barriers behind which the compiler knows nothing of a floating-point value; they cost no
   instruction. Where FLOATING_REGISTER is not defined, the kind of processor is not known. */
#ifndef TRAINER_NODE_OPAQUE_H
#define TRAINER_NODE_OPAQUE_H

#if defined __x86_64__
#define FLOATING_REGISTER "x"
#elif defined __aarch64__
#define FLOATING_REGISTER "w"
#endif

#ifdef FLOATING_REGISTER
#define OPAQUE(x) __asm__ volatile("" : "+" FLOATING_REGISTER(x))
#define USED(x) __asm__ volatile("" : : FLOATING_REGISTER(x))
#endif

/* An instruction that does nothing, of four bytes: a cache of decoded instructions may not hold 64
   of one byte. */
#ifdef __x86_64__
#define NOP __asm__ volatile("nopl 0x40(%rax)");
#else
#define NOP __asm__ volatile("nop");
#endif

#endif
