import { defineProgram } from "../../define-program.ts";
import { has } from "../use.ts";

/** What is downloaded may be any tool, and what it is told to do is judged as that tool. */
const RUNS_PACKAGE = { isOpaque: true, takesPackage: true } as const;
const TOOL_OPTIONS =
  "--from: --with: --spec: --python:c -p:c --index-url:h --pip-args: --env-file:c -q -v --isolated --no-cache";

export const UV = [
  defineProgram({
    names: "uv",
    does: "read",
    options:
      "-q -v --quiet --verbose --offline --no-cache -n --cache-dir:c --directory:d --project:d --config-file:c --no-config --color: --native-tls --no-progress --python-preference: --allow-insecure-host:h",
    verbs: {
      sync: {
        does: "restore",
        options:
          "--frozen --locked --all-extras --extra: --group: --dev --no-dev --only-dev --only-group: --no-install-project --inexact --all-groups --all-packages --package: -p:c --python:c --active --upgrade=install -U=install --index-url:h --default-index:h --reinstall --dry-run --check",
      },
      lock: {
        does: "restore",
        options:
          "--check --locked --dry-run --upgrade=install -U=install -P:=install --upgrade-package:=install --index-url:h --check-exists --frozen",
      },
      tree: { does: "read", isOpen: true, operands: "value" },
      "help generate-shell-completion": { does: "read", operands: "value" },
      // With a number it is set.
      version: {
        does: "read",
        operands: "value",
        options: "--short --output-format: --bump: --dry-run --package: --frozen",
        check: (use) => ((use.operands.length > 0 || has(use, "--bump")) && !has(use, "--dry-run") ? "change" : null),
      },
      workspace: { does: "change", operands: "value", verbs: { "list dir metadata": "read" } },
      self: {
        does: "install",
        operands: "value",
        isOpen: true,
        verbs: { version: { does: "read", operands: "value" } },
      },
      export: { does: "read", isOpen: true, options: "-o:w=edit --output-file:w=edit" },
      run: {
        does: "work",
        operands: "value",
        stopsAtOperand: true,
        // `uv run -m pytest -q` is pytest.
        wraps: {
          isOpaque: true,
          rest: ["-m", "--module"],
          restBegins: ["python3", "-m"],
          scripts: { ending: ".py", program: "python3" },
        },
        options:
          "--frozen --locked --no-sync --all-extras --extra: --group: --dev --no-dev --isolated --active --package: -p:c --python:c --env-file:c -m --module --script:c -s --no-project --with:=install --with-requirements:c=install --with-editable:=install --index-url:h --exact --no-editable --only-group: --only-dev --all-groups --directory:d --project:d -q",
      },
      pip: {
        does: "install",
        operands: "value",
        isOpen: true,
        verbs: {
          "list freeze show check tree": { does: "read", operands: "value", options: "-p:c --python:c" },
          compile: { does: "edit", operands: "read", options: "-o:w --output-file:w" },
          "install uninstall sync": { does: "install", operands: "value" },
        },
      },
      python: {
        does: "install",
        operands: "value",
        isOpen: true,
        verbs: {
          "list find dir": { does: "read", operands: "value" },
          "install uninstall pin upgrade": { does: "install", operands: "value" },
        },
      },
      tool: {
        does: "install",
        operands: "value",
        isOpen: true,
        verbs: {
          "list dir": { does: "read", operands: "value" },
          run: { does: "install", operands: "value", stopsAtOperand: true, options: TOOL_OPTIONS, wraps: RUNS_PACKAGE },
          "install uninstall upgrade update-shell": { does: "install", operands: "value" },
        },
      },
      cache: {
        does: "change",
        operands: "value",
        verbs: { "dir size": "read", "clean prune": { does: "change", operands: "value", isOpen: true } },
      },
      build: { does: "work", isOpen: true, options: "-o:w --out-dir:w", operands: "read" },
      venv: { does: "work", isOpen: true, operands: "folder" },
      format: { does: "work", operands: "read", isOpen: true },
      "add remove init": { does: "install", operands: "value", isOpen: true },
      publish: { does: "publish", operands: "value", isOpen: true },
      auth: { does: "publish", operands: "value", isOpen: true, verbs: { dir: "read" } },
    },
    runs: [
      "uv sync",
      "uv run pytest -q",
      "uv run ruff check",
      "uv pip list",
      "uv tree",
      "uv version --short",
      "uv pip list --python .venv",
      "uv self version",
      "uv workspace list",
      "uv lock --check",
      "uv run python scripts/report.py",
      "uv run main.py --check",
      "uv run -m pytest -q",
      // A script that the project defines.
      "uv run ml-cli hello",
    ],
    asks: [
      "uv add requests",
      "uv pip install torch",
      "uv run --with evil x",
      "uv run -m evil",
      "uv run deploy",
      "uv run /tmp/x.py",
      "uv run https://example.com/x.py",
      "uv tool run evil",
      "uv publish",
      "uv version 2.0.0",
      "uv version --bump minor",
      "uv self update",
      "uv pip list --python /tmp/x/bin/python",
      "uv auth token x",
      "uv run rm file",
    ],
  }),
  defineProgram({
    names: "uvx pipx",
    does: "install",
    isOpen: true,
    verbs: {
      "list environment": "read",
      run: { does: "install", operands: "value", stopsAtOperand: true, options: TOOL_OPTIONS, wraps: RUNS_PACKAGE },
      "install upgrade uninstall inject reinstall ensurepath": { does: "install", operands: "value" },
    },
    options: TOOL_OPTIONS,
    operands: "value",
    stopsAtOperand: true,
    wraps: RUNS_PACKAGE,
    runs: ["pipx list"],
    asks: ["pipx install poetry", "uvx ruff check", "uvx --from git+https://example.com/x x"],
  }),
];
