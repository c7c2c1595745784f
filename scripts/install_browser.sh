#!/bin/sh
# Prints the path of a Chromium for the browser tests. Where there is none, installs Debian's. Exit 1: none to be had.
set -eu

find_browser() {
    for name in ${AGENTCALC_BROWSER:+"$AGENTCALC_BROWSER"} chromium google-chrome google-chrome-stable \
        "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome" /Applications/Chromium.app/Contents/MacOS/Chromium; do
        if path=$(command -v "$name" 2>/dev/null); then
            printf '%s\n' "$path"
            return
        fi
    done
    return 1
}

find_browser && exit 0
if ! command -v apt-get >/dev/null || ! grep -qs '^ID=debian' /etc/os-release; then
    echo "install_browser: no Chromium or Chrome found; install one" >&2
    exit 1
fi
as_root=""
[ "$(id -u)" = 0 ] || as_root="sudo"
if [ -n "$as_root" ] && ! command -v sudo >/dev/null; then
    echo "install_browser: no Chromium found; as root: apt-get install chromium" >&2
    exit 1
fi
echo "install_browser: installing Debian's Chromium" >&2
export DEBIAN_FRONTEND=noninteractive
# Fonts are only recommended by the package, and without one a page shows boxes.
$as_root apt-get update -q >&2
$as_root apt-get install -q -y --no-install-recommends chromium fonts-dejavu-core >&2
find_browser
