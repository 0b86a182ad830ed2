#!/bin/sh
# Installs Belay as a service of a user of its own. Safe to run again: it upgrades the program and leaves data and settings.
#   sudo sh install.sh belay-VERSION.tgz
#   sudo sh install.sh --join https://belay.example.com belay-VERSION.tgz     a machine of the gateway at that address
# DESTDIR=… puts the files below another folder and starts nothing, to look at what it would do.
set -eu

join=
if [ "${1:-}" = --join ]; then
  join=${2:-}
  case $join in https://* | http://*) ;; *) echo "install.sh: --join needs the address of the gateway: https://belay.example.com" >&2; exit 1 ;; esac
  shift 2
fi
package=${1:-}
destdir=${DESTDIR:-}
here=$(cd "$(dirname "$0")" && pwd)

fail() { echo "install.sh: $1" >&2; exit 1; }

[ -n "$package" ] || fail "say which package: sudo sh install.sh belay-VERSION.tgz"
[ -f "$package" ] || fail "$package is not there"
[ -n "$destdir" ] || [ "$(id -u)" = 0 ] || fail "run it as root: sudo sh install.sh $package"
command -v npm >/dev/null || fail "npm is missing. Install Node 22.12 or newer (24 is recommended) first"
case $package in /*) ;; *) package=$PWD/$package ;; esac

if [ -z "$destdir" ]; then
  command -v systemctl >/dev/null || fail "there is no systemd here"
  getent group belay >/dev/null || groupadd --system belay
  getent passwd belay >/dev/null || useradd --system --gid belay --home-dir /var/lib/belay --shell /usr/sbin/nologin belay
fi

# The program: owned by root, so that no agent can change it.
npm install --global --prefix "$destdir/usr/local" --no-audit --no-fund "$package"

install -d -m 0755 "$destdir/etc/systemd/system"
install -d -m 0750 "$destdir/etc/belay"
install -d -m 0700 "$destdir/var/lib/belay" "$destdir/var/lib/belay/data" "$destdir/var/lib/belay/workspace"
if [ -n "$join" ]; then
  install -m 0644 "$here/belay-machine.service" "$destdir/etc/systemd/system/"
  [ -e "$destdir/etc/belay/machine.env" ] || echo "BELAY_JOIN_URL=$join" > "$destdir/etc/belay/machine.env"
  [ -e "$destdir/etc/belay/join-token" ] || : > "$destdir/etc/belay/join-token"
  chmod 0640 "$destdir/etc/belay/machine.env" "$destdir/etc/belay/join-token"
  [ -z "$destdir" ] || exit 0
  chown belay:belay /var/lib/belay /var/lib/belay/data /var/lib/belay/workspace
  chgrp belay /etc/belay /etc/belay/machine.env /etc/belay/join-token
  systemctl daemon-reload
  systemctl enable belay-machine.service
  echo "Make a token on the gateway (belay machine add NAME), write it into /etc/belay/join-token, and start it:"
  echo "  sudo systemctl start belay-machine"
  exit 0
fi
install -m 0644 "$here/belay.service" "$here/belay-host.service" "$destdir/etc/systemd/system/"
if [ ! -e "$destdir/etc/belay/belay.env" ]; then
  { echo "# Settings of Belay; belay start --print-config shows them all."; echo "#BELAY_PUBLIC_URL=https://belay.example.com"; } > "$destdir/etc/belay/belay.env"
  chmod 0640 "$destdir/etc/belay/belay.env"
fi

[ -z "$destdir" ] || exit 0
chown belay:belay /var/lib/belay /var/lib/belay/data /var/lib/belay/workspace
chgrp belay /etc/belay /etc/belay/belay.env
systemctl daemon-reload
systemctl enable belay-host.service belay.service
# The host goes on over an upgrade, and its terminals with it; it takes the new version when it is next restarted.
systemctl start belay-host.service
systemctl restart belay.service
echo "Belay runs. Make the first admin:"
echo "  sudo -u belay BELAY_DATA_DIR=/var/lib/belay/data belay user add you@example.com --role admin"
