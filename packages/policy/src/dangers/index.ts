import { ASKS_ABOUT_PROGRAMS } from "./ask-programs.ts";
import { OTHER_AGENTS } from "./belay/other-agents.ts";
import { SELF_PROTECTION } from "./belay/self-protection.ts";
import { LASTING_SETTINGS } from "./lasting-settings.ts";
import { EXFILTRATION } from "./leaks/exfiltration.ts";
import { FILE_SERVERS } from "./leaks/file-servers.ts";
import { HIDDEN_PROMPTS } from "./leaks/hidden-prompts.ts";
import { MOUNTED_SECRETS } from "./leaks/mounted-secrets.ts";
import { REVERSE_SHELL } from "./leaks/reverse-shell.ts";
import { SECRET_SEARCHES } from "./leaks/secret-searches.ts";
import { SOCKETS } from "./leaks/sockets.ts";
import { DISK_DESTRUCTION } from "./machine/disk-destruction.ts";
import { MACHINE_SETTINGS } from "./machine/machine-settings.ts";
import { PRIVILEGE } from "./machine/privilege.ts";
import { ROOT_WIPE } from "./machine/root-wipe.ts";
import { SYSTEM_DOWN } from "./machine/system-down.ts";
import { ASKS_ABOUT_FILES } from "./paths/ask-files.ts";
import { SYSTEM_FILES } from "./paths/system-files.ts";
import { TAINTED_FILES } from "./paths/tainted-files.ts";
import { PRODUCTION_DATA } from "./production-data.ts";
import { REPLACED_SHELL } from "./replaced-shell.ts";
import type { Rule } from "./rule.ts";
import { RUNS_LATER } from "./runs-later.ts";

const BUILT_IN_RULES: readonly Rule[] = [
  ...ROOT_WIPE,
  ...DISK_DESTRUCTION,
  ...PRIVILEGE,
  ...SYSTEM_FILES,
  ...SYSTEM_DOWN,
  ...REVERSE_SHELL,
  ...SOCKETS,
  ...EXFILTRATION,
  ...TAINTED_FILES,
  ...SELF_PROTECTION,
  ...REPLACED_SHELL,
  ...HIDDEN_PROMPTS,
  ...SECRET_SEARCHES,
  ...FILE_SERVERS,
  ...MOUNTED_SECRETS,
  ...RUNS_LATER,
  ...LASTING_SETTINGS,
  ...PRODUCTION_DATA,
  ...OTHER_AGENTS,
  ...MACHINE_SETTINGS,
  ...ASKS_ABOUT_FILES,
  ...ASKS_ABOUT_PROGRAMS,
];

const forAny = BUILT_IN_RULES.filter(({ programs }) => programs === undefined);
const byProgram = new Map<string, readonly Rule[]>();
for (const program of new Set(BUILT_IN_RULES.flatMap(({ programs }) => programs ?? []))) {
  const own = BUILT_IN_RULES.filter(({ programs }) => programs?.includes(program));
  byProgram.set(program, [...own, ...forAny]);
}

/** The built-in rules that look at a program. */
export function rulesFor(program: string): readonly Rule[] {
  return byProgram.get(program) ?? forAny;
}
