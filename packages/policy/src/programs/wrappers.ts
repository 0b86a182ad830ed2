import type { OptionSpec } from "./options.ts";

/** A program whose arguments are another command. */
export interface Wrapper extends OptionSpec {
  /** Operands before the command begins: `timeout 5 …`. */
  readonly skip?: number;
  /** `NAME=value` before the command, as `env` and `sudo` take it. */
  readonly assignments?: true;
  /** Only after one of these words: `ip netns exec NAME …`. */
  readonly verb?: readonly string[];
  /** The operands are joined and given to a shell: `watch`, `ssh`. */
  readonly joins?: true;
  /** Options whose value is given to a shell. */
  readonly code?: readonly string[];
  /** What changes for the command inside. */
  readonly effect?: "privileged" | "remote";
  /** Running it is a matter of its own, not only of what it runs. */
  readonly isOpaque?: true;
  /** Without `--` there is no command: `kubectl exec pod -- cmd`. */
  readonly afterDashes?: true;
}

const PLAIN: Wrapper = {};

/** Program → how to find the command inside. */
export const WRAPPERS: ReadonlyMap<string, Wrapper> = new Map<string, Wrapper>([
  ...each(
    "nohup setsid unbuffer fakeroot catchsegv dbus-run-session torsocks torify caffeinate rlwrap eatmydata",
    PLAIN,
  ),
  ...each("builtin command", PLAIN),
  ["exec", { short: "a" }],
  [
    "env",
    { short: "uCS", long: ["unset", "chdir", "split-string"], assignments: true, code: ["-S", "--split-string"] },
  ],
  ["cross-env", { assignments: true }],
  ["time", { short: "fo", long: ["format", "output"] }],
  ["timeout", { short: "ks", long: ["kill-after", "signal"], skip: 1 }],
  ["nice", { short: "n", long: ["adjustment"] }],
  ["ionice", { short: "cnpPu", long: ["class", "classdata"] }],
  ["chrt", { short: "TPD", skip: 1 }],
  ["taskset", { skip: 1 }],
  ["numactl", { short: "CNimp", long: ["cpunodebind", "physcpubind", "interleave", "membind"] }],
  ["stdbuf", { short: "ioe", long: ["input", "output", "error"] }],
  ["choom", { short: "np" }],
  ["prlimit", { short: "p", long: ["pid"] }],
  ["cpulimit", { short: "lpe", long: ["limit"] }],
  ["softlimit", { short: "acdflmnoprst" }],
  ["chpst", { short: "uUbemdopcrtn/" }],
  ["faketime", { short: "f", skip: 1 }],
  ["setarch", { skip: 1 }],
  ...each("linux32 linux64 i386 x86_64", PLAIN),
  ["strace", { short: "abeEIoOpPsSuUX", long: ["output", "trace", "string-limit"] }],
  ["ltrace", { short: "aAeFlnopsuwx", long: ["output"] }],
  ["valgrind", { long: [] }],
  ["perf", { verb: ["stat", "record", "trace"], short: "eopFcC" }],
  ["xvfb-run", { short: "nefps", long: ["server-args", "server-num"] }],
  ["ssh-agent", { short: "atEPO" }],
  [
    "flock",
    { short: "wEc", long: ["timeout", "wait", "conflict-exit-code", "command"], skip: 1, code: ["-c", "--command"] },
  ],
  [
    "script",
    { short: "cBEIOTmot", long: ["command", "log-io", "log-out", "log-in"], skip: 99, code: ["-c", "--command"] },
  ],
  ["watch", { short: "nq", long: ["interval", "equexit"], joins: true }],
  ["hyperfine", { short: "wmMrpcsSnuL", joins: true }],
  ["entr", { joins: true }],
  [
    "systemd-run",
    {
      short: "pHMutESR",
      long: [
        "property",
        "unit",
        "slice",
        "uid",
        "gid",
        "setenv",
        "working-directory",
        "description",
        "on-calendar",
        "on-active",
      ],
      isOpaque: true,
    },
  ],
  [
    "start-stop-daemon",
    {
      short: "xnupcgkdNPI",
      skip: 99,
      code: ["-x", "--exec", "-a", "--startas"],
      long: ["exec", "startas", "name", "user", "pidfile", "chuid", "chdir"],
      isOpaque: true,
    },
  ],
  ["busybox", PLAIN],
  ["toybox", PLAIN],
  ["proot", { short: "rbwqk", isOpaque: true }],
  ["unshare", { short: "SGRw", long: ["root", "wd", "setuid", "setgid", "map-user", "map-group"], isOpaque: true }],
  ["firejail", { isOpaque: true }],
  ["direnv", { verb: ["exec"], skip: 1, isOpaque: true }],
  ["concurrently", { short: "nckl", joins: true }],
  [
    "nodemon",
    {
      short: "xewdi",
      long: ["exec", "ext", "watch", "ignore", "delay"],
      code: ["-x", "--exec"],
      skip: 99,
      isOpaque: true,
    },
  ],
  ["parallel", { short: "jaILnNSX", long: ["jobs", "arg-file"], joins: true, isOpaque: true }],
  // Identities
  [
    "sudo",
    {
      short: "ugpChRrtTUD",
      long: ["user", "group", "prompt", "chdir", "chroot", "host", "role", "type", "other-user"],
      assignments: true,
      effect: "privileged",
      isOpaque: true,
    },
  ],
  ["doas", { short: "uCa", effect: "privileged", isOpaque: true }],
  ["run0", { short: "u", effect: "privileged", isOpaque: true }],
  ["pkexec", { long: ["user"], effect: "privileged", isOpaque: true }],
  [
    "su",
    {
      short: "cgGsw",
      long: ["command", "group", "shell"],
      skip: 99,
      code: ["-c", "--command"],
      effect: "privileged",
      isOpaque: true,
    },
  ],
  [
    "runuser",
    {
      short: "cgGsuw",
      long: ["command", "user", "group", "shell"],
      code: ["-c", "--command"],
      effect: "privileged",
      isOpaque: true,
    },
  ],
  ["gosu", { skip: 1, effect: "privileged", isOpaque: true }],
  ["su-exec", { skip: 1, effect: "privileged", isOpaque: true }],
  ["setpriv", { long: ["reuid", "regid", "groups", "inh-caps", "bounding-set"], effect: "privileged", isOpaque: true }],
  ["sg", { skip: 1, short: "c", code: ["-c"], effect: "privileged", isOpaque: true }],
  ["nsenter", { short: "tSGmuipnCUrwT", long: ["target", "setuid", "setgid"], effect: "privileged", isOpaque: true }],
  ["chroot", { skip: 1, long: ["userspec", "groups"], effect: "privileged", isOpaque: true }],
  // Elsewhere
  ["ssh", { short: "bcDeEFIiJLlmOopQRSWw", skip: 1, joins: true, effect: "remote", isOpaque: true }],
  ["mosh", { long: ["ssh"], skip: 1, effect: "remote", isOpaque: true }],
  [
    "docker",
    { verb: ["exec", "run"], short: "aceehlmpuvw", long: dockerOptions(), skip: 1, effect: "remote", isOpaque: true },
  ],
  [
    "podman",
    { verb: ["exec", "run"], short: "aceehlmpuvw", long: dockerOptions(), skip: 1, effect: "remote", isOpaque: true },
  ],
  [
    "nerdctl",
    { verb: ["exec", "run"], short: "aceehlmpuvw", long: dockerOptions(), skip: 1, effect: "remote", isOpaque: true },
  ],
  [
    "docker-compose",
    { verb: ["exec", "run"], short: "euwv", long: dockerOptions(), skip: 1, effect: "remote", isOpaque: true },
  ],
  ["kubectl", { verb: ["exec", "debug", "run"], afterDashes: true, effect: "remote", isOpaque: true }],
  ["oc", { verb: ["exec", "rsh"], afterDashes: true, effect: "remote", isOpaque: true }],
  ["lxc", { verb: ["exec"], afterDashes: true, effect: "remote", isOpaque: true }],
  ["multipass", { verb: ["exec"], afterDashes: true, effect: "remote", isOpaque: true }],
  [
    "vagrant",
    {
      verb: ["ssh"],
      short: "c",
      code: ["-c", "--command"],
      long: ["command"],
      skip: 99,
      effect: "remote",
      isOpaque: true,
    },
  ],
  ["gcloud", { long: ["command", "zone", "project"], code: ["--command"], skip: 99, effect: "remote", isOpaque: true }],
  ["machinectl", { verb: ["shell"], skip: 1, effect: "privileged", isOpaque: true }],
  [
    "ansible",
    {
      short: "amieuIlM",
      long: ["args", "module-name", "inventory"],
      code: ["-a", "--args"],
      skip: 99,
      effect: "remote",
      isOpaque: true,
    },
  ],
  // Project tools that run what the project has
  ["poetry", { verb: ["run"], isOpaque: true }],
  ["pipenv", { verb: ["run"], isOpaque: true }],
  ["uv", { verb: ["run"], isOpaque: true }],
  ["bundle", { verb: ["exec"], isOpaque: true }],
  ["conda", { verb: ["run"], short: "n", isOpaque: true }],
  ["rustup", { verb: ["run"], skip: 1, isOpaque: true }],
  ["npx", { short: "cp", long: ["package", "call"], code: ["-c", "--call"] }],
  ["bunx", PLAIN],
  ["npm", { verb: ["exec", "x"], short: "c", long: ["call", "package"], code: ["-c", "--call"] }],
  ["pnpm", { verb: ["exec", "dlx"], short: "cC" }],
  ["yarn", { verb: ["exec", "dlx"] }],
]);

function each(names: string, wrapper: Wrapper): [string, Wrapper][] {
  return names.split(" ").map((name) => [name, { stopsAtOperand: true, ...wrapper }]);
}

function dockerOptions(): readonly string[] {
  return "name env env-file user workdir volume mount network entrypoint publish label hostname memory cpus add-host platform restart device cap-add cap-drop security-opt pid ipc userns tmpfs ulimit gpus".split(
    " ",
  );
}
