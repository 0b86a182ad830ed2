import { type LaunchLimits, limitLines } from "../limits/launch-limits.ts";
import { quote } from "../shell/quote.ts";

/**
 * Starts a program without the descriptors that it would inherit.
 *
 * node-pty does not mark the master side of a terminal as close-on-exec, so on
 * Linux every program would hold the terminals that were opened before its own,
 * and could read what others print and type into their shells. Node cannot set
 * that mark either. Bash closes whatever is open, and then becomes the program.
 * `open` names files that the program is to have open for reading, by descriptor; `limits` is what it may use.
 */
export function withoutInheritedDescriptors(
  argv: [string, ...string[]],
  {
    bashPath,
    open = {},
    limits,
  }: { bashPath: string; open?: Record<number, string>; limits?: LaunchLimits | undefined },
): [string, ...string[]] {
  const opening = Object.entries(open).map(([descriptor, path]) => `exec ${descriptor}<${quote(path)}\n`);
  const limiting = limits ? limitLines(limits) : "";
  // -p: neither BASH_ENV nor functions from the environment run on the way.
  return [
    bashPath,
    "--noprofile",
    "--norc",
    "-pc",
    `${CLOSE_ALL}${limiting}${opening.join("")}exec "$0" "$@"`,
    ...argv,
  ];
}

const CLOSE_ALL = `closing=
for f in /proc/self/fd/*; do
  f=\${f##*/}
  if ((f > 2)); then closing+=" $f>&-"; fi
done
eval "exec$closing"
unset closing f
`;
