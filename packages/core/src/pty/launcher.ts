/**
 * Starts a program without the descriptors that it would inherit.
 *
 * node-pty does not mark the master side of a terminal as close-on-exec, so on
 * Linux every program would hold the terminals that were opened before its own,
 * and could read what others print and type into their shells. Node cannot set
 * that mark either. Bash closes whatever is open, and then becomes the program.
 */
export function withoutInheritedDescriptors(
  argv: [string, ...string[]],
  { bashPath }: { bashPath: string },
): [string, ...string[]] {
  // -p: neither BASH_ENV nor functions from the environment run on the way.
  return [bashPath, "--noprofile", "--norc", "-pc", CLOSE_ALL_AND_EXEC, ...argv];
}

const CLOSE_ALL_AND_EXEC = `closing=
for f in /proc/self/fd/*; do
  f=\${f##*/}
  if ((f > 2)); then closing+=" $f>&-"; fi
done
eval "exec$closing"
unset closing f
exec "$0" "$@"`;
