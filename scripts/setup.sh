# shellcheck shell=sh disable=SC2154  # root and me are set by the scripts that read this in
# Read in by ./run and ./test, in POSIX sh. Makes a virtual environment ready: the pinned packages and the project itself.
# Expects $root, the project's folder, and $me, the name of the command. Everything it says goes to standard error.

say() { printf '%s\n' "$me: $*" >&2; }
stop() {
    say "$*"
    exit 1
}

# Sets $python to an interpreter that is new enough and can make virtual environments.
# 3.11 comes first because the pinned versions were tested on it. $PYTHON, if set, is the only one tried.
find_python() {
    lacks_venv=""
    for name in ${PYTHON:+"$PYTHON"} python3.11 python3.12 python3.13 python3.14 python3; do
        if [ "$("$name" -c 'import sys; print(sys.version_info >= (3, 11))' 2>/dev/null)" = True ]; then
            if "$name" -c 'import ensurepip, venv' >/dev/null 2>&1; then
                python=$name
                return
            fi
            lacks_venv=${lacks_venv:-$name}
        fi
        [ -z "${PYTHON:-}" ] || break
    done
    [ -z "$lacks_venv" ] ||
        stop "$lacks_venv cannot make virtual environments; on Debian or Ubuntu: apt-get install python3-venv"
    [ -z "${PYTHON:-}" ] || stop "PYTHON=$PYTHON is not a Python 3.11 or newer"
    stop "needs Python 3.11 or newer and found none; install it, or name one: PYTHON=/path/to/python3.11 ./$me"
}

# prepare FOLDER REQUIREMENTS: after it, FOLDER/bin/python has the pinned packages and this checkout. A stamp, written last,
# makes later calls quick and an interrupted call start anew. It holds what decides about the content; a moved checkout
# counts, since an environment knows its place.
prepare() {
    venv=$1 requirements=$2
    stamp=$({ printf '%s\n' "$root" && cat "$root/requirements.txt" "$root/$requirements" "$root/pyproject.toml"; } | cksum)
    stamp="$requirements $stamp"
    if [ "$(cat "$venv/agentcalc-stamp" 2>/dev/null)" = "$stamp" ] && "$venv/bin/python" -c '' 2>/dev/null; then
        return
    fi
    if [ -d "$venv" ] && [ ! -f "$venv/pyvenv.cfg" ] && [ -n "$(ls -A "$venv")" ]; then
        stop "$venv is there and is not a virtual environment; move it away"
    fi
    find_python
    say "setting up $venv with $("$python" --version 2>&1); the first time takes a minute or two"
    "$python" -m venv --clear "$venv" || stop "could not make a virtual environment in $venv"
    # The user's pip settings for the user folder would fail inside a virtual environment.
    PIP_USER=0 "$venv/bin/python" -m pip install -qq --disable-pip-version-check -r "$root/$requirements" ||
        stop "could not install the packages of $requirements; the lines above say why"
    PIP_USER=0 "$venv/bin/python" -m pip install -qq --disable-pip-version-check --no-deps --editable "$root" ||
        stop "could not install agentcalc itself; the lines above say why"
    printf '%s\n' "$stamp" >"$venv/agentcalc-stamp"
    say "ready"
}
