import type { Effect, ProgramUse } from "../../define-program.ts";

/** Options of all commands that show diffs. */
export const DIFF =
  "-p -u -s -R -a -b -w -z -W -B? -M? -C? -D -l: -O: -S: -G: -U: -I: -r -t --patch --no-patch --raw --stat? --numstat --shortstat --dirstat? --summary --name-only --name-status --check --full-index --binary --abbrev? --color? --no-color --word-diff? --word-diff-regex: --color-words? --color-moved? --no-renames --find-renames? --find-copies? --find-copies-harder --diff-filter: --pickaxe-all --pickaxe-regex --relative? --no-relative --text --ignore-space-at-eol --ignore-cr-at-eol --ignore-space-change --ignore-all-space --ignore-blank-lines --ignore-matching-lines: --inter-hunk-context: --function-context --exit-code --quiet --ext-diff=code --no-ext-diff --textconv=code --no-textconv --ignore-submodules? --submodule? --src-prefix: --dst-prefix: --no-prefix --default-prefix --minimal --patience --histogram --diff-algorithm: --anchored: --unified: --output:w=edit --output-indicator-new: --compact-summary --patch-with-stat --patch-with-raw --cumulative --irreversible-delete --break-rewrites? --line-prefix: --ita-invisible-in-index --ws-error-highlight: --indent-heuristic --no-indent-heuristic --cc -c -m --combined-all-paths --remerge-diff --diff-merges: --no-diff-merges --merge-base";
/** Options of all commands that walk the history. */
export const LOG =
  "-n: -g -i -E -F -P -L: -q --oneline --graph --all --branches? --tags? --remotes? --glob: --exclude: --decorate? --no-decorate --decorate-refs: --decorate-refs-exclude: --pretty? --format: --date: --relative-date --since: --after: --until: --before: --author: --committer: --grep: --grep-reflog: --all-match --invert-grep --regexp-ignore-case --extended-regexp --fixed-strings --perl-regexp --basic-regexp --merges --no-merges --min-parents: --max-parents: --first-parent --not --stdin --ancestry-path? --simplify-by-decoration --simplify-merges --full-history --sparse --dense --show-pulls --reverse --topo-order --date-order --author-date-order --follow --max-count: --skip: --walk-reflogs --left-right --left-only --right-only --cherry --cherry-mark --cherry-pick --boundary --source --parents --children --abbrev-commit --no-abbrev-commit --show-signature=code --log-size --mailmap --no-mailmap --use-mailmap --notes? --no-notes --show-notes? --encoding: --expand-tabs? --no-expand-tabs --count --objects --objects-edge --no-walk? --do-walk --reflog --single-worktree --ignore-missing --bisect --merge --since-as-filter: --remove-empty --in-commit-order --disk-usage? --filter: --missing: --timestamp --header --no-commit-header --commit-header --no-object-names --unpacked --progress: --use-bitmap-index --maximal-only";

/** Settings for one command (`-c`). Only those that change the look of the output are allowed. */
const HARMLESS_SETTING =
  /^(color\.[\w.]+|core\.(quotepath|pager|autocrlf|filemode|abbrev|whitespace|precomposeunicode|longpaths|ignorecase)|diff\.(renames|renamelimit|algorithm|context|noprefix|mnemonicprefix|colormoved|wserrorhighlight)|log\.(date|decorate|abbrevcommit)|pager\.\w+|status\.\w+|user\.(name|email)|advice\.\w+|init\.defaultbranch|pull\.(rebase|ff)|rebase\.(autostash|autosquash)|merge\.(conflictstyle|ff)|grep\.(linenumber|patterntype)|column\.\w+|commit\.gpgsign|tag\.gpgsign|safe\.directory|fetch\.prune|gc\.auto)=/i;

/** The effect of settings for one command. */
export function gitEffect(use: ProgramUse): Effect | null {
  for (const { name, value, isGlobal } of use.options) {
    if (name !== "-c" || value === null || !isGlobal) continue;
    if (!HARMLESS_SETTING.test(value.text)) return "code";
    // A pager is a program, but `cat` or an empty value disables paging.
    const equals = value.text.indexOf("=");
    const key = value.text.slice(0, equals).toLowerCase();
    const isPager = key === "core.pager" || key.startsWith("pager.");
    if (isPager && !["", "cat", "less", "true", "false"].includes(value.text.slice(equals + 1))) return "code";
  }
  return null;
}
