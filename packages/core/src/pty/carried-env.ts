import { MARKER_VARIABLE } from "../processes/end-processes.ts";
import { SYSTEM_PATH } from "../walls/system-path.ts";

const PREFIX = "BELAY_CARRIED_";

/**
 * A program's variables under other names, for what starts it.
 *
 * A variable such as LD_PRELOAD takes effect in every program that has it, also in those that build the wall, outside of it
 * and with more rights. So the variables of an agent travel under names that mean nothing, and get their own back
 * behind the wall. Names that no shell could give back mean nothing to a loader either.
 */
export function carriedEnv(env: Readonly<Record<string, string>>): Record<string, string> {
  const carried: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    const isPlain = name === MARKER_VARIABLE || !/^[A-Za-z_]\w*$/.test(name);
    carried[isPlain ? name : `${PREFIX}${name}`] = value;
  }
  return { ...carried, PATH: SYSTEM_PATH };
}

/** Lines for bash that give the variables their own names back. Some are the shell's own and cannot be set. */
export const RESTORE_ENV = `{
for ${PREFIX} in "\${!${PREFIX}@}"; do
  if [[ $${PREFIX} != ${PREFIX} ]]; then export "\${${PREFIX}#${PREFIX}}=\${!${PREFIX}}"; unset "$${PREFIX}"; fi
done
unset ${PREFIX}
} 2>/dev/null
`;

/** The program, behind the wall, with its variables. `first` are lines for bash that run before. */
export function withCarriedEnv(argv: readonly [string, ...string[]], { first = "" } = {}): [string, ...string[]] {
  return ["/bin/bash", "--noprofile", "--norc", "-pc", `${first}${RESTORE_ENV}exec "$0" "$@"`, ...argv];
}
