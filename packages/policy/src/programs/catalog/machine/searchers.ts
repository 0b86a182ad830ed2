import type { Field } from "../../../language/state/values.ts";
import { defineProgram } from "../../define-program.ts";
import { has } from "../use.ts";

/** The words between `-exec` and its end are another command, which is judged separately. */
function withoutCommands(args: readonly Field[]): readonly Field[] {
  const own: Field[] = [];
  for (let at = 0; at < args.length; at += 1) {
    const arg = args[at];
    if (arg === undefined) break;
    own.push(arg);
    if (!/^-(exec|execdir|ok|okdir)$/.test(arg.text)) continue;
    while (at + 1 < args.length && !/^(;|\+)$/.test(args[at + 1]?.text ?? "")) at += 1;
    at += 1;
  }
  return own;
}

/** `fd -x cmd …`: the rest is another command, which is judged separately. */
function beforeCommand(args: readonly Field[]): readonly Field[] {
  const at = args.findIndex(
    ({ text }) => /^(-[A-Za-wyz0-9]*[xX]|--exec(-batch)?$|--exec(-batch)?=)/.test(text) && !/^-[eEtSdocjC]/.test(text),
  );
  return at < 0 ? args : args.slice(0, at);
}

/** Options of `find` that write what it finds to a file. */
const LISTS_TO: ReadonlySet<string> = new Set(["-fprint", "-fprint0", "-fprintf", "-fls"]);

