import { MARKER_VARIABLE } from "../processes/end-processes.ts";
import { SYSTEM_PATH } from "../walls/system-path.ts";

const PREFIX = "BELAY_CARRIED_";

/**
 * Renames a program's variables for the processes that start it.
 *
 * A variable such as LD_PRELOAD affects every program that has it, including those that build the wall, which run
 * outside it and with more rights. So an agent's variables are passed under meaningless names, and get their own names
 * back behind the wall. Names that are not valid in a shell are kept: they mean nothing to a loader either.
 */
export function carriedEnv(env: Readonly<Record<string, string>>): Record<string, string> {
  const carried: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    const isPlain = name === MARKER_VARIABLE || !/^[A-Za-z_]\w*$/.test(name);
    carried[isPlain ? name : `${PREFIX}${name}`] = value;
  }
  return { ...carried, PATH: SYSTEM_PATH };
}

/** Lines for bash that restore the variables' names. Some belong to the shell itself and cannot be set. */
export const RESTORE_ENV = `{
for ${PREFIX} in "\${!${PREFIX}@}"; do
  if [[ $${PREFIX} != ${PREFIX} ]]; then export "\${${PREFIX}#${PREFIX}}=\${!${PREFIX}}"; unset "$${PREFIX}"; fi
done
unset ${PREFIX}
} 2>/dev/null
`;

/** The program behind the wall, with its variables restored. `first` holds lines for bash that run before. */
export function withCarriedEnv(argv: readonly [string, ...string[]], { first = "" } = {}): [string, ...string[]] {
  return ["/bin/bash", "--noprofile", "--norc", "-pc", `${first}${RESTORE_ENV}exec "$0" "$@"`, ...argv];
}
