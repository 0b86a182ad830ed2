import { type LaunchLimits, limitLines } from "../limits/launch-limits.ts";
import { quote } from "../shell/quote.ts";

/**
 * Starts a program without the descriptors that it would inherit.
 *
 * node-pty does not mark the master side of a terminal as close-on-exec, so on
 * Linux every program would have the earlier terminals open,
 * and could read their output and type into their shells. Node cannot set
 * that flag either. Bash closes all descriptors, and then execs the program.
 * `open` lists files and folders to open for reading, by descriptor; `limits` are its resource limits.
 */
export function withoutInheritedDescriptors(
  argv: [string, ...string[]],
  {
    bashPath,
    open = {},
    limits,
  }: {
    bashPath: string;
    open?: Record<number, string>;
    limits?: LaunchLimits | undefined;
  },
): [string, ...string[]] {
  const opening = Object.entries(open).map(([descriptor, path]) => `exec ${descriptor}<${quote(path)}\n`);
  const limiting = limits ? limitLines(limits) : "";
  // -p: neither BASH_ENV nor functions from the environment are run.
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
