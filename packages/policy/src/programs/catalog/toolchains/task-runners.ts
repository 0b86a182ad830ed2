import { defineProgram } from "../../define-program.ts";
import { valuesOf } from "../use.ts";

export const TASK_RUNNERS = [
  defineProgram({
    names: "just task mage earthly hivemind process-compose",
    does: "work",
    namesScript: true,
    isOpen: true,
    options:
      "-f:c --justfile:c --taskfile:c -t:c -d:d --working-directory:d --dir:d --shell:x --shell-arg:x --shell-command=code -c=code --command=code -p: -l --list --summary --dry-run -n --show: -e=change --edit=change --choose=code --set: --evaluate --dotenv-path:c -E:c",
    operands: "value",
    check: ({ operands, options }) => {
      if (options.some(({ name }) => /^(-c|--command|--shell-command)$/.test(name))) return "code";
      // `earthly github.com/org/x+target` builds a repository of another machine.
      if (operands.some(({ text }) => /^[\w-]+(?:\.[\w-]+)*\.[a-z]{2,}\/.*\+/.test(text))) return "code";
      return operands.some(({ text }) => /^(install|publish|deploy|release|push|upload)([-_:].*)?$/.test(text))
        ? operands.some(({ text }) => text.startsWith("install"))
          ? "change"
          : "publish"
        : null;
    },
    runs: ["just test", "just fix -p codex-core", "task build", "just --list"],
    asks: ["just --shell ./x test", "just deploy", "just -f /tmp/justfile x"],
  }),
  // They start the processes of the project, or one command with the variables of its `.env`.
  defineProgram({
    names: "foreman overmind honcho",
    does: "work",
    isOpen: true,
    options: "-f:c -e:r -p: -d:d -c: -m: -s: -l: --procfile:c --env:r --root:d --port: --formation: --concurrency:",
    operands: "value",
    verbs: {
      "start s check": { does: "work", operands: "value" },
      "run exec": { does: "work", operands: "value", stopsAtOperand: true, wraps: {} },
      "stop quit kill restart": { does: "change", operands: "value" },
      export: { does: "change", operands: "value" },
    },
    runs: ["foreman start", "overmind start -l web", "honcho run npm test"],
    asks: ["foreman run env", "honcho run rm x", "foreman start -f /tmp/Procfile", "overmind run git push"],
  }),
  defineProgram({
    names: "lefthook husky-run overcommit act",
    does: "change",
    isOpen: true,
    options: "-l -n -j: -W:c --list --dryrun --all-files --files: --commands:",
    operands: "value",
    verbs: {
      "run validate dump version list check-install": { does: "work", operands: "value" },
      "install add uninstall": { does: "install", operands: "value" },
    },
    check: ({ name, options }) =>
      name === "act" && options.some(({ name: option }) => /^(-l|-n|--list|--dryrun)$/.test(option)) ? "read" : null,
    runs: ["lefthook run pre-commit", "act -l", "act -n"],
    asks: ["lefthook install", "act push"],
  }),
  defineProgram({
    names: "dagger",
    does: "publish",
    isOpen: true,
    options: "-m:c --mod:c -q -v -s --progress: --silent --debug",
    operands: "value",
    verbs: {
      "version functions config": { does: "read", operands: "value" },
      // A function of the project's module, which its name describes.
      call: {
        does: "work",
        operands: "value",
        isOpen: true,
        namesScript: true,
        check: (use) =>
          valuesOf(use, "-m", "--mod").some((module) => !/^\.{0,2}(?:\/|$)/.test(module)) ? "install" : null,
      },
      develop: { does: "work", operands: "value" },
      "init install": { does: "install", operands: "value" },
      run: { does: "work", operands: "value", stopsAtOperand: true, wraps: { isOpaque: true } },
    },
    runs: ["dagger functions", "dagger call test --source .", "dagger run npm test"],
    asks: [
      "dagger run kubectl delete ns x",
      "dagger call publish",
      "dagger login",
      "dagger call -m github.com/x/y test",
    ],
  }),
];
