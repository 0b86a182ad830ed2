import type { Effect, VerbSpec } from "../../define-program.ts";
import { has } from "../use.ts";
import { DIFF, gitEffect, LOG } from "./git-options.ts";

/** Options of `git clean` that choose files. With a dry run, even `-f` deletes nothing. */
const CLEANS: ReadonlySet<string> = new Set("-n --dry-run -f --force -d -x -X -q --quiet -e --exclude".split(" "));

/** Verbs of git for patches, worktrees, maintenance and remotes. */
export const UPKEEP: Readonly<Record<string, VerbSpec | Effect>> = {
  bisect: {
    does: "change",
    operands: "value",
    verbs: {
      "start good bad old new skip terms": {
        does: "sync",
        operands: "value",
        options: "--term-new: --term-old: --no-checkout --first-parent",
      },
      log: "read",
      // They pass their options on to `git log`.
      "view visualize": { does: "read", operands: "value", options: `${LOG} ${DIFF}` },
      run: { does: "work", operands: "value", stopsAtOperand: true, wraps: { isOpaque: true } },
      "reset replay": "change",
    },
    check: gitEffect,
  },
  apply: {
    does: "change",
    options:
      "-p? -C: -R -v -q -3 -N --check --stat --numstat --summary --index --cached --3way --reverse --reject --recount --unidiff-zero --directory:d --exclude: --include: --whitespace: --ignore-whitespace --ignore-space-change --inaccurate-eof --verbose --quiet --unsafe-paths=destroy --allow-empty --intent-to-add --build-fake-ancestor:w",
    check: (use) => (has(use, "--check", "--stat", "--numstat", "--summary") && use.does !== "destroy" ? "read" : null),
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
      prune: {
        does: "destroy",
        options: "-n --dry-run -v --verbose --expire:",
        check: (use) => (has(use, "-n", "--dry-run") ? "read" : null),
      },
      remove: "destroy",
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
  "sparse-checkout": {
    does: "change",
    operands: "value",
    verbs: { list: "read", "set add reapply disable init check-rules": { does: "change", operands: "value" } },
  },
  lfs: {
    does: "change",
    operands: "value",
    verbs: {
      "status ls-files env locks track-list version help pointer": {
        does: "read",
        isHarmless: true,
        operands: "value",
      },
      logs: { does: "read", operands: "value", verbs: { "last show": "read", clear: "change" } },
      // With a pattern it changes what is tracked.
      track: { does: "change", operands: "value", check: ({ operands }) => (operands.length === 0 ? "read" : null) },
      // It moves broken objects away, unless it only looks at the pointers, or rehearses.
      fsck: {
        does: "change",
        operands: "value",
        options: "-d --dry-run -o --objects -p --pointers",
        check: (use) =>
          has(use, "-d", "--dry-run") || (has(use, "-p", "--pointers") && !has(use, "-o", "--objects")) ? "read" : null,
      },
      push: { does: "publish", operands: "value", isOpen: true },
      prune: { does: "destroy", operands: "value", isOpen: true },
    },
  },
  bundle: {
    does: "change",
    operands: "value",
    verbs: {
      "verify list-heads": { does: "read", operands: "value", options: "-q --quiet" },
      "create unbundle": "change",
    },
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
    options: "-q --quiet --short -d=destroy --delete=destroy -m: --recurse",
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
    options:
      "--template:x --upload-pack:x -u:x -c:x --config:x -b: --branch: --depth: -l -s -n -q -v -4 -6 -o: -j: --local --no-hardlinks --shared --reference:c --reference-if-able:c --dissociate --no-checkout --bare --mirror --origin: --revision: --shallow-since: --shallow-exclude: --single-branch --no-single-branch --tags --no-tags --recurse-submodules? --recursive --shallow-submodules --remote-submodules --separate-git-dir:w --jobs: --server-option: --filter: --also-filter-submodules --sparse --progress --no-progress --quiet --verbose --reject-shallow --no-reject-shallow --bundle-uri:h --ref-format: --ipv4 --ipv6",
  },
  "clean gc prune repack filter-branch filter-repo replace update-ref update-index read-tree checkout-index prune-packed pack-refs":
    {
      does: "destroy",
      isOpen: true,
      operands: "value",
      options:
        "-n -f -d -x -X -q --dry-run --force --quiet -e: --exclude: --tree-filter:x --index-filter:x --msg-filter:x --env-filter:x --commit-filter:x",
      check: (use) =>
        (use.verb === "clean" && use.options.every(({ name }) => CLEANS.has(name)) && has(use, "-n", "--dry-run")) ||
        (/^prune(?:-packed)?$/.test(use.verb) && has(use, "-n", "--dry-run"))
          ? "read"
          : null,
    },
  "mv am cherry-pick-abort subtree mergetool difftool request-pull fast-import fast-export web--browse cvsimport cvsexportcommit http-fetch upload-pack receive-pack upload-archive remote-ext shell interpret-trailers commit-tree mktree mktag mailsplit mailinfo merge-file merge-index merge-one-file unpack-objects index-pack pack-objects write-tree backfill scalar bugreport quiltimport gui citool gitk hook":
    { does: "code", isOpen: true, operands: "value" },
  // The last two hand out the repository to whoever can reach this machine.
  "send-email p4 svn imap-send http-push daemon instaweb": { does: "publish", isOpen: true, operands: "value" },
  "credential credential-store credential-cache": { does: "secret", isOpen: true, operands: "value" },
};
