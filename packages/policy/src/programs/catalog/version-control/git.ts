import { defineProgram } from "../../define-program.ts";
import { LOOKING } from "./git-looking.ts";
import { MOVING } from "./git-moving.ts";
import { gitEffect } from "./git-options.ts";
import { UPKEEP } from "./git-upkeep.ts";

export const GIT = [
  defineProgram({
    names: "git",
    does: "read",
    takesNumbers: true,
    hasGlobalsFirst: true,
    options:
      "-C:d -c: -p -P --paginate --no-pager --no-replace-objects --bare --literal-pathspecs --glob-pathspecs --noglob-pathspecs --icase-pathspecs --no-optional-locks --no-lazy-fetch --no-advice --git-dir:c=code --work-tree:c=code --namespace: --exec-path?x --html-path --man-path --info-path --super-prefix: --config-env:x --list-cmds: --attr-source: -v",
    verbs: { ...LOOKING, ...MOVING, ...UPKEEP },
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
      "git -c core.pager='./x --a=cat' -p log",
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
];
