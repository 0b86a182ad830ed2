import type { Effect, VerbSpec } from "../../define-program.ts";
import { DIFF, gitEffect, LOG } from "./git-options.ts";

/** Read-only verbs of git. */
export const LOOKING: Readonly<Record<string, VerbSpec | Effect>> = {
  status: {
    does: "read",
    options:
      "-s -b -u? -z -v --short --branch --show-stash --porcelain? --long --verbose --untracked-files? --ignored? --ignore-submodules? --column? --no-column --ahead-behind --no-ahead-behind --renames --no-renames --find-renames?",
    check: gitEffect,
  },
  diff: {
    does: "read",
    options: `${DIFF} --cached --staged --no-index --base --ours --theirs -0 -1 -2 -3`,
    check: gitEffect,
  },
  "log show whatchanged reflog-show shortlog": {
    does: "read",
    options: `${LOG} ${DIFF} -e -s --summary --numbered --email --group: -w?`,
    operands: "value",
    check: gitEffect,
  },
  reflog: {
    does: "read",
    operands: "value",
    options: `${LOG} ${DIFF}`,
    verbs: {
      show: { does: "read", operands: "value" },
      list: "read",
      exists: "read",
      "expire delete drop": "destroy",
    },
    check: gitEffect,
  },
  "rev-list": { does: "read", options: `${LOG} ${DIFF}`, operands: "value" },
  "rev-parse": { does: "read", isHarmless: true, operands: "value" },
  "diff-tree diff-index diff-files diff-pairs": {
    does: "read",
    options: `${DIFF} ${LOG} --root --stdin --cached --no-commit-id -v --always`,
    operands: "value",
  },
  "ls-files ls-tree ls-remote": {
    does: "read",
    options:
      "-c -d -o -i -s -k -m -u -z -t -v -f -r -l -x: -X:r -h --cached --deleted --others --ignored --stage --unmerged --killed --modified --resolve-undo --directory --no-empty-directory --exclude: --exclude-from:r --exclude-per-directory: --exclude-standard --error-unmatch --with-tree: --full-name --recurse-submodules --abbrev? --debug --deduplicate --eol --sparse --format: --name-only --name-status --object-only --full-tree --long --heads --tags --refs --get-url --sort: --symref --exit-code --branches -q --quiet --upload-pack:x --exec:x -o:",
    operands: "value",
    check: (use) =>
      use.verb === "ls-remote" && use.operands.some(({ text }) => /[:/]/.test(text))
        ? "network"
        : use.verb === "ls-remote"
          ? "remote"
          : gitEffect(use),
  },
  "cat-file": {
    does: "read",
    isHarmless: true,
    operands: "value",
    options: "--textconv=code --filters=code -p -t -s -e --batch? --batch-check?",
  },
  "blame annotate": {
    does: "read",
    options: `-L: -l -t -S:r -p -e -f -n -s -w -b -c -M? -C? --root --show-stats --reverse: --first-parent --porcelain --line-porcelain --incremental --encoding: --contents:r --date: --ignore-rev: --ignore-revs-file:r --color-lines --color-by-age --score-debug --show-name --show-number --show-email --abbrev? --minimal --since:`,
    operands: "value",
    check: gitEffect,
  },
  grep: {
    does: "read",
    options:
      "-a -i -w -v -h -H -E -G -P -F -n -l -L -z -o -c -q -p -W -r -I -e: -f:r -A: -B: -C: -m: -O?x --cached --untracked --no-index --text --textconv=code --no-textconv --ignore-case --recurse-submodules --max-depth: --recursive --no-recursive --word-regexp --invert-match --full-name --extended-regexp --basic-regexp --perl-regexp --fixed-strings --line-number --column --files-with-matches --name-only --files-without-match --open-files-in-pager?x --null --only-matching --count --color? --no-color --break --heading --show-function --context: --after-context: --before-context: --function-context --max-count: --and --or --not --all-match --quiet --exclude-standard --no-exclude-standard --threads:",
    operands: "value",
    check: gitEffect,
  },
  "describe name-rev merge-base cherry show-ref show-branch for-each-ref count-objects check-ignore check-attr check-mailmap check-ref-format var version help range-diff verify-commit verify-tag verify-pack fsck get-tar-commit-id patch-id stripspace column merge-tree ls-refs fmt-merge-msg show-index last-modified":
    {
      does: "read",
      isHarmless: true,
      operands: "value",
      options: "-w=code --web=code --lost-found=change --write-tree --shell",
    },
  refs: {
    does: "change",
    operands: "value",
    verbs: {
      "list verify exists": { does: "read", isHarmless: true, operands: "value" },
      optimize: "change",
      migrate: "change",
    },
  },
  repo: {
    does: "change",
    operands: "value",
    verbs: { "info structure": { does: "read", isHarmless: true, operands: "value" } },
  },
  "hash-object": {
    does: "read",
    operands: "read",
    options: "-t: -w=change --stdin --stdin-paths --path: --no-filters --literally",
  },
};
