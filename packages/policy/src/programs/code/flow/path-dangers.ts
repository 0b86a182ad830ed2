import { classifyPath } from "../../../dangers/paths/danger-paths.ts";
import { type LookLanguage, STRING, separate } from "../code-text.ts";
import { callsIn, traceFlow } from "./trace-flow.ts";

const DELETES =
  /\b(?:rmtree|rm_rf?|rm_r|remove_entry_secure|remove_tree|rmSync|rmdirSync|removeSync|rimraf|removedirs|emptyDir(?:Sync)?|rmdir|unlink\w*|remove|removeSync|rm|delete)\b/g;
/** Methods of a path object: in `Path(x).unlink()` and `p.write_text(y)` the file is before the call. */
const ON_RECEIVER = /\.\s*(?:write_text|write_bytes|unlink|rmdir|rename|replace|chmod|touch|symlink_to)\s*\(/g;
const ON_FIRST =
  /\b(?:writeFile\w*|appendFile\w*|createWriteStream|outputFile\w*|file_put_contents|truncate\w*|unlink\w*|remove|chown\w*|chmod\w*|rmSync)\b|\b(?:File|IO|Bun)\s*\.\s*(?:write|binwrite|delete|chmod)\b/g;
const ON_LAST = /\b(?:copy\w*|cp|cpSync|move|mv|rename\w*|replace|symlink\w*|link|linkSync)\s*\(/g;
const OPENS = /\b(?:open|fopen|openSync|new)\b/g;
const WRITES_MODE = /"(?:[bt]*[wax][bt+]*|r[bt]*\+[bt]*|\+?>{1,2})"|">|\bO_WRONLY\b|\bO_RDWR\b/;

/**
 * Whether code deletes what the system needs, or writes to a critical file or a disk, according to the literals that
 * reach the call.
 */
export function pathDangers(code: string, look: LookLanguage, home: string): string[] {
  const parts = separate(look, code);
  if (parts === null) return [];
  let index = 0;
  const marked = parts.bare.replaceAll(STRING, () => `"${markOf(parts.strings[index++] ?? "", home)}"`);
  const dangers: string[] = [];
  if (marked.includes(VITAL) && traceFlow(marked, new RegExp(VITAL)).reaches(DELETES)) dangers.push("root-wipe");
  if (marked.includes(CRITICAL) && writesTo(marked, new RegExp(CRITICAL))) dangers.push("system-file");
  if (marked.includes(DEVICE) && writesTo(marked, new RegExp(DEVICE))) dangers.push("disk-destruction");
  return dangers;
}

const VITAL = "§vital";
const CRITICAL = "§critical";
const DEVICE = "§device";

function markOf(text: string, home: string): string {
  if (/^[rwaxbt+]{1,4}$|^\+?[<>]{1,2}$/.test(text)) return text;
  // In Perl the mode is part of the argument before the name: `open(F, ">/x")`.
  const [, mode = "", name = ""] = /^\s*([+<>]{0,3})\s*(.*)$/s.exec(text) ?? [];
  const path = name.startsWith("~") ? home + name.slice(1) : name;
  if (!path.startsWith("/") || /\s/.test(path)) return "";
  const { kind } = classifyPath(path, home);
  if (kind === "critical-file") return `${mode}${CRITICAL}${VITAL}`;
  if (kind === "device") return `${mode}${DEVICE}`;
  return kind === "root" || kind === "system" || kind === "home" ? `${mode}${VITAL}` : "";
}

function writesTo(code: string, target: RegExp): boolean {
  const { carries } = traceFlow(code, target);
  const isGiven = (calls: RegExp, file: (call: ReturnType<typeof callsIn>[number]) => string | undefined) =>
    callsIn(code, calls).some((call) => carries(file(call) ?? ""));
  return (
    isGiven(ON_RECEIVER, ({ before }) => before) ||
    isGiven(ON_FIRST, ({ given }) => given[0]) ||
    isGiven(ON_LAST, ({ given }) => given.findLast((one) => !/^\s*\w+\s*=/.test(one))) ||
    isGiven(OPENS, ({ given }) => (given.some((one) => WRITES_MODE.test(one)) ? given.slice(0, 3).join(",") : ""))
  );
}
