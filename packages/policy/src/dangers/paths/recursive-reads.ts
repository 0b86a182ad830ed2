import type { Invocation } from "../../language/commands/invocation.ts";
import { searchesOnlySources } from "../../programs/effects/output/source-files.ts";

const RECURSIVE_SHORT: Readonly<Record<string, RegExp>> = {
  grep: /^-[a-zA-Z]*[rR]/,
  egrep: /^-[a-zA-Z]*[rR]/,
  fgrep: /^-[a-zA-Z]*[rR]/,
  zgrep: /^-[a-zA-Z]*[rR]/,
  cp: /^-[a-zA-Z]*[rRa]/,
  scp: /^-[a-zA-Z]*r/,
  zip: /^-[a-zA-Z]*r/,
  diff: /^-[a-zA-Z]*r/,
  rsync: /^-[a-zA-Z]*[ra]/,
  ugrep: /^-[a-zA-Z]*[rR]/,
};
/** Programs that are recursive by default. */
const ALWAYS = new Set(
  "tar bsdtar ag ack 7z 7za 7zz rar restic borg duplicity gitleaks trufflehog detect-secrets mv ctags cloc serve http-server live-server servor http.server SimpleHTTPServer httpd twistd twist caddy darkhttpd miniserve webfsd thttpd mini_httpd dufs static-web-server simple-http-server filebrowser copyparty gossa algernon".split(
    " ",
  ),
);
const SEARCHES_HIDDEN = /^(--hidden|--no-ignore.*|--unrestricted|-\.|-[a-zA-Z]*u[a-zA-Z]*)$/;

/** Whether a program reads the contents of files below its directories. */
export function readsBelow({ program, args }: Invocation): boolean {
  if (ALWAYS.has(program)) return true;
  // `rg` skips hidden and ignored files by default.
  if (program === "rg") return args.some(({ text }) => SEARCHES_HIDDEN.test(text));
  // PHP's built-in server serves every file below its folder.
  if (program === "php") return args.some(({ text }) => text.startsWith("-S"));
  if (/^[ef]?grep$/.test(program) && searchesOnlySources(args)) return false;
  const short = RECURSIVE_SHORT[program];
  return (
    short !== undefined &&
    args.some(({ text }) => short.test(text) || /^--(recursive|archive|dereference-recursive)$/.test(text))
  );
}

/** `rg --hidden --no-ignore`: targets exactly the files that are kept out of the repository. */
export function readsHidden({ program, args }: Invocation): boolean {
  if (program !== "rg" && program !== "ag" && program !== "ugrep") return false;
  const words = args.map(({ text }) => text);
  const isAll =
    words.some((text) => /^-[a-zA-Z]*u[a-zA-Z]*u/.test(text)) ||
    words.filter((text) => text === "-u" || text === "--unrestricted").length > 1;
  const isHidden = words.some((text) => text === "--hidden" || text === "-.");
  const isUnignored = words.some((text) => /^--no-ignore(-vcs)?$|^-[a-zA-Z]*u$/.test(text));
  // `ag -u` searches hidden and ignored files; `-U` only disregards `.gitignore`.
  if (program === "ag") return words.some((text) => /^-[a-zA-Z]*u|^--unrestricted$/.test(text)) || isHidden;
  if (program === "ugrep") return isHidden || words.some((text) => /^-[a-zA-Z]*\./.test(text));
  return isAll || (isHidden && isUnignored);
}
