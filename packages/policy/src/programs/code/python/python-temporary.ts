import { type CodeParts, STRING, stringAt } from "../code-text.ts";

const MAKES = String.raw`(?:tempfile\s*\.\s*)?(?:mkdtemp|mkstemp|mktemp|NamedTemporaryFile|TemporaryDirectory|TemporaryFile)\s*\(`;
/** How often one name is followed to the next: `d = mkdtemp()`, `p = join(d, …)`, `q = Path(p)`. */
const MAX_ROUNDS = 4;
const MAX_NAMES = 20;

/**
 * The code without calls that delete what it created itself in the folder for temporary files, as tests do when they
 * clean up. The length stays the same, so that strings keep their positions.
 */
export function withoutCleaningUp(parts: CodeParts): string {
  const { bare } = parts;
  if (!/\b(?:unlink|remove|rmdir|rmtree|removedirs)\b/.test(bare)) return bare;
  const names = temporaryNames(parts);
  const named = names.length > 0 ? String.raw`(?:${names.join("|")})(?:\s*\.\s*name)?|` : "";
  const argument = `(?:${named}"")`;
  const calls = new RegExp(
    String.raw`\b(?:os\s*\.\s*(?:unlink|remove|rmdir)|shutil\s*\.\s*rmtree)\s*\(\s*${argument}\s*(?:,\s*ignore_errors\s*=\s*True\s*)?,?\s*\)` +
      (names.length > 0
        ? String.raw`|\b(?:${names.join("|")})\s*\.\s*(?:unlink|rmdir)\s*\(\s*(?:missing_ok\s*=\s*True)?\s*\)`
        : ""),
    "g",
  );
  return bare.replace(calls, (call, ...rest) => {
    const at: number = rest.find((value) => typeof value === "number") ?? 0;
    const place = call.indexOf(STRING);
    if (place >= 0 && !/^\/tmp\/[\w-]+[\w./-]*$/.test(stringAt(parts, at + place))) return call;
    if (place >= 0 && stringAt(parts, at + place).includes("..")) return call;
    return call.replace(/[^"]/g, " ");
  });
}

/** Names that only ever refer to something temporary. */
function temporaryNames({ bare }: CodeParts): string[] {
  const names = new Set<string>();
  for (let round = 0; round < MAX_ROUNDS && names.size < MAX_NAMES; round += 1) {
    const known = [...names].join("|");
    const from =
      known === ""
        ? MAKES
        : String.raw`${MAKES}|(?:os\s*\.\s*path\s*\.\s*join|(?:pathlib\s*\.\s*)?Path|str)\s*\(\s*(?:${known})\b|(?:${known})(?:\s*\.\s*name)?\s*(?:[\n;]|$|\/)`;
    const makes = String.raw`(?:(?:pathlib\s*\.\s*)?Path\s*\(\s*)?(?:${from})`;
    const before = names.size;
    for (const match of bare.matchAll(
      new RegExp(String.raw`(?:^|[\n;:])[ \t]*(?:(\w+)\s*,\s*)?(\w+)\s*=\s*${makes}`, "g"),
    ))
      for (const name of [match[1], match[2]]) if (name !== undefined) names.add(name);
    for (const match of bare.matchAll(new RegExp(String.raw`\bwith\s+${MAKES}[^\n]*?\)\s*as\s+(\w+)`, "g")))
      if (match[1] !== undefined) names.add(match[1]);
    if (names.size === before) break;
  }
  return [...names].filter((name) => isSetOnlySo(bare, name, names)).slice(0, MAX_NAMES);
}

/** Whether every assignment to a name makes it temporary. */
function isSetOnlySo(bare: string, name: string, names: ReadonlySet<string>): boolean {
  const sets = [
    ...bare.matchAll(new RegExp(String.raw`\b${name}\s*(?:=(?!=)|\+=|\/=|:=)([^\n;]*)`, "g")),
    ...bare.matchAll(new RegExp(String.raw`(?:^|[\n;])[ \t]*${name}\s*,[\w\s,]*=(?!=)([^\n;]*)`, "g")),
  ];
  const known = [...names].join("|");
  const isTemporary = new RegExp(String.raw`${MAKES}|\b(?:${known})\b`);
  const isBoundElsewhere = new RegExp(
    String.raw`\bfor\s+[^\n:]*\b${name}\b[^\n:]*\bin\b|\bdef\s+\w+\s*\([^)]*\b${name}\b|\blambda\b[^:\n]*\b${name}\b|\bglobal\s+${name}\b|\bimport\b[^\n]*\b${name}\b`,
  );
  return sets.every(([, value = ""]) => isTemporary.test(value)) && !isBoundElsewhere.test(bare);
}
