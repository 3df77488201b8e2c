kind=sort source=wzzhang-HIT/NAS-Parallel-Benchmark sizes="S" for_each=yes repetitions=10 fixed=yes described=10
fits() { [ $(($2 & ($2 - 1))) -eq 0 ]; }
arguments() { true; }
settings() { echo "keys=65536 buckets=512 times=$described"; }
