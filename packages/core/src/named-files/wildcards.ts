import { readdir } from "node:fs/promises";
import { join } from "node:path";

/** A command that matches more files than this is not bound to each of them. */
const MAX_MATCHES = 200;
const MAX_FOLDERS_READ = 50;

/** The files that a word with wildcards matches now: `d.s*`, `scripts/*.sh`. A set (`[ab]`) matches any character. */
export async function expandWildcards(word: string, folder: string): Promise<string[]> {
  if (!/[*?[]/.test(word)) return [];
  const steps = word.split("/").filter((step) => step !== "" && step !== ".");
  let reached = [word.startsWith("/") ? "/" : folder];
  let foldersRead = 0;
  for (const step of steps) {
    if (!/[*?[]/.test(step)) {
      reached = reached.map((path) => join(path, step));
      continue;
    }
    const next: string[] = [];
    for (const path of reached) {
      if (++foldersRead > MAX_FOLDERS_READ || next.length >= MAX_MATCHES) break;
      const names = await readdir(path).catch(() => []);
      for (const name of names) if (fits(name, step.replace(/\[[^\]]*\]/g, "?"))) next.push(join(path, name));
    }
    reached = next.slice(0, MAX_MATCHES);
  }
  return reached;
}

/** Whether a name matches a pattern of `*` and `?`. Backtracks only to the last star, so no pattern is slow. */
function fits(name: string, pattern: string): boolean {
  if (name.startsWith(".") && !pattern.startsWith(".")) return false;
  let [at, place, star, tried] = [0, 0, -1, 0];
  while (at < name.length) {
    if (pattern[place] === "*") {
      star = place++;
      tried = at;
    } else if (pattern[place] === "?" || pattern[place] === name[at]) {
      at += 1;
      place += 1;
    } else if (star >= 0) {
      place = star + 1;
      at = ++tried;
    } else return false;
  }
  while (pattern[place] === "*") place += 1;
  return place === pattern.length;
}
