kind=stencil source=calorie/himeno_benchmark sizes="S" for_each=yes repetitions=3 fixed=yes
fits() { true; }
arguments() { true; }
settings() { box_settings "$2"; }
