kind=stencil source=calorie/himeno_benchmark sizes="S" for_each=yes repetitions=3 fixed=yes described=3
fits() { true; }
arguments() { true; }
settings() { echo "$(box_settings "$2") times=$described"; }
