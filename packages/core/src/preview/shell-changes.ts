/** Variables that the shell itself changes all the time. */
const CHANGES_BY_ITSELF =
  /^(_|RANDOM|SRANDOM|SECONDS|EPOCH\w+|LINENO|BASH_\w+|BASHPID|BASHOPTS|SHELLOPTS|PIPESTATUS|pipestatus|HISTCMD|OLDPWD|COLUMNS|LINES|FUNCNAME|DIRSTACK|GROUPS|OPTIND|OPTARG|PPID|RETVAL|status|options|TTYIDLE|LOGCHECK|WATCHFMT|funcstack|__belay_\w*)$/;

const ENTRY =
  /^(?:(?:shopt -[su]|set [-+]o|setopt|unsetopt) (?<option>\w+)$|declare -f\S* (?<functionAttributes>\S+)$|(?:declare|typeset|export|set)(?: -\S+)* (?<variable>[A-Za-z_]\w*)(?:[= ].*)?$|(?<plain>[A-Za-z_]\w*)=|(?<function>\S+) \(\) ?\{?$|function (?<fishFunction>\S+)|alias (?:-\S+ )*(?<alias>[^=\s]+)|trap -- .* (?<trap>\S+)$|(?<umask>umask) |# (?<job>job)$|# cwd (?<cwd>.*)$)/;

/** What a command changed in its shell, in words for people, from the shell's state before and after. */
export function compareStates(before: string, after: string): string[] {
  const [was, is] = [parseState(before), parseState(after)];
  const names = new Set([...was.keys(), ...is.keys()]);
  return [...names].filter((name) => was.get(name) !== is.get(name)).sort();
}

/** A line that starts no entry continues the one before it. */
function parseState(text: string): Map<string, string> {
  const entries = new Map<string, string>();
  let name: string | null = null;
  for (const line of text.split("\n")) {
    const found = ENTRY.exec(line)?.groups;
    if (found) name = nameOf(found);
    if (name !== null) entries.set(name, `${entries.get(name) ?? ""}${line}\n`);
  }
  return entries;
}

function nameOf(found: Record<string, string | undefined>): string | null {
  const variable = found.variable ?? found.plain;
  if (variable !== undefined)
    return CHANGES_BY_ITSELF.test(variable) || variable === "PWD" ? null : `the variable ${variable}`;
  const fn = found.function ?? found.functionAttributes ?? found.fishFunction;
  if (fn !== undefined) return fn.startsWith("__belay") ? null : `the function ${fn}`;
  if (found.alias !== undefined) return `the alias ${found.alias}`;
  if (found.option !== undefined) return `the option ${found.option}`;
  if (found.trap !== undefined) return `the trap ${found.trap}`;
  if (found.umask !== undefined) return "the mask for new files (umask)";
  return found.job === undefined ? "its folder" : "programs in the background";
}
