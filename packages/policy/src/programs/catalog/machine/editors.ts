import { isHarmlessInVim } from "../../code/scripts/vim-commands.ts";
import { defineProgram, type ProgramUse } from "../../define-program.ts";
import { has, valuesOf } from "../use.ts";

/** Without a window, with commands that end it. */
function vimIsScripted(use: ProgramUse): boolean {
  const commands = [...valuesOf(use, "-c", "--cmd"), ...plusCommands(use)];
  return has(use, "--headless", "-es", "-E", "-e") && commands.length > 0 && commands.every(isHarmlessInVim);
}

const plusCommands = ({ operands }: ProgramUse): string[] =>
  operands.filter(({ text }) => text.startsWith("+")).map(({ text }) => text.slice(1));

/** Functions of Emacs that compile, check or test the files that they are given, and end it. */
const EMACS_HARMLESS =
  /^(?:ert-run-tests-batch(?:-and-exit)?|batch-byte-compile(?:-if-not-done)?|batch-native-compile|buttercup-run(?:-discover)?|package-lint-batch-and-exit|checkdoc-file|elint-current-buffer|kill-emacs)$/;

/** Editors in batch mode. With a window they wait for keys. */
export const EDITORS = [
  defineProgram({
    names: "nvim vim vi",
    does: "code",
    hasSingleDashLong: true,
    options:
      "--headless -es -e -E -s -n -R -u:c -i: -c: --cmd: --clean --noplugin -N -V? --version -h --help --startuptime:w -l:c",
    operands: "write",
    check: (use) => {
      if (has(use, "--version", "-h", "--help")) return "read";
      return vimIsScripted(use) ? "work" : null;
    },
    runs: [
      "nvim --headless -u ./init.lua +qa",
      'nvim --headless -c "PlenaryBustedDirectory tests/" -c qa',
      "nvim --version",
    ],
    asks: [
      "vim a.txt",
      "nvim --headless -c '!ls' -c qa",
      "nvim --headless -c 'lua os.execute(\"ls\")' -c qa",
      "nvim --headless -u /tmp/x.lua +qa",
      "vim -es -c 'w! /home/agent/.bashrc' -c q a.txt",
    ],
  }),
  defineProgram({
    names: "emacs emacs-nox",
    does: "code",
    options:
      "-Q -q --batch --quick --no-init-file --no-site-file -L:c --directory:c -l:c --load:c -f: --funcall: --eval:x -nw --version --script:c -batch",
    operands: "read",
    check: (use) => {
      if (has(use, "--version")) return "read";
      const called = valuesOf(use, "-f", "--funcall");
      const isDone = called.length > 0 && called.every((name) => EMACS_HARMLESS.test(name));
      return has(use, "--batch", "-batch") && isDone ? "work" : null;
    },
    runs: [
      "emacs -Q --batch -L . -l ert -l test/foo-test.el -f ert-run-tests-batch-and-exit",
      "emacs --batch -Q -f batch-byte-compile foo.el",
    ],
    asks: [
      "emacs a.txt",
      "emacs --batch --eval '(shell-command \"ls\")'",
      "emacs --batch -f shell",
      "emacs --batch -f batch-byte-compile /tmp/x.el",
      "emacs -Q --batch -l /tmp/x.el -f ert-run-tests-batch-and-exit",
    ],
  }),
  defineProgram({
    names: "eask cask eldev",
    does: "change",
    isOpen: true,
    options: "-g --global -a --all -q --quick -f --force --allow-error",
    operands: "value",
    verbs: {
      "lint compile test analyze info list keywords status build files path load-path package-directory": {
        does: "work",
        operands: "value",
      },
      exec: { does: "work", operands: "value", stopsAtOperand: true, wraps: { isOpaque: true } },
      "install install-deps update upgrade uninstall reinstall": { does: "install", operands: "value" },
      "eval emacs": { does: "code", operands: "value" },
    },
    runs: ["eask lint package", "eask test ert test/a.el", "cask exec ert-runner", "cask build"],
    asks: ["eask install", "cask exec rm x", "eask eval '(x)'", "cask upgrade"],
  }),
  defineProgram({
    names: "ert-runner",
    does: "work",
    isOpen: true,
    options: "-l:c --load:c -p: -t: -L:c --script",
    operands: "read",
    runs: ["ert-runner test"],
    asks: ["ert-runner -l /tmp/x.el", "ert-runner /tmp/x.el"],
  }),
];
