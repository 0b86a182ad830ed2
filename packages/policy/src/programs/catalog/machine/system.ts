import { defineProgram } from "../../define-program.ts";
import { valuesOf } from "../use.ts";

/** What `ip` can show, and how it is abbreviated. */
const IP_OBJECTS =
  /^(?:a|ad|add|addr|addre|addres|address|l|li|lin|link|r|ro|rou|rout|route|ru|rul|rule|n|ne|nei|neigh|neighbo|neighbor|neighbour|nt|nta|ntable|t|tu|tun|tunn|tunnel|tunt|tuntap|m|ma|mad|maddr|maddress|mr|mro|mroute|mru|mrule|netn|netns|netc|netconf|st|sta|stat|stats|to|tok|token|tcp|tcp_metrics|tcpmetrics|v|vrf|addrl|addrlabel|nex|nexthop|mac|macsec|fou|ila)$/;
const IP_READS =
  /^(?:s|sh|sho|show|l|ls|li|lis|list|list-id|lst|get|g|identify|pids|monitor|help|stats|xstats|afstats|count|up|dev|to|all)$/;
/** Programs that show the machine, its processes and its services. */
export const SYSTEM = [
  defineProgram({
    names:
      "pwd which whereis type whoami id groups users who w last lastlog uname arch nproc uptime free df du lsblk lscpu lsusb lspci lsmod lsipc lsns lslocks " +
      "lsof pgrep pstree vmstat iostat mpstat pidstat sar top htop btop glances nvidia-smi rocm-smi sensors getconf getent locale netstat ss findmnt ipcs numastat procs dust duf ncdu " +
      "jobs wait dirs times fg bg hostnamectl-status nstat vainfo glxinfo xdpyinfo acpi dmidecode lshw hwinfo inxi neofetch fastfetch sw_vers system_profiler vm_stat cpuid rpcinfo",
    does: "read",
    isOpen: true,
    operands: "value",
    check: ({ name, operands }) => (name === "getent" && /^g?shadow$/.test(operands[0]?.text ?? "") ? "secret" : null),
    options:
      "-K=change --kill=change -o: -p: -c: -C: -u: -U: -t: -T: -n: -d: -s: -S: -e: -w: -x -h -H -B: --format: --output: --sort: --pid: --exclude: --max-depth: --threshold: --time? --files0-from:r --exclude-from:r -X:r",
    runs: ["df -h", "du -sh *", "free -m", "lsof -i :3000", "ss -tlnp", "id -u", "which node"],
    asks: ["ss -K dst 1.2.3.4"],
  }),
  defineProgram({
    names: "ps",
    does: "read",
    isHarmless: true,
    // BSD letters without a dash: `e` shows every process's environment. With a dash it only means "all".
    check: ({ operands, options }) =>
      operands.some(({ text }) => /^[A-Za-z]*e[A-Za-z]*$/.test(text)) ||
      [...operands, ...options.flatMap(({ value }) => value ?? [])].some(({ text }) =>
        /(^|,)env(iron)?(,|=|$)/.test(text),
      )
        ? "secret"
        : null,
    options:
      "-o: -O: -p: -u: -U: -C: -t: -g: -G: -s: -q: --format: --pid: --ppid: --sort: --user: --cols: --columns: --rows: -AaCdeFfHjLlMmTVwyZcxnhrS --forest --headers --no-headers",
    runs: ["ps aux", "ps -ef", "ps -p 12345 -o pid,etime,cmd", "ps -eo pid,args"],
    asks: ["ps auxe", "ps e -ww", "ps -eo args,env"],
  }),
  defineProgram({
    names: "systemctl",
    does: "change",
    isOpen: true,
    options:
      "-H:h --host:h -M:h --machine:h -t: -p: -n: -o: --type: --state: --property: --lines: --output: --user --system --no-pager --all -a -l --failed --plain --no-legend -q --quiet --value --full --reverse --after --before",
    verbs: {
      "status show cat list-units list-unit-files list-timers list-sockets list-jobs list-dependencies list-machines is-active is-enabled is-failed is-system-running get-default help show-environment":
        "read",
      "start stop restart reload try-restart reload-or-restart kill enable disable mask unmask daemon-reload daemon-reexec edit set-property reset-failed isolate set-default link revert import-environment set-environment":
        "change",
    },
    check: (use) => {
      if (use.verb === "show-environment") return "secret";
      // Units often have passwords in their environment.
      const properties = valuesOf(use, "-p", "--property").flatMap((text) => text.split(","));
      if (use.verb === "show" && properties.some((name) => /^(Environment|ExecStart)/i.test(name))) return "secret";
      return use.verb === "" && use.operands.length === 0 ? "read" : use.does;
    },
    runs: [
      "systemctl show -p ActiveState nginx",
      "systemctl status nginx",
      "systemctl --user is-active foo",
      "systemctl list-units --failed",
    ],
    asks: ["systemctl restart nginx", "systemctl --user enable --now u", "systemctl show -p Environment api"],
  }),
  defineProgram({
    names: "pm2",
    does: "change",
    isOpen: true,
    options:
      "--lines: --nostream --raw --json --timestamp? --err --out --no-color --silent -s --name: -n: -i: --instances: --env: --watch? --cwd:d --interpreter:x --interpreter-args: --node-args: --update-env",
    verbs: {
      "list ls l ps status logs log monit id pid version ping describe desc show info conf report": {
        does: "read",
        operands: "value",
      },
      // These print the environment of each program.
      "env jlist prettylist dump save": { does: "secret", operands: "value" },
      "start restart reload scale sendSignal trigger reset startup unstartup resurrect update cleardump": {
        does: "change",
        operands: "value",
      },
      "stop delete del kill flush": { does: "destroy", operands: "value" },
      "install module:install module:update": { does: "install", operands: "value" },
      "deploy link plus login register publish package": { does: "publish", operands: "value" },
    },
    operands: "value",
    runs: ["pm2 list", "pm2 logs --lines 5 --nostream"],
    asks: ["pm2 env 0", "pm2 jlist", "pm2 restart all", "pm2 delete all", "pm2 start app.js"],
  }),
  defineProgram({
    names: "journalctl",
    does: "read",
    isOpen: true,
    options:
      "-u: -n? -p: -t: -S: -U: -o: -b? -k -f -e -x -r -a -q -D:r -g: -c: -F: -N -M:h --unit: --user-unit: --lines? --priority: --since: --until: --output: --boot? --output-fields: --grep: --directory:r --file:r --identifier: --facility: --cursor: --after-cursor: --field: --root:r --namespace: " +
      "--rotate=destroy --vacuum-size:=destroy --vacuum-time:=destroy --vacuum-files:=destroy --flush=change --sync=change --relinquish-var=change --smart-relinquish-var=change --setup-keys=change --update-catalog=change --cursor-file:w",
    runs: ["journalctl -u sshd --since today", "journalctl -n 100 --no-pager"],
    asks: ["journalctl --smart-relinquish-var", "journalctl --vacuum-time=1d", "journalctl --rotate"],
  }),
  defineProgram({
    names: "dmesg",
    does: "read",
    options:
      "-C=destroy -c=destroy -D=change -E=change -n:=change --clear=destroy --read-clear=destroy --console-off=change --console-on=change --console-level:=change -L? -dFeHIkPprSTtuwWxhV -f: -l: -s: -F:r -K:r -J --color? --ctime --decode --facility: --follow --follow-new --force-prefix --human --json --kernel --level: --file:r --kmsg-file:r --nopager --noescape --notime --reltime --raw --show-delta --since: --until: --syslog --time-format: --userspace --buffer-size:",
    runs: ["dmesg -T", "dmesg --level=warn,err"],
    asks: ["dmesg -Tc", "dmesg --clear"],
  }),
  defineProgram({
    names: "sysctl",
    does: "read",
    options:
      "-abdeiNnqrTXAhV -w=change -p?=change -f?=change --write=change --load?=change --system=change --all --values --names --ignore --pattern: --binary --quiet --deprecated",
    check: ({ operands }) => (operands.some(({ text }) => text.includes("=")) ? "change" : null),
    runs: ["sysctl -n kernel.hostname", "sysctl -a"],
    asks: ["sysctl -w vm.swappiness=1", "sysctl vm.swappiness=1"],
  }),
  defineProgram({
    names: "hostname domainname dnsdomainname nisdomainname",
    does: "read",
    options:
      "-aAdfiIsvy -F:c --alias --all-fqdns --all-ip-addresses --domain --fqdn --long --ip-address --short --yp --nis --boot -b",
    check: ({ operands }) => (operands.length > 0 ? "change" : null),
    runs: ["hostname -I"],
    asks: ["hostname evil"],
  }),
  defineProgram({
    names: "ip",
    does: "read",
    hasSingleDashLong: true,
    options:
      "-4 -6 -B -0 -M -s -stats -statistics -d -details -h -human -human-readable -iec -f: -family: -l: -loops: -br -brief -j -json -p -pretty -r -resolve -o -oneline -rc: -c -color -t -timestamp -ts -tshort -a -all -N -Numeric -V -Version -n: -netns: -b:c=destroy -batch:c=destroy -force=change -echo",
    verbEffect: (words) => {
      const [object = "", ...rest] = words;
      if (object === "" || /^(?:mo|monitor|help)$/.test(object)) return "read";
      // These have a further object: `ip xfrm policy list`. The states of a tunnel contain its keys.
      if (/^(?:xfrm|x)$/.test(object) && /^s(?:t|ta|tat|tate)?$/.test(rest[0] ?? "")) return "change";
      const hasObject = /^(?:xfrm|x|sr|mptcp|ioam|l2tp)$/.test(object);
      if (!hasObject && !IP_OBJECTS.test(object)) return null;
      const action = (hasObject && !IP_READS.test(rest[0] ?? "") ? rest[1] : rest[0]) ?? "show";
      return IP_READS.test(action) ? "read" : "change";
    },
    runs: [
      "ip -n blue link show",
      "ip xfrm policy",
      "ip mptcp endpoint show",
      "ip netns list-id",
      "ip addr show",
      "ip -4 a",
      "ip route get 1.1.1.1",
      "ip -br link",
    ],
    asks: [
      "ip -n blue link set eth0 down",
      "ip xfrm state list",
      "ip mptcp endpoint flush",
      "ip sr tunsrc set x",
      "ip link set eth0 down",
      "ip route flush",
      "ip netns exec x ls",
    ],
  }),
  defineProgram({
    names: "ifconfig",
    does: "read",
    options: "-a -s -v -l -L -m",
    check: ({ operands }) => (operands.length > 1 ? "change" : null),
    runs: ["ifconfig", "ifconfig eth0"],
    asks: ["ifconfig eth0 down"],
  }),
  defineProgram({
    names:
      "timedatectl hostnamectl localectl loginctl networkctl resolvectl bootctl coredumpctl busctl machinectl-list udevadm",
    does: "read",
    isOpen: true,
    options: "-H:h --host:h -M:h -o:w",
    operands: "value",
    verbs: {
      // With a server or a name after the interface, it is set.
      "dns domain llmnr mdns dnssec": {
        does: "read",
        operands: "value",
        check: ({ operands }) => (operands.length > 1 ? "change" : null),
      },
      "status show list list-sessions list-users list-seats session-status user-status seat-status show-session show-user list-timezones timesync-status show-timesync list-locales list-keymaps query statistics info tree introspect lldp monitor":
        "read",
      "set-time set-timezone set-ntp set-local-rtc set-hostname hostname set-locale set-keymap terminate-session kill-session terminate-user kill-user terminate-seat lock-session unlock-session enable-linger disable-linger flush-caches reset-statistics up down reconfigure reload renew call set-property delete dump debug trigger control settle":
        "change",
    },
    runs: ["timedatectl", "hostnamectl status", "loginctl list-sessions"],
    asks: ["timedatectl set-time 2020-01-01", "hostnamectl set-hostname x", "resolvectl dns eth0 10.0.0.1"],
  }),
  defineProgram({
    names: "mount",
    does: "read",
    options: "-l -t: -v -h -V --version",
    check: ({ operands, options }) =>
      operands.length > 0 || options.some(({ name }) => !/^-[ltv]$/.test(name)) ? "change" : null,
    runs: ["mount", "mount -l"],
    asks: ["mount /mnt"],
  }),
  defineProgram({
    names: "dpkg dpkg-query",
    does: "install",
    options:
      "-l=read -L=read -S=read -s=read -p=read -W=read -C=read -I=read -c=read -f: --list=read --listfiles=read --search=read --status=read --show=read --info=read --contents=read --audit=read --print-architecture=read --print-foreign-architectures=read --get-selections=read --compare-versions=read -i=install --install=install -r=destroy --remove=destroy -P=destroy --purge=destroy --unpack=install --configure=install --set-selections=install --add-architecture=install --showformat:",
    check: ({ options }) =>
      options.length > 0 &&
      options.every(({ does }) => does === "read" || does === null) &&
      options.some(({ does }) => does === "read")
        ? "read"
        : null,
    runs: ["dpkg -l", "dpkg -L bash", "dpkg -S /bin/ls"],
    asks: ["dpkg -i x.deb", "dpkg -r x"],
  }),
  defineProgram({
    names: "rpm",
    does: "install",
    options:
      "-q=read --query=read -V=read --verify=read -a -i -l -f -p -c -d -R -s -v -qa=read -ql=read -qi=read -qf=read -qR=read -qc=read -qd=read -qp=read --all --list --info --file --package --requires --provides --whatprovides: --whatrequires: --scripts --changelog --qf: --queryformat: --last --eval:x -E:x -e=destroy -U=install -F=install --install=install --upgrade=install --erase=destroy --import=install --rebuilddb=install --showrc=read --querytags=read",
    check: ({ options }) => {
      const words = options.map(({ name }) => name);
      const asks = options.some(({ does, kind }) => does === "install" || does === "destroy" || kind === "code");
      return !asks &&
        (words.includes("-q") ||
          words.includes("--query") ||
          words.includes("-V") ||
          words.some((name) => name.startsWith("-q")))
        ? "read"
        : null;
    },
    runs: ["rpm -qa", "rpm -ql bash", "rpm -qi glibc"],
    asks: ["rpm -e x", "rpm -q --eval '%(id)' x", "rpm -i x.rpm"],
  }),
  defineProgram({
    names: "apt apt-get apt-cache apt-mark aptitude dnf yum zypper pacman apk snap flatpak port nix-env",
    does: "install",
    isOpen: true,
    options: "-c:c --config-file:c -o:x --option:x -q -y -s -V -a -i -n",
    // Two of them have options for verbs.
    check: ({ name, options }) =>
      options.some(
        (option) => (name === "pacman" && option.name.startsWith("-R")) || (name === "nix-env" && option.name === "-e"),
      )
        ? "destroy"
        : null,
    verbs: {
      "list search show policy info depends rdepends showpkg madison changelog repolist provides whatprovides repoquery showmanual showauto showhold stats pkgnames showsrc deplist check-update list-all history find whohas refresh-list config why why-not":
        "read",
      "install remove purge update upgrade dist-upgrade full-upgrade autoremove autoclean clean build-dep download source reinstall downgrade edit-sources add del fix hold unhold auto manual enable disable refresh revert switch run":
        "install",
    },
    operands: "value",
    runs: ["apt list --installed", "apt-cache policy bash", "apt show curl", "dnf repolist"],
    asks: ["apt-get install -y jq", "apt remove x", "apt-get -o x=y update", "pacman -Rns x", "nix-env -e x"],
  }),
];