/** Programs that look for files, and for text in them. */
export const SEARCHERS = [
  defineProgram({
    names: "ag ack ugrep ug",
    does: "read",
    isOpen: true,
    options: "--pager:x --pre:x --filter:x --filter-magic-label: --view:x --config?c --save-config?w",
    runs: ["ag pattern", "ack -l TODO src"],
    asks: ["ag --pager ./x foo", "ugrep --filter='*:cat %' x"],
  }),
  defineProgram({
    names: "grep",
    does: "read",
    options:
      "-abcEFGHhIilLnoPqrRsTUuvVwxyzZ -e: -f:r -m: -A: -B: -C: -d: -D: --regexp: --file:r --max-count: --after-context: --before-context: " +
      "--context? --include: --exclude: --exclude-dir: --exclude-from:r --color? --colour? --binary-files: --directories: --devices: --label: " +
      "--extended-regexp --fixed-strings --basic-regexp --perl-regexp --ignore-case --no-ignore-case --invert-match --word-regexp --line-regexp " +
      "--count --files-with-matches --files-without-match --only-matching --quiet --silent --no-messages --byte-offset --with-filename " +
      "--no-filename --line-number --initial-tab --null --text --recursive --dereference-recursive --line-buffered --binary --null-data --group-separator? --no-group-separator",
    takesNumbers: true,
    runs: ["grep -rn TODO src", "grep -A3 -B 2 --include=*.ts foo .", "grep -5 x f"],
    asks: ["grep -f ~/.ssh/id_rsa x", "grep -r KEY .env"],
  }),
  defineProgram({
    names: "rg",
    does: "read",
    isOpen: true,
    options:
      "--pre:x --pre-glob: --hostname-bin:x -z=code --search-zip=code -f:r --file:r --ignore-file:r -e: --regexp: -g: --glob: --iglob: -t: -T: --type: --type-not: " +
      "--type-add: -A: -B: -C: -m: -M: -d: -j: -r: -E: --max-count: --max-depth: --context: --after-context: --before-context: --replace: --sort: " +
      "--sortr: --color: --colors: --engine: --encoding: --max-columns: --max-filesize: --threads: -nilLcovwxFPSsuUHIN0qpa. --hidden --no-ignore " +
      "--files --json --stats --passthru --pcre2 --multiline --no-heading --heading --vimgrep --trim --debug --trace --type-list --files-with-matches " +
      "--no-config --path-separator: --context-separator: --field-match-separator: --field-context-separator:",
    runs: ["rg -n 'fn main' -g '*.rs'", "rg --files -t ts", "rg foo -C3 --max-count 5"],
    asks: ["rg --pre ./x foo", "rg -z foo", "rg foo .env"],
  }),
  defineProgram({
    names: "fd fdfind",
    does: "read",
    ownWords: beforeCommand,
    operands: "value",
    options:
      "-HIusgFai1lLp0qV -E: -t: -e: -S: -d: -o: -c: -j: -C:d --type: --extension: --exclude: --size: --max-depth: --min-depth: --exact-depth: " +
      "--changed-within: --changed-before: --newer: --older: --owner: --color: --threads: --max-results: --base-directory:d --path-separator: --search-path:r " +
      "--hidden --no-ignore --no-ignore-vcs --no-ignore-parent --unrestricted --case-sensitive --ignore-case --glob --regex --fixed-strings --absolute-path " +
      "--list-details --follow --full-path --print0 --quiet --show-errors --strip-cwd-prefix? --one-file-system --prune --and: --max-one-result --has-results --format: --hyperlink? --ignore-file:r --require-git --no-require-git --batch-size: --gen-completions?",
    runs: ["fd --no-require-git x", "fd -e ts -d 3", "fd --hidden pattern src", "fd -e ts -x wc -l"],
    asks: ["fd -x rm", "fd pattern --exec-batch vim", "fd -xrm .", "fd -HIx rm"],
  }),
  defineProgram({
    names: "tree",
    does: "read",
    operands: "value",
    options:
      "-adflxpugsDhFqNQrtvcCnASiJX -L: -P: -I: -H: -T: -o:w -R --filelimit: --dirsfirst --filesfirst --matchdirs --ignore-case --noreport --charset: " +
      "--du --si --timefmt: --sort? --inodes --device --prune --gitignore --gitfile:r --info --infofile:r --fromfile --metafirst --nolinks --hintro:r --houtro:r",
    // The operand is then a file, whose lines are printed.
    check: (use) => (has(use, "--fromfile") && use.operands.some(({ text }) => text !== ".") ? "secret" : null),
    runs: ["tree -L 2 -I node_modules", "tree --gitignore src", "git ls-files | tree --fromfile ."],
    asks: ["tree -o ~/.bashrc", "tree --fromfile ~/.netrc"],
  }),
  defineProgram({
    names: "find gfind",
    does: "read",
    hasSingleDashLong: true,
    ownWords: withoutCommands,
    options:
      "-H -L -P -E -X -d -D: -O0 -O1 -O2 -O3 -a -and -o -or -not -amin: -anewer:r -atime: -cmin: -cnewer:r -ctime: -daystart -depth -empty -executable -false -files0-from:r -follow " +
      "-fstype: -gid: -group: -ilname: -iname: -inum: -ipath: -iregex: -iwholename: -links: -lname: -ls -maxdepth: -mindepth: -mmin: -mount -mtime: " +
      "-name: -newer:r -newerat: -newermt: -newerct: -newerBt: -neweram: -newermm: -nogroup -noignore_readdir_race -ignore_readdir_race -noleaf -nouser -nowarn -warn -path: -perm: -print -print0 " +
      "-printf: -prune -quit -readable -regex: -regextype: -samefile:r -size: -true -type: -uid: -used: -user: -wholename: -writable -xdev -xtype: -context: " +
      "-fprint:w=edit -fprint0:w=edit -fls:w=edit -fprintf:w=edit -delete=edit -exec -execdir -ok -okdir",
    operands: "read",
    // A list of files belongs in the workspace, where a person sees it.
    check: ({ options }) =>
      options.some(({ name, value }) => LISTS_TO.has(name) && /^(?:\/(?!dev\/)|~|\.\.)/.test(value?.text ?? ""))
        ? "change"
        : null,
    runs: [
      "find . -name '*.ts' -not -path './node_modules/*'",
      "find . -type f -size +100k",
      "find . -name x -exec wc -l {} +",
      "find . -fprint list.txt",
      "find . -fprint /dev/stdout",
    ],
    asks: [
      "find . -type f -delete",
      "find . -fprint ~/.bashrc",
      "find . -fprintf /tmp/list.txt '%p\\n'",
      "find . -exec rm {} +",
    ],
  }),
];
