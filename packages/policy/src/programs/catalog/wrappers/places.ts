import { defineProgram } from "../../define-program.ts";

/** Wrappers that run a command in another environment: other tools, other limits, another machine. */
export const PLACES = [
  defineProgram({
    names: "unshare",
    does: "code",
    options:
      "-i -m -n -p -u -U -C -T -f -r -c --ipc? --mount? --net? --pid? --uts? --user? --cgroup? --time? --fork --kill-child? --mount-proc? --map-user: --map-group: --map-users: --map-groups: --map-root-user --map-current-user --map-auto --propagation: --setgroups: --keep-caps -S: -G: -R:d --setuid: --setgid: --root:d -w:d --wd:d --monotonic: --boottime:",
    operands: "value",
    stopsAtOperand: true,
    wraps: { isOpaque: true },
    runs: [],
    asks: ["unshare ls", "unshare -r ls"],
  }),
  defineProgram({
    names: "direnv",
    does: "change",
    isOpen: true,
    operands: "value",
    verbs: {
      exec: { does: "code", operands: "value", stopsAtOperand: true, wraps: { skip: 1, isOpaque: true } },
      "status version help hook": { does: "read", operands: "value" },
      dump: { does: "secret", operands: "value" },
      // What it prints for a shell is meant for `eval`.
      export: {
        does: "secret",
        operands: "value",
        check: ({ operands }) => (/^(?:bash|zsh|fish)$/.test(operands[0]?.text ?? "") ? "change" : null),
      },
    },
    runs: ["direnv status", 'eval "$(direnv hook bash)"'],
    asks: ["direnv allow", "direnv export json", "direnv exec . ls", "direnv exec . rm x"],
  }),
  defineProgram({
    names: "systemd-run proot firejail bwrap srun",
    does: "code",
    isOpen: true,
    options:
      "-p: -u: -t: -E: -r: -b: -w: -S: -G: -R: --user --scope --pty --property: --unit: --slice: --uid: --gid: --setenv: --working-directory:d --description: --root: --wd:",
    operands: "value",
    stopsAtOperand: true,
    wraps: { isOpaque: true },
    runs: [],
    asks: ["firejail ls", "srun ls"],
  }),
  // Virtual machines and containers of this machine.
  defineProgram({
    names: "multipass lxc incus",
    does: "change",
    isOpen: true,
    operands: "value",
    verbs: {
      "list ls info version find networks images": { does: "read", operands: "value", isOpen: true },
      "image network profile storage project cluster": {
        does: "change",
        operands: "value",
        isOpen: true,
        verbs: { "list ls info show": "read", "delete rm": "destroy" },
      },
      "delete purge rm stop suspend rebuild": { does: "destroy", operands: "value", isOpen: true },
      exec: {
        does: "code",
        operands: "value",
        stopsAtOperand: true,
        wraps: { afterDashes: true, effect: "remote", isOpaque: true },
      },
      "shell console launch": { does: "code", operands: "value", isOpen: true },
      "publish move copy": { does: "publish", operands: "value", isOpen: true },
    },
    runs: ["lxc list", "multipass info --all", "incus image list"],
    asks: ["lxc delete x", "multipass purge", "incus exec x -- ls", "lxc exec x -- rm -r y", "multipass shell x"],
  }),
  defineProgram({
    names: "start-stop-daemon",
    does: "code",
    isOpen: true,
    options: "-x: -a: -n: -u: -p: -c: -g: -k: -d: -N: --exec: --startas: --name: --user: --pidfile: --chuid: --chdir:",
    operands: "value",
    stopsAtOperand: true,
    wraps: { skip: 99, code: ["-x", "--exec", "-a", "--startas"], isOpaque: true },
    runs: [],
    asks: ["start-stop-daemon -S -x /tmp/x"],
  }),
  defineProgram({
    names: "guix",
    does: "code",
    isOpen: true,
    options: "-p: -A: -f:c",
    operands: "value",
    wraps: { skip: 99, rest: ["-c", "--command", "--"], isOpaque: true },
    runs: [],
    asks: ["guix shell -- ls"],
  }),
  // A command for many machines at once.
  defineProgram({
    names:
      "pssh parallel-ssh prsync pscp.pssh clush pdsh dsh cssh clusterssh salt salt-ssh salt-call knife chef-client rex",
    does: "publish",
    isOpen: true,
    operands: "value",
    runs: ["pssh --version"],
    asks: ["pssh -h hosts.txt uptime", "salt '*' cmd.run 'uptime'", "pdsh -w a,b uptime"],
  }),
  defineProgram({
    names: "mosh",
    does: "publish",
    options: "--ssh:x -p:",
    operands: "value",
    stopsAtOperand: true,
    wraps: { skip: 1, effect: "remote", isOpaque: true },
    runs: [],
    asks: ["mosh host ls"],
  }),
  defineProgram({
    names:
      "op aws-vault chamber teller envchain doppler infisical dotenvx saml2aws granted bws awsume keeper keeper-commander ksm",
    does: "secret",
    isOpen: true,
    operands: "value",
    verbs: {
      "run exec": {
        does: "secret",
        operands: "value",
        stopsAtOperand: true,
        wraps: { afterDashes: true, isOpaque: true },
      },
    },
    runs: [],
    asks: ["op run -- ls", "doppler secrets", "doppler run -- rm x", "op read x", "aws-vault exec x -- ls"],
  }),
];
