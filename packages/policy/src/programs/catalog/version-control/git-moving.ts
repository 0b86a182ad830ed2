import type { Effect, VerbSpec } from "../../define-program.ts";
import { namesSecretField } from "../../names/secret-words.ts";
import { has } from "../use.ts";
import { DIFF, gitEffect, LOG } from "./git-options.ts";

const SWITCHES =
  "-q -t -l -m -p -d --quiet --progress --no-progress --track? --no-track --guess --no-guess --detach --merge --conflict: --ignore-other-worktrees --recurse-submodules? --no-recurse-submodules --orphan:=change -f=destroy --force=destroy --discard-changes=destroy";

/** Last parts of setting names that hold a password or a token. */
const SECRET_KEYS: ReadonlySet<string> = new Set(
  "extraheader password token smtppass cookiefile oauthtoken".split(" "),
);

/** `--get-regexp 'http.*extraheader'` */
const endsLikeSecret = (pattern: string) => [...SECRET_KEYS].some((key) => pattern.toLowerCase().includes(key));

/** Verbs of git that record work, switch between commits, or combine them. */
export const MOVING: Readonly<Record<string, VerbSpec | Effect>> = {
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
    // Without a message it opens an editor on the previous one.
    check: (use) => {
      if (gitEffect(use) !== null) return "code";
      // `--fixup HEAD~1` takes its message from that commit; `--fixup=amend:…` and `--squash` open an editor.
      const takesMessage = use.options.some(({ name, value }) => name === "--fixup" && !value?.text.includes(":"));
      const opensEditor = has(use, "--fixup", "--squash") && !takesMessage && !has(use, "-m", "--message");
      if (opensEditor || has(use, "-n", "--no-verify") || use.does === "code")
        return use.does === "code" ? "code" : "change";
      return has(use, "--amend") && !has(use, "--no-edit", "-m", "--message", "-F", "--file", "-C") ? "change" : null;
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
      prune: {
        does: "destroy",
        operands: "value",
        options: "-n --dry-run",
        check: (use) => (has(use, "-n", "--dry-run") ? "remote" : null),
      },
      "remove rm": "destroy",
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
      const { options, operands, verb } = use;
      if (gitEffect(use) !== null) return "code";
      if (operands.some(({ text }) => SECRET_KEYS.has(text.slice(text.lastIndexOf(".") + 1).toLowerCase())))
        return "secret";
      const isPattern = has(use, "--get-regexp", "--regexp");
      if (isPattern && operands.some(({ text }) => namesSecretField(text) || endsLikeSecret(text))) return "secret";
      if (options.some(({ does }) => does === "change")) return "change";
      if (options.some(({ does }) => does === "read")) return "read";
      // With a verb, a single name may be that of a setting to remove.
      if (verb !== "config") return verb === "config get" || verb === "config list" ? "read" : "change";
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
    // The word may be a branch or a file, and a file would lose its changes. Only words that are unlikely to be files
    // are allowed.
    check: (use) => {
      if (gitEffect(use) !== null) return "code";
      if (has(use, "-b", "--track", "-t", "--detach", "-d")) return null;
      const [name] = use.operands;
      // `-p` shows the changes one by one and discards them.
      if (has(use, "-p", "--patch")) return "destroy";
      if (use.operands.length !== 1 || name === undefined) return use.operands.length === 0 ? null : "destroy";
      return /^(main|master|develop|dev|trunk|staging|production|release|-)$|^[\w-]+\/[\w./-]+$|^[\w]+(-[\w]+)+$|^v\d|^[0-9a-f]{7,40}$|^HEAD([~^]\d*)*$/.test(
        name.text,
      ) && !/\.([a-z]\w{0,3})$/.test(name.text)
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
      "-a -p -P=destroy -t -n -q -v -j: -o: -4 -6 --all --append --depth: --deepen: --shallow-since: --shallow-exclude: --unshallow --update-shallow --prune --prune-tags=destroy --no-tags --tags --dry-run --quiet --verbose --progress --jobs: --multiple --no-recurse-submodules --recurse-submodules? --auto-maintenance --no-auto-maintenance --atomic --porcelain --ipv4 --ipv6 --show-forced-updates --no-show-forced-updates --negotiation-tip: --set-upstream --no-write-fetch-head --upload-pack:x --server-option: --filter: --refmap: --stdin -k --keep -f=change --force=change -u=change --update-head-ok=change",
    operands: "value",
    check: (use) => {
      // `+a:refs/heads/b` replaces a branch of this repository, and the commits that only it has.
      if (use.operands.some(({ text }) => /^\+[^:]*:(?!refs\/remotes\/|$)/.test(text))) return "destroy";
      if (gitEffect(use) !== null) return "code";
      return use.operands.some(({ text }, at) => at === 0 && /[:/]/.test(text)) ? "network" : null;
    },
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
};
