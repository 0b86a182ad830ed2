import { defineProgram } from "../../define-program.ts";
import { has, valuesOf } from "../use.ts";

export const ENVIRONMENTS = [
  defineProgram({
    names: "poetry pipenv pdm rye hatch conda mamba micromamba pixi",
    does: "install",
    isOpen: true,
    options: "-C:d --directory:d -P:d --project:d -n: --name: -p:c --prefix:c",
    operands: "value",
    verbs: {
      "install sync": {
        does: "restore",
        operands: "value",
        check: (use) =>
          use.operands.length === 0 && !has(use, "-n", "--name", "-p", "--prefix") ? "restore" : "install",
      },
      "show check version list info graph verify --venv --where about search which outdated": {
        does: "read",
        operands: "value",
      },
      "activate deactivate shell.bash shell.zsh shell.posix": { does: "read", operands: "value" },
      env: {
        does: "change",
        operands: "value",
        verbs: {
          "list info show find": "read",
          // It prints the list of packages, unless it is given a file.
          export: {
            does: "read",
            operands: "value",
            options: "-n: --name: -f:w=edit --file:w=edit --no-builds --from-history --json -p:c --prefix:c",
          },
          "use remove create update": "change",
        },
      },
      config: {
        does: "change",
        operands: "value",
        // The files that it prints may hold addresses with a token.
        check: (use) => {
          if (has(use, "--show-sources")) return "secret";
          return has(use, "--list", "--show") && use.operands.length === 0 ? "read" : "change";
        },
      },
      run: {
        does: "work",
        operands: "value",
        options: "-e: --environment: --frozen --locked --manifest-path:c",
        stopsAtOperand: true,
        wraps: { isOpaque: true },
      },
      "build test fmt lint format status dep": {
        does: "work",
        operands: "value",
        // `conda build` uploads what it has built.
        check: (use) => (has(use, "--token", "--user", "--upload") ? "publish" : null),
      },
      lock: "restore",
      "add remove update upgrade uninstall create init new self cache shell import source clean": {
        does: "install",
        operands: "value",
      },
      publish: "publish",
    },
    check: (use) => (use.verb === "" && use.operands.length === 0 ? "read" : null),
    runs: [
      "hatch run test",
      "pdm run lint",
      "poetry install",
      "poetry run pytest",
      "pipenv install --dev",
      "poetry show --tree",
      "conda list",
      "mamba env export --no-builds",
      "pixi run -e dev pytest",
      'eval "$(conda shell.bash hook)" && conda activate dev',
    ],
    asks: [
      "hatch run -- rm x",
      "pixi run -e dev rm x",
      "conda env export -f ~/x.yml",
      "hatch publish",
      "conda build --token x .",
      "pdm run deploy",
      "poetry add x",
      "poetry config http-basic.x --list",
      "poetry publish",
      "conda remove --all",
      "conda install numpy",
      "pipenv install requests",
    ],
  }),
  defineProgram({
    names: "twine flit",
    does: "publish",
    isOpen: true,
    operands: "value",
    verbs: {
      "check build": { does: "work", operands: "read" },
      "upload register publish install init": { does: "publish", operands: "value" },
    },
    runs: ["twine check dist/*"],
    asks: ["twine upload dist/*"],
  }),
  defineProgram({
    names: "virtualenv",
    does: "work",
    isOpen: true,
    options: "-p: --python: --app-data:w",
    operands: "folder",
    // A version is looked up among the installed ones; a path would be run.
    check: (use) =>
      valuesOf(use, "-p", "--python").some((text) => !/^(?:c?python|pypy)?[\d.]*$/.test(text)) ? "code" : null,
    runs: ["virtualenv .venv", "virtualenv -p python3.11 .venv"],
    asks: ["virtualenv ~/.venv", "virtualenv -p ./x .venv"],
  }),
];
