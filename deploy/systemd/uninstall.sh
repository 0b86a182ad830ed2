#!/bin/sh
# Takes Belay off this machine. Data and settings stay, unless --purge is given. Safe to run again.
#   sudo sh uninstall.sh [--purge]
set -eu

destdir=${DESTDIR:-}
case ${1:-} in "" | --purge) ;; *) echo "uninstall.sh: there is no option $1" >&2; exit 1 ;; esac
[ -n "$destdir" ] || [ "$(id -u)" = 0 ] || { echo "uninstall.sh: run it as root" >&2; exit 1; }

if [ -z "$destdir" ]; then
  for unit in belay belay-host belay-machine; do systemctl disable --now $unit.service 2>/dev/null || true; done
fi
for unit in belay belay-host belay-machine; do rm -f "$destdir/etc/systemd/system/$unit.service"; done
[ -n "$destdir" ] || systemctl daemon-reload
npm uninstall --global --prefix "$destdir/usr/local" belay

if [ "${1:-}" = --purge ]; then
  rm -rf "$destdir/etc/belay" "$destdir/var/lib/belay"
  [ -n "$destdir" ] || userdel belay 2>/dev/null || true
  echo "Belay is gone, and so is everything that it kept."
else
  echo "Belay is gone. What it kept is still in $destdir/var/lib/belay, its settings in $destdir/etc/belay."
fi
