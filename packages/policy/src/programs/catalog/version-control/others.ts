import { defineProgram } from "../../define-program.ts";
import { has } from "../use.ts";

export const OTHER_VERSION_CONTROL = [
  // Stacks of branches, and other ways to look at a repository.
  defineProgram({
    names: "gt git-town git-absorb fossil sqitch",
    does: "change",
    isOpen: true,
    operands: "value",
    options: "-n --dry-run -h --help -q --quiet -v --verbose -W: -t: --target:",
    verbs: {
      "log ls state status timeline diff info finfo changes plan verify show": {
        does: "read",
        operands: "value",
        // A verb of its own, which asks the database.
        check: ({ name, verb }) => (name === "sqitch" && verb === "verify" ? "remote" : null),
      },
      "submit ship sync push ss deploy": { does: "publish", operands: "value" },
      "delete fold revert undo abort kill": { does: "destroy", operands: "value" },
    },
    check: (use) => (use.name === "git-absorb" && has(use, "-n", "--dry-run") ? "read" : null),
    runs: ["gt log short", "fossil status", "sqitch status", "git-absorb --dry-run"],
    asks: ["gt submit", "sqitch deploy", "sqitch revert", "fossil push", "git-absorb"],
  }),
  defineProgram({
    names: "hg svn jj sl",
    does: "change",
    isOpen: true,
    options: "--config:x --config-option:x --config-dir:c -R:c --repository:c --cwd:d --config-file:c --config-toml:x",
    verbs: {
      "status st diff log annotate blame cat id identify summary parents heads branches tags bookmarks paths root manifest files info list ls propget pg propget proplist help version show evolog":
        {
          does: "read",
          isOpen: true,
          operands: "value",
          options: "--extcmd:x --diff-cmd:x --diff3-cmd:x --editor-cmd:x --tool:x",
        },
      "op operation": {
        does: "change",
        operands: "value",
        verbs: { "log show diff": "read", "abandon restore revert undo": "destroy" },
      },
      "add describe new": "sync",
      "commit ci": {
        does: "sync",
        isOpen: true,
        operands: "value",
        // Subversion has one repository, shared by everyone.
        check: ({ name }) => (name === "svn" ? "publish" : null),
      },
      "push send git-push": "publish",
      // With addresses, Subversion does this in the repository itself.
      "copy cp mkdir move mv": {
        does: "change",
        operands: "value",
        check: ({ operands }) => (operands.some(({ text }) => text.includes("://")) ? "publish" : null),
      },
      "revert update up purge strip abandon restore": "destroy",
    },
    operands: "value",
    runs: ["hg status", "svn info", "jj log"],
    asks: [
      "hg push",
      "svn copy trunk https://svn.example.com/tags/1 -m x",
      "svn revert -R .",
      "jj op restore 1",
      "hg --config alias.x=!id status",
    ],
  }),
];
