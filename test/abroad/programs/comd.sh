kind=particles source=ECP-copa/CoMD sizes="4" repetitions=10
fits() { true; }
command_line() { # SIZE P STEPS
    local i j k
    read -r i j k <<<"$(box "$2")"
    echo -x $(($1 * i)) -y $(($1 * j)) -z $(($1 * k)) -i "$i" -j "$j" -k "$k" -N "$3" -n "$3" -T 0
}
arguments() { command_line "$1" "$2" 2; }
again() { command_line "$1" "$2" $((2 + repetitions)); }
settings() { box_settings "$2"; }
