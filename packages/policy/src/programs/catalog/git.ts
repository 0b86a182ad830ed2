import { defineProgram, type Effect, type ProgramUse } from "../define-program.ts";

const DIFF =
  "-p -u -s -R -a -b -w -z -W -B? -M? -C? -D -l: -O: -S: -G: -U: -I: -r -t --patch --no-patch --raw --stat? --numstat --shortstat --dirstat? --summary --name-only --name-status --check --full-index --binary --abbrev? --color? --no-color --word-diff? --word-diff-regex: --color-words? --color-moved? --no-renames --find-renames? --find-copies? --find-copies-harder --diff-filter: --pickaxe-all --pickaxe-regex --relative? --no-relative --text --ignore-space-at-eol --ignore-cr-at-eol --ignore-space-change --ignore-all-space --ignore-blank-lines --ignore-matching-lines: --inter-hunk-context: --function-context --exit-code --quiet --ext-diff=code --no-ext-diff --textconv=code --no-textconv --ignore-submodules? --submodule? --src-prefix: --dst-prefix: --no-prefix --default-prefix --minimal --patience --histogram --diff-algorithm: --anchored: --unified: --output:w=edit --output-indicator-new: --compact-summary --patch-with-stat --patch-with-raw --cumulative --irreversible-delete --break-rewrites? --line-prefix: --ita-invisible-in-index --ws-error-highlight: --indent-heuristic --no-indent-heuristic --cc -c -m --combined-all-paths --remerge-diff --diff-merges: --no-diff-merges --merge-base";
const LOG =
  "-n: -g -i -E -F -P -L: -q --oneline --graph --all --branches? --tags? --remotes? --glob: --exclude: --decorate? --no-decorate --decorate-refs: --decorate-refs-exclude: --pretty? --format: --date: --relative-date --since: --after: --until: --before: --author: --committer: --grep: --grep-reflog: --all-match --invert-grep --regexp-ignore-case --extended-regexp --fixed-strings --perl-regexp --basic-regexp --merges --no-merges --min-parents: --max-parents: --first-parent --not --stdin --ancestry-path? --simplify-by-decoration --simplify-merges --full-history --sparse --dense --show-pulls --reverse --topo-order --date-order --author-date-order --follow --max-count: --skip: --walk-reflogs --left-right --left-only --right-only --cherry --cherry-mark --cherry-pick --boundary --source --parents --children --abbrev-commit --no-abbrev-commit --show-signature=code --log-size --mailmap --no-mailmap --use-mailmap --notes? --no-notes --show-notes? --encoding: --expand-tabs? --no-expand-tabs --count --objects --objects-edge --no-walk? --do-walk --reflog --single-worktree --ignore-missing --bisect --merge --since-as-filter: --remove-empty --in-commit-order --disk-usage? --filter: --missing: --timestamp --header --no-commit-header --commit-header --no-object-names --unpacked --progress: --use-bitmap-index --maximal-only";

/** Settings that are given for one command. Only what changes the look of the output passes. */
const HARMLESS_SETTING =
  /^(color\.[\w.]+|core\.(quotepath|pager|autocrlf|filemode|abbrev|whitespace|precomposeunicode|longpaths|ignorecase)|diff\.(renames|renamelimit|algorithm|context|noprefix|mnemonicprefix|colormoved|wserrorhighlight)|log\.(date|decorate|abbrevcommit)|pager\.\w+|status\.\w+|user\.(name|email)|advice\.\w+|init\.defaultbranch|pull\.(rebase|ff)|rebase\.(autostash|autosquash)|merge\.(conflictstyle|ff)|grep\.(linenumber|patterntype)|column\.\w+|commit\.gpgsign|tag\.gpgsign|safe\.directory|fetch\.prune|gc\.auto)=/i;

function gitEffect(use: ProgramUse): Effect | null {
  for (const { name, value, isGlobal } of use.options) {
    if (name !== "-c" || value === null || !isGlobal) continue;
    if (!HARMLESS_SETTING.test(value.text)) return "code";
    // A pager is a program, but `cat` and nothing are how one goes without.
    if (/^(core\.pager|pager\.)/i.test(value.text) && !/=(cat|less|)$|=(false|true)$/i.test(value.text)) return "code";
  }
  return null;
}

