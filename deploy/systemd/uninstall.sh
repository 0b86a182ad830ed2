#!/bin/sh
# Takes Belay off this machine. Data and settings stay, unless --purge is given. Safe to run again.
#   sudo sh uninstall.sh [--purge]
set -eu

destdir=${DESTDIR:-}
case ${1:-} in "" | --purge) ;; *) echo "uninstall.sh: there is no option $1" >&2; exit 1 ;; esac
[ -n "$destdir" ] || [ "$(id -u)" = 0 ] || { echo "uninstall.sh: run it as root" >&2; exit 1; }

if [ -z "$destdir" ]; then
  systemctl disable --now belay.service belay-host.service 2>/dev/null || true
fi
rm -f "$destdir/etc/systemd/system/belay.service" "$destdir/etc/systemd/system/belay-host.service"
[ -n "$destdir" ] || systemctl daemon-reload
npm uninstall --global --prefix "$destdir/usr/local" belay

if [ "${1:-}" = --purge ]; then
  rm -rf "$destdir/etc/belay" "$destdir/var/lib/belay"
  [ -n "$destdir" ] || userdel belay 2>/dev/null || true
  echo "Belay is gone, and so is everything that it kept."
else
  echo "Belay is gone. What it kept is still in $destdir/var/lib/belay, its settings in $destdir/etc/belay."
fi
