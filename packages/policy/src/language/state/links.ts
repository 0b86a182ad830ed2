import type { Shell } from "../grammar/shell.ts";
import { baseName, resolvePath } from "../words/paths.ts";
import { type Field, isKnown } from "./values.ts";

const MAX_HOPS = 8;

/** Resolves links that earlier commands made: after `ln -s ~/.ssh h`, `h/x` is `~/.ssh/x`. */
export function followLinks(shell: Shell, absolute: string): string {
  const { links } = shell.state;
  if (links.size === 0) return absolute;
  let path = absolute;
  for (let hops = 0; hops < MAX_HOPS; hops += 1) {
    const next = followOne(links, path);
    if (next === null) return path;
    path = next;
  }
  return path;
}

function followOne(links: ReadonlyMap<string, string>, path: string): string | null {
  for (let end = path.indexOf("/", 1); ; end = path.indexOf("/", end + 1)) {
    const head = end < 0 ? path : path.slice(0, end);
    const target = links.get(head);
    if (target !== undefined && target !== head) return target + path.slice(head.length);
    if (end < 0) return null;
  }
}

/** Remembers the target of `ln`. Hard links count too, because they are the same file under another name. */
export function rememberLinks(shell: Shell, program: string, args: readonly Field[]): void {
  if (program !== "ln" && program !== "link" && program !== "cp") return;
  const words = args.filter(({ text }) => !text.startsWith("-"));
  if (program === "cp" && !args.some(({ text }) => /^-[a-zA-Z]*[sl]|^--(symbolic-)?link$/.test(text))) return;
  const intoAt = args.findIndex(({ text }) => text === "-t" || text === "--target-directory");
  const into = intoAt < 0 ? undefined : args[intoAt + 1];
  const attached = args.find(({ text }) => /^--target-directory=|^-[a-zA-Z]*t./.test(text));
  const directory = into?.text ?? attached?.text.replace(/^--target-directory=|^-[a-zA-Z]*t/, "");
  const targets =
    directory === undefined ? words.slice(0, Math.max(1, words.length - 1)) : words.filter((word) => word !== into);
  const place = directory ?? (words.length > 1 ? words.at(-1)?.text : ".");
  // The target of a symbolic link is relative to the link's folder.
  const isSymbolic = args.some(({ text }) => /^-[a-zA-Z]*s|^--symbolic/.test(text));
  const isFromHere = args.some(({ text }) => /^-[a-zA-Z]*r|^--relative$/.test(text));
  for (const { text } of targets) {
    const at = place === undefined ? null : resolvePath(place, shell.state.cwd);
    const remember = (link: string, folder: string | null) => {
      const from = resolvePath(text, isSymbolic && !isFromHere ? folder : shell.state.cwd);
      if (from !== null && isKnown(from) && isKnown(link)) shell.state.links.set(link, from);
    };
    if (at === null) continue;
    // The last argument may or may not be a folder, so the link may be at that path or inside it.
    remember(`${at}/${baseName(text)}`, at);
    if (directory === undefined && words.length === 2) remember(at, at.slice(0, at.lastIndexOf("/")) || "/");
  }
}
