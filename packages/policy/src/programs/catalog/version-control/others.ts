import { defineProgram } from "../../define-program.ts";

export const OTHER_VERSION_CONTROL = [
  defineProgram({
    names: "hg svn jj sl",
    does: "change",
    isOpen: true,
    options: "--config:x -R:c --repository:c --cwd:d --config-file:c --config-toml:x",
    verbs: {
      "status st diff log annotate blame cat id identify summary parents heads branches tags bookmarks paths root manifest files info list ls propget pg propget proplist help version show evolog":
        { does: "read", isOpen: true, operands: "value", options: "--extcmd:x --diff-cmd:x --tool:x" },
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
      "revert update up purge strip abandon restore": "destroy",
    },
    operands: "value",
    runs: ["hg status", "svn info", "jj log"],
    asks: ["hg push", "svn revert -R .", "jj op restore 1", "hg --config alias.x=!id status"],
  }),
];
