import { defineProgram } from "../../define-program.ts";

const identity = (
  names: string,
  options: string,
  more: { skip?: number; code?: readonly string[]; takesAssignments?: true } = {},
) =>
  defineProgram({
    names,
    does: "destroy",
    options,
    operands: "value",
    stopsAtOperand: true,
    wraps: { ...more, effect: "privileged", isOpaque: true },
    runs: [],
    asks: [`${names.split(" ")[0]} x ls`],
  });

/** Wrappers that run a command as another user. */
export const IDENTITIES = [
  identity(
    "sudo",
    "-ABbEeHiKklnPSsVv -u: -g: -p: -C: -h: -r: -t: -T: -U: -D:d -R: --user: --group: --prompt: --chdir:d --chroot: --host: --preserve-env? --non-interactive --stdin --login --shell",
    { takesAssignments: true },
  ),
  identity("doas run0 pkexec", "-nLs -u: -C: -a: --user: --disable-internal-agent"),
  identity(
    "su runuser",
    "-lmpPf -c: -g: -G: -s: -u: -w: --command: --group: --shell: --login --user: --session-command: -",
    { skip: 1, code: ["-c", "--command", "--session-command"] },
  ),
  identity(
    "gosu su-exec sg chroot nsenter setpriv machinectl capsh",
    "-c: -t: -S: -G: -m? -u? -i? -p? -n? -C? -U? -r? -w? -F --userspec: --groups: --target: --setuid: --setgid: --reuid: --regid: --inh-caps: --bounding-set: --clear-groups --init-groups --keep-groups --skip-chdir",
    { skip: 1, code: ["-c"] },
  ),
];
