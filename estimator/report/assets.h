/* What a page brings with it, as texts: made from the files of page/ and d3.min.js when the program
   is built. */
#ifndef ESTIMATOR_REPORT_ASSETS_H
#define ESTIMATOR_REPORT_ASSETS_H

/* The style sheet, the scripts in their order as one, and the plotting library (d3; empty where the
   build had none). */
extern const char asset_style[], asset_script[], asset_d3[];

#endif