const has = ({ options }: ProgramUse, ...names: readonly string[]) => options.some(({ name }) => names.includes(name));

const SWITCHES =
  "-q -t -l -m -p -d --quiet --progress --no-progress --track? --no-track --guess --no-guess --detach --merge --conflict: --ignore-other-worktrees --recurse-submodules? --no-recurse-submodules --orphan:=change -f=destroy --force=destroy --discard-changes=destroy";

export const GIT = [
  defineProgram({
    names: "git",
    does: "read",
    takesNumbers: true,
    hasGlobalsFirst: true,
    options:
      "-C:d -c: -p -P --paginate --no-pager --no-replace-objects --bare --literal-pathspecs --glob-pathspecs --noglob-pathspecs --icase-pathspecs --no-optional-locks --no-lazy-fetch --no-advice --git-dir:c=code --work-tree:c=code --namespace: --exec-path?x --html-path --man-path --info-path --super-prefix: --config-env:x --list-cmds: --attr-source: -v",
    verbs: {
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
      "diff-tree diff-index diff-files": {
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
      "describe name-rev merge-base cherry show-ref show-branch for-each-ref count-objects check-ignore check-attr check-mailmap check-ref-format var version help range-diff verify-commit verify-tag verify-pack fsck get-tar-commit-id patch-id stripspace column merge-tree ls-refs fmt-merge-msg":
        {
          does: "read",
          isHarmless: true,
          operands: "value",
          options: "-w=code --web=code --lost-found=change --write-tree --shell",
        },
      "hash-object": { does: "read", options: "-t: -w=change --stdin --stdin-paths --path: --no-filters --literally" },
      "add stage": {
        does: "sync",
        options:
          "-n -v -f -i -p -e -u -A -N -A --dry-run --verbose --force --interactive --patch --edit --update --all --no-ignore-removal --ignore-removal --intent-to-add --refresh --ignore-errors --ignore-missing --renormalize --chmod: --pathspec-from-file:r --pathspec-file-nul --sparse",
        check: gitEffect,
      },
      commit: {
        does: "sync",
        options:
          "-a -p -q -v -s -e -m: -F:r -C: -c: -t:c=code -z -u? -S? -o -i --all --patch --message: --file:r --author: --date: --amend --no-edit --edit --allow-empty --allow-empty-message --no-post-rewrite --signoff --no-signoff --quiet --verbose --dry-run --short --branch --porcelain --long --status --no-status --cleanup: --reuse-message: --reedit-message: --fixup: --squash: --reset-author --trailer: --template:c=code --gpg-sign? --no-gpg-sign --include --only --pathspec-from-file:r --untracked-files? -n=change --no-verify=change --interactive",
        // Without a message it opens an editor on the old one.
        check: (use) => {
          if (gitEffect(use) !== null) return "code";
          if (has(use, "--fixup", "--squash", "-n", "--no-verify") || use.does === "code")
            return use.does === "code" ? "code" : "change";
          return has(use, "--amend") && !has(use, "--no-edit", "-m", "--message", "-F", "--file", "-C")
            ? "change"
            : null;
        },
      },
      branch: {
        does: "sync",
        options:
          "-a -r -v -q -l -i -t --all --remotes --verbose --quiet --list --show-current --contains? --no-contains? --merged? --no-merged? --points-at: --sort: --column? --no-column --format: --color? --no-color --abbrev? --no-abbrev --ignore-case --track? --no-track --create-reflog --recurse-submodules -d=destroy -D=destroy --delete=destroy -m=change -M=change --move=change -c=change -C=change --copy=change -f=destroy --force=destroy -u:=change --set-upstream-to:=change --unset-upstream=change --edit-description=change --remote --omit-empty",
        operands: "value",
        check: gitEffect,
      },
      tag: {
        does: "sync",
        options:
          "-l -n? -a -s=change -u:=change -m: -F:r -i -v=read --list --annotate --message: --file:r --contains? --no-contains? --merged? --no-merged? --points-at? --sort: --format: --color? --column? --create-reflog --cleanup: --edit --no-sign --ignore-case -e -d=destroy --delete=destroy -f=destroy --force=destroy --sign=change --verify=read --local-user:=change",
        operands: "value",
        check: gitEffect,
      },
      remote: {
        does: "read",
        options: "-v --verbose",
        verbs: {
          show: {
            does: "remote",
            options: "-n",
            operands: "value",
            check: ({ operands }) => (operands.some(({ text }) => /[:/]/.test(text)) ? "network" : null),
          },
          "get-url": { does: "read", options: "--push --all", operands: "value" },
          "remove rm prune": "destroy",
          "add rename set-url set-head set-branches update": "change",
        },
      },
      config: {
        does: "change",
        options:
          "-l=read --list=read --get=read --get-all=read --get-regexp=read --get-urlmatch=read --get-color=read --get-colorbool=read --global --system --local --worktree -f:r --file:r --blob: --type: --bool --int --bool-or-int --path --expiry-date -z --null --name-only --show-origin --show-scope --includes --no-includes --default: --value: --fixed-value --regexp --all -e=change --edit=change --unset=change --unset-all=change --add=change --replace-all=change --rename-section=change --remove-section=change",
        operands: "value",
        verbs: {
          "get list": { does: "read", operands: "value" },
          "set unset edit rename-section remove-section": { does: "change", operands: "value" },
        },
        check: (use) => {
          const { options, operands } = use;
          if (gitEffect(use) !== null) return "code";
          if (options.some(({ does }) => does === "change")) return "change";
          if (options.some(({ does }) => does === "read")) return "read";
          return operands.length === 1 && options.every(({ does }) => does === null) ? "read" : "change";
        },
      },
      stash: {
        does: "sync",
        operands: "value",
        options:
          "-u -a -k -p -q -m: -S --include-untracked --all --keep-index --no-keep-index --patch --quiet --message: --staged --index --pathspec-from-file:r",
        verbs: {
          list: { does: "read", options: `${LOG} ${DIFF}`, operands: "value" },
          show: { does: "read", options: `${DIFF} -u --include-untracked --only-untracked`, operands: "value" },
          "push save pop": { does: "sync", operands: "value" },
          apply: { does: "change", operands: "value" },
          "drop clear": "destroy",
          "branch create store": "change",
        },
        check: gitEffect,
      },
      checkout: {
        does: "sync",
        options: `${SWITCHES} -b: -B:=destroy -2 -3 --ours=destroy --theirs=destroy --overlay --no-overlay --pathspec-from-file:r=destroy --patch=change`,
        operands: "value",
        // A name may be a branch or a file, and a file loses its changes: only names that can hardly be files pass.
        check: (use) => {
          if (gitEffect(use) !== null) return "code";
          if (has(use, "-b", "--track", "-t", "--detach", "-d")) return null;
          const [name] = use.operands;
          if (use.operands.length !== 1 || name === undefined) return use.operands.length === 0 ? null : "destroy";
          return /^(main|master|develop|dev|trunk|staging|production|release|-)$|^[\w-]+\/[\w./-]+$|^[\w]+(-[\w]+)+$|^v\d|^[0-9a-f]{7,40}$|^HEAD([~^]\d*)*$/.test(
            name.text,
          ) && !/\.(\w{1,4})$/.test(name.text)
            ? null
            : "destroy";
        },
      },
      switch: {
        does: "sync",
        options: `${SWITCHES} -c: --create: -C:=destroy --force-create:=destroy`,
        operands: "value",
        check: gitEffect,
      },
      fetch: {
        does: "sync",
        options:
          "-a -p -P -t -n -q -v -j: -o: -4 -6 --all --append --depth: --deepen: --shallow-since: --shallow-exclude: --unshallow --update-shallow --prune --prune-tags --no-tags --tags --dry-run --quiet --verbose --progress --jobs: --multiple --no-recurse-submodules --recurse-submodules? --auto-maintenance --no-auto-maintenance --atomic --porcelain --ipv4 --ipv6 --show-forced-updates --no-show-forced-updates --negotiation-tip: --set-upstream --no-write-fetch-head --upload-pack:x --server-option: --filter: --refmap: --stdin -k --keep -f=change --force=change -u=change --update-head-ok=change",
        operands: "value",
        check: (use) =>
          gitEffect(use) ?? (use.operands.some(({ text }, at) => at === 0 && /[:/]/.test(text)) ? "network" : null),
      },
      pull: {
        does: "change",
        options:
          "-q -v -n --quiet --verbose --ff-only --ff --no-ff --rebase? -r --no-rebase --autostash --no-autostash --commit --no-commit --no-edit --edit -e --stat --no-stat --squash --log? --signoff --tags --no-tags --prune -p --depth: --all --no-verify --allow-unrelated-histories -s: -X: --strategy: --upload-pack:x --progress --recurse-submodules? --jobs: -f=change --force=change",
        operands: "value",
        check: (use) => {
          if (gitEffect(use) !== null) return "code";
          if (use.operands.some(({ text }, at) => at === 0 && /[:/]/.test(text))) return "network";
          return has(use, "--ff-only", "--rebase", "-r") && !has(use, "-f", "--force") ? "sync" : "change";
        },
      },
      rebase: {
        does: "sync",
        options:
          "-q -v -n -m -i=change -x:x --exec:x --interactive=change --onto: --keep-base --root --autostash --no-autostash --autosquash --no-autosquash --rebase-merges? --no-rebase-merges --fork-point --no-fork-point --update-refs --no-update-refs --continue=change --skip=change --abort=change --quit=change --edit-todo=change --show-current-patch --apply --merge --stat --no-stat --no-verify=change --verify -s: -X: --strategy: --strategy-option: --reapply-cherry-picks --no-ff --force-rebase -f --committer-date-is-author-date --reset-author-date --signoff --keep-empty --no-keep-empty --empty: --reschedule-failed-exec --quiet --verbose",
        operands: "value",
        check: gitEffect,
      },
      "cherry-pick revert": {
        does: "sync",
        options:
          "-e -x -n -s -m: -X: -S? --edit --no-edit --no-commit --signoff --mainline: --ff --allow-empty --allow-empty-message --keep-redundant-commits --strategy: --strategy-option: --cleanup: --reference --continue=change --abort=change --skip=change --quit=change",
        operands: "value",
        // Without --no-edit a revert opens an editor.
        check: (use) =>
          gitEffect(use) ?? (use.verb === "revert" && !has(use, "--no-edit", "-n", "--no-commit") ? "change" : null),
      },
      merge: {
        does: "sync",
        options:
          "-n -m: -F:r -s: -X: -q -v -e -S? --stat --no-stat --squash --no-squash --commit --no-commit --ff --no-ff --ff-only --edit --no-edit --log? --signoff --message: --file:r --strategy: --strategy-option: --allow-unrelated-histories --autostash --no-autostash --quiet --verbose --into-name: --no-verify=change --verify-signatures --abort=change --continue=change --quit=change",
        operands: "value",
        check: gitEffect,
      },
      restore: {
        does: "destroy",
        options:
          "-S --staged -W=destroy --worktree=destroy -s: --source: -q --quiet --progress -p --patch --ours --theirs -m --merge --conflict: --overlay --no-overlay --pathspec-from-file:r",
        operands: "value",
        check: (use) => (has(use, "--staged", "-S") && !has(use, "-W", "--worktree") ? "sync" : "destroy"),
      },
      reset: {
        does: "change",
        options:
          "-q -N -p --soft --mixed --hard=destroy --merge=destroy --keep=destroy --quiet --no-quiet --refresh --no-refresh --intent-to-add --patch --pathspec-from-file:r",
        operands: "value",
        check: (use) => (use.does === "destroy" ? "destroy" : has(use, "--soft") ? "sync" : "change"),
      },
      rm: {
        does: "destroy",
        options: "-f -n -r -q --force --dry-run --cached --ignore-unmatch --quiet --sparse --pathspec-from-file:r",
        operands: "value",
        check: (use) => (has(use, "--cached") ? "sync" : has(use, "-n", "--dry-run") ? "read" : "destroy"),
      },
      bisect: {
        does: "change",
        operands: "value",
        verbs: {
          "start good bad old new skip terms": {
            does: "sync",
            operands: "value",
            options: "--term-new: --term-old: --no-checkout --first-parent",
          },
          "log view visualize": "read",
          run: { does: "work", operands: "value", stopsAtOperand: true, wraps: { isOpaque: true } },
          "reset replay": "change",
        },
        check: gitEffect,
      },
      apply: {
        does: "change",
        options:
          "-p? -C: -R -v -q -3 -N --check --stat --numstat --summary --index --cached --3way --reverse --reject --recount --unidiff-zero --directory:d --exclude: --include: --whitespace: --ignore-whitespace --ignore-space-change --inaccurate-eof --verbose --quiet --unsafe-paths=destroy --allow-empty --intent-to-add --build-fake-ancestor:w",
        check: (use) =>
          has(use, "--check", "--stat", "--numstat", "--summary") && use.does !== "destroy" ? "read" : null,
      },
      "format-patch": {
        does: "edit",
        options: `${DIFF} -n -N -k -o:w -q -v: --output-directory:w --stdout --numbered --no-numbered --start-number: --subject-prefix: --rfc? --cover-letter --to: --cc: --from? --in-reply-to: --signoff --signature: --no-signature --suffix: --zero-commit --base: --reroll-count: --root --keep-subject --thread? --attach --inline --always --interdiff: --range-diff:`,
        operands: "value",
      },
      archive: {
        does: "read",
        options:
          "-v -l -o:w=edit -0 -1 -2 -3 -4 -5 -6 -7 -8 -9 --format: --list --prefix: --add-file:r --worktree-attributes --output:w=edit --verbose --remote:h --exec:x --mtime:",
        operands: "value",
      },
      notes: {
        does: "change",
        operands: "value",
        options: "--ref:",
        verbs: {
          "list show get-ref": { does: "read", operands: "value" },
          "add append copy edit merge remove prune": "change",
        },
        check: (use) => (use.verb === "notes" && use.operands.length === 0 ? "read" : null),
      },
      worktree: {
        does: "change",
        operands: "value",
        verbs: {
          list: { does: "read", options: "--porcelain -v -z" },
          "add lock unlock move repair": "change",
          "remove prune": "destroy",
        },
      },
      submodule: {
        does: "change",
        operands: "value",
        options: "--quiet -q",
        verbs: {
          "status summary": { does: "read", operands: "value", options: "--cached --recursive --files -n:" },
          foreach: { does: "code", operands: "value", stopsAtOperand: true, wraps: { joins: true, isOpaque: true } },
          "add init update sync deinit set-url set-branch absorbgitdirs": "change",
        },
        check: (use) => (use.verb === "submodule" && use.operands.length === 0 ? "read" : null),
      },
      lfs: {
        does: "change",
        operands: "value",
        verbs: {
          "status ls-files env locks track-list version": { does: "read", isHarmless: true, operands: "value" },
        },
      },
      bundle: {
        does: "change",
        operands: "value",
        verbs: { "verify list-heads": { does: "read", operands: "value" }, "create unbundle": "change" },
      },
      rerere: {
        does: "change",
        verbs: { "status diff remaining": { does: "read", operands: "value" }, "clear forget gc": "change" },
        operands: "value",
      },
      maintenance: { does: "change", operands: "value" },
      flow: { does: "change", operands: "value" },
      init: {
        does: "sync",
        options:
          "-q -b: --quiet --bare=change --initial-branch: --shared?=change --template:c=code --separate-git-dir:w=change --object-format:",
        operands: "write",
      },
      "symbolic-ref": {
        does: "change",
        options: "-q --quiet --short -d=change -m: --recurse",
        operands: "value",
        check: ({ operands, does }) => (operands.length === 1 && does !== "destroy" ? "read" : null),
      },
      push: {
        does: "publish",
        isOpen: true,
        operands: "value",
        options: "--receive-pack:x --exec:x -u -n --dry-run",
        check: (use) => (has(use, "--receive-pack", "--exec") ? "code" : null),
      },
      clone: {
        does: "network",
        isOpen: true,
        operands: "value",
        options: "--template:x --upload-pack:x -u:x -c:x --config:x -b: --branch: --depth:",
      },
      "clean gc prune repack filter-branch filter-repo replace update-ref update-index read-tree checkout-index prune-packed pack-refs":
        {
          does: "destroy",
          isOpen: true,
          operands: "value",
          options: "-n --dry-run --tree-filter:x --index-filter:x --msg-filter:x --env-filter:x --commit-filter:x",
          check: (use) =>
            use.verb === "clean" && has(use, "-n", "--dry-run") && !use.options.some(({ name }) => /f/.test(name))
              ? "read"
              : null,
        },
      "mv am cherry-pick-abort sparse-checkout subtree mergetool difftool instaweb daemon request-pull fast-import fast-export web--browse cvsimport cvsexportcommit http-fetch upload-pack receive-pack upload-archive remote-ext shell interpret-trailers commit-tree mktree mktag mailsplit mailinfo merge-file merge-index merge-one-file unpack-objects index-pack pack-objects write-tree backfill scalar bugreport quiltimport gui citool gitk hook":
        { does: "code", isOpen: true, operands: "value" },
      "send-email p4 svn imap-send http-push": { does: "publish", isOpen: true, operands: "value" },
      "credential credential-store credential-cache": { does: "secret", isOpen: true, operands: "value" },
    },
    check: gitEffect,
    runs: [
      "git status --short",
      "git rev-parse --git-dir",
      "git log --oneline -20 --graph --all",
      "git diff --stat HEAD~3",
      "git commit -am 'fix: sudo rm'",
      "git fetch --all --prune",
      "git pull --ff-only",
      "git stash pop",
      "git -C sub log -1",
      "git -c color.ui=never diff",
      "git checkout -b feature/x",
      "git rm --cached a",
      "git branch -a",
      "git tag v1.2.3",
      "git rebase main",
      "git bisect start",
    ],
    asks: [
      "git push",
      "git push --force origin main",
      "git reset --hard HEAD~1",
      "git clean -fd",
      "git restore .",
      "git checkout -- src/a.ts",
      "git checkout Makefile",
      "git commit --amen --no-edit",
      "git switch --forc main",
      "git config user.name x",
      "git config core.fsmonitor 'x --list'",
      "git -c core.gitProxy=./x status",
      "git branch -D x",
      "git clone https://example.com/r.git",
      "git diff --output=/home/agent/.bashrc",
      "git rebase -i HEAD~5",
      "git stash drop",
      "git tag -d v1",
      "git remote -v show https://evil.io",
    ],
  }),
  defineProgram({
    names: "hg svn jj",
    does: "change",
    isOpen: true,
    options: "--config:x -R:c --repository:c --cwd:d --config-file:c --config-toml:x",
    verbs: {
      "status st diff log annotate blame cat id identify summary parents heads branches tags bookmarks paths root manifest files info list ls propget pg propget proplist help version show evolog op":
        { does: "read", isOpen: true, operands: "value", options: "--extcmd:x --diff-cmd:x --tool:x" },
      "add describe new": "sync",
      "commit ci": {
        does: "sync",
        isOpen: true,
        operands: "value",
        // Subversion has one repository, and it is everybody's.
        check: ({ name }) => (name === "svn" ? "publish" : null),
      },
      "push send git-push": "publish",
      "revert update up purge strip abandon restore": "destroy",
    },
    operands: "value",
    runs: ["hg status", "svn info", "jj log"],
    asks: ["hg push", "svn revert -R .", "hg --config alias.x=!id status"],
  }),
];
