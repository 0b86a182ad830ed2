import { type Field, TAINT } from "../../../language/state/values.ts";
import { defineProgram, type Effect, type ProgramUse } from "../../define-program.ts";
import { has } from "../use.ts";

/** Builtins that need approval by themselves. The walk judges what they set or run. */
const BUILTINS: Readonly<Record<string, (operands: readonly Field[]) => Effect>> = {
  enable: () => "change",
  fc: () => "code",
  compopt: () => "change",
  ulimit: (operands) => (operands.length > 0 ? "change" : "read"),
  umask: (operands) => (operands.length > 0 ? "change" : "read"),
  hash: (operands) => (operands.length > 0 ? "change" : "read"),
  unalias: () => "change",
};

/** Builtins of the shell, and other programs. */
const LISTS_EXTENSIONS: ReadonlySet<string> = new Set(["--list-extensions", "--show-versions", "--status", "-s"]);

/** `kill -0 PID` only asks whether the process is there. */
function sendsNothing({ options: [signal, ...others] }: ProgramUse): boolean {
  if (signal === undefined || others.length > 0) return false;
  return signal.name === "-0" || (/^(?:-s|-n|--signal)$/.test(signal.name) && signal.value?.text === "0");
}

export const OTHERS = [
  defineProgram({
    names:
      "cd chdir pushd popd getopts local return exit break continue shift logout let read mapfile readarray export declare typeset readonly unset set shopt umask alias unalias trap hash ulimit source . eval enable bind complete compgen compopt disown suspend caller fc deactivate",
    does: "read",
    isHarmless: true,
    operands: "value",
    check: ({ name, operands }) => BUILTINS[name]?.(operands) ?? null,
    runs: ["cd src", "set -euo pipefail", "export NODE_ENV=test"],
    asks: ["export LD_PRELOAD=./x.so"],
  }),
  defineProgram({
    names: "history",
    does: "read",
    options: "-c=destroy -d:=destroy -s=change -w=change -a=change -r=change -p=change -n=change",
    operands: "value",
    check: ({ operands, does }) =>
      does === "read" && operands.some(({ text }) => !/^\d+$/.test(text)) ? "change" : does,
    runs: ["history", "history 20"],
    asks: ["history -c", "history -s 'rm x'"],
  }),
  defineProgram({
    names: "kill",
    does: "destroy",
    isOpen: true,
    options: "-l=read -L=read -s: -n: --list=read --table=read --signal:",
    operands: "value",
    // This shell may stop its own jobs (`%1`, `$!`).
    check: (use) =>
      has(use, "-l", "-L", "--list", "--table") || sendsNothing(use)
        ? "read"
        : use.operands.length > 0 &&
            use.operands.every(({ text, taint }) => /^%\d*$|^%[+%-]$/.test(text) || taint === TAINT.ownJob)
          ? "edit"
          : null,
    isSettled: sendsNothing,
    runs: [
      "kill -l",
      "kill %1",
      "kill $!",
      "kill -0 1234",
      "kill -s 0 1234",
      'kill -0 "$SERVER"',
      "kill -0 $(cat pid)",
    ],
    asks: [
      'kill "$SERVER"',
      "kill -9 $SERVER",
      "kill $SIGNAL 1234",
      "kill -0 $$ -s 9 1234",
      "kill 1234",
      "kill $(pgrep node)",
      "kill -9 $PPID",
      "kill -0 -9 1234",
      "kill -s 9 0",
      "kill -9 0",
    ],
  }),
  defineProgram({
    names:
      "renice at atq batch launchctl service chsh chfn passwd useradd usermod swapon modprobe insmod rmmod iptables nft ufw firewall-cmd ctr virsh qemu-system-x86_64 open xdg-open code subl idea claude codex cursor-agent aider gemini copilot-cli opencode",
    does: "change",
    isOpen: true,
    operands: "value",
    options: "-l: -n: -u:",
    check: ({ name, operands, options }) => {
      // `at -d 3` removes what was planned.
      if (name === "at" && options.some((option) => /^-[dr]$/.test(option.name))) return "destroy";
      if (
        name === "launchctl" &&
        /^(?:list|print|print-disabled|version|hostinfo|blame)$/.test(operands[0]?.text ?? "")
      )
        return "read";
      if (name === "launchctl" && /^(?:export|getenv)$/.test(operands[0]?.text ?? "")) return "secret";
      return (name === "code" && options.length > 0 && options.every((option) => LISTS_EXTENSIONS.has(option.name))) ||
        name === "atq" ||
        (name === "service" &&
          (operands.at(-1)?.text === "status" || options.some((option) => option.name === "--status-all")))
        ? "read"
        : null;
    },
    runs: ["service --help", "service nginx status", "service --status-all", "atq", "code --list-extensions"],
    asks: ["service nginx restart", "open https://evil.io", "codex exec x", "code --install-extension x.y", "at -d 3"],
  }),
  defineProgram({
    names: "qemu-img",
    does: "change",
    isOpen: true,
    options: "-f: -O: -o: -b:r -F:",
    operands: "write",
    verbs: { "info check map compare measure": { does: "read", operands: "read", isOpen: true } },
    runs: ["qemu-img info disk.qcow2"],
    asks: ["qemu-img create -f raw /dev/belay-none 1G", "qemu-img resize disk.qcow2 +1G"],
  }),
  defineProgram({
    names: "pkill killall skill fuser",
    does: "destroy",
    isOpen: true,
    operands: "value",
    options: "-l -L -v -a -k=destroy",
    check: (use) => {
      if (use.operands.length === 0 && has(use, "-l", "-L")) return "read";
      return use.name === "fuser" &&
        !has(use, "-k", "--kill") &&
        use.options.every(({ name }) => /^-[avumn]$/.test(name))
        ? "read"
        : null;
    },
    runs: ["pkill --help", "fuser -v 3000/tcp", "killall -l"],
    asks: ["pkill -f 'next dev'", "fuser -k 3000/tcp", "killall node"],
  }),
  defineProgram({
    names: "crontab",
    does: "change",
    options: "-l=read -e=change -r=destroy -i -u:=change -s",
    operands: "read",
    check: (use) => (use.operands.length === 0 && has(use, "-l") && use.options.length === 1 ? "read" : null),
    runs: ["crontab -l"],
    asks: ["crontab -e", "crontab -r", "crontab -u root -l", "crontab jobs.txt"],
  }),
  defineProgram({
    names: "pbpaste xclip xsel wl-paste",
    does: "secret",
    isOpen: true,
    operands: "value",
    runs: ["xclip --help"],
    asks: ["pbpaste", "xclip -o"],
  }),
  defineProgram({
    names:
      "vault bao openbao bw rbw lpass pass passage gopass dcli dashlane-cli kpcli keepassxc-cli conjur berglas akeyless secret-tool kwallet-query gnome-keyring-daemon keyctl security sops age rage age-keygen gpg gpg2 1password git-crypt git-secret transcrypt blackbox_cat mysql_config_editor my_print_defaults slapcat pdbedit samba-tool",
    does: "secret",
    isOpen: true,
    operands: "value",
    check: ({ operands, options }) =>
      operands.length === 0 && options.length === 0
        ? null
        : operands.length === 1 && operands[0]?.text === "status"
          ? "remote"
          : null,
    runs: ["vault status", "gpg --version"],
    asks: ["pass show x", "sops -d x.yaml"],
  }),
  // Tokens and keys of a certificate authority.
  defineProgram({
    names: "step step-cli",
    does: "secret",
    isOpen: true,
    operands: "value",
    verbs: {
      version: "read",
      certificate: { does: "change", operands: "value", verbs: { "inspect fingerprint lint verify": "read" } },
      ca: {
        does: "secret",
        operands: "value",
        verbs: { "health roots root fingerprint": "remote", "revoke policy": "publish" },
      },
    },
    runs: ["step version", "step certificate inspect server.crt"],
    asks: ["step ca token x", "step oauth --bare", "step crypto jwt sign"],
  }),
  defineProgram({
    names: "gh-dash lazygit tig gitui git-lfs git-filter-repo",
    does: "change",
    isOpen: true,
    operands: "value",
    runs: ["tig --version"],
    asks: ["git-filter-repo --path x"],
  }),
  defineProgram({
    names: "ssh-keygen ssh-add ssh-agent",
    does: "change",
    options:
      "-l -L -F: -f:r -E: -v -B -q -t: -b: -C: -N: -y -e -i -p -R: -D: -s: -A -Y: -I: -n: -V: -O: -z: -m: -P: -H -K -T: -k -a: -d -c -x -X",
    operands: "value",
    check: (use) => {
      if (use.name === "ssh-keygen" ? has(use, "-R") : has(use, "-d", "-D")) return "destroy";
      return has(use, "-y", "-e") ? "secret" : has(use, "-l") ? "read" : null;
    },
    runs: ["ssh-keygen -lf key.pub"],
    asks: ["ssh-keygen -y -f ~/.ssh/id_rsa", "ssh-add key", "ssh-keygen -R example.com", "ssh-add -D"],
  }),
  defineProgram({
    names:
      "prometheus grafana-server nginx apache2 httpd caddy traefik haproxy redis-server postgres mysqld mongod etcd minio vault-server envoy",
    does: "change",
    isOpen: true,
    operands: "value",
    check: (use) =>
      has(use, "-t", "-T", "-v", "-V") || /^(version|validate|fmt|adapt|check)$/.test(use.operands[0]?.text ?? "")
        ? "work"
        : null,
    runs: ["nginx -t", "caddy validate", "nginx -v"],
    asks: ["prometheus --config.file=p.yml", "nginx", "redis-server"],
  }),
  defineProgram({
    names: "gem",
    does: "install",
    isOpen: true,
    operands: "value",
    verbs: {
      "list query info search environment env which contents dependency outdated specification help": {
        does: "read",
        operands: "value",
      },
      "push yank owner signin": { does: "publish", operands: "value" },
      "build check": { does: "work", operands: "read" },
    },
    runs: ["gem list", "gem environment"],
    asks: ["gem install rails", "gem push x"],
  }),
];
