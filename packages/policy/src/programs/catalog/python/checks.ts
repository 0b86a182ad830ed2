import { defineProgram } from "../../define-program.ts";
import { taskEffect } from "../../names/grave-words.ts";
import { valuesOf } from "../use.ts";

/** Plugins that come with pytest or are well known. Any other name is a module that is imported. */
const KNOWN_PLUGINS: ReadonlySet<string> = new Set(
  "xdist xdist.plugin pytester cacheprovider terminal doctest unittest junitxml logging randomly timeout asyncio django cov mock anyio benchmark hypothesispytest pytest_cov pytest_asyncio pytest_django pytest_timeout pytest_randomly pytest_mock pytest_xdist pytest_benchmark pytest_httpx pytest_flask pytest_rerunfailures pytest_subtests pytest_sugar pytest_html pytest_json_report pytest_env pytest_trio pytest_tornado pytest_aiohttp pytest_forked pytest_order".split(
    " ",
  ),
);

/** Tests, linters and their runners. */
export const CHECKS = [
  defineProgram({
    names: "pytest py.test",
    does: "work",
    isOpen: true,
    options:
      "-c:c --config-file:c --rootdir:c --confcutdir:c --basetemp:w -p:c -k: -m: -n: -o: --override-ini: -r: -W: -x -v -q -s -l --maxfail: --tb: --durations: --cov? --cov-report: --cov-config:c --junitxml:w --junit-xml:w --log-file:w --ignore: --ignore-glob: --deselect: --timeout: --numprocesses: --dist: --reruns: --color: --capture: --import-mode: --ds: --collect-only --co --lf --ff --sw --pdb=code --pdbcls:x --trace=code --html:w --json-report-file:w --debug?w --pastebin:=publish --resultlog:w --randomly-seed: --benchmark-json:w",
    operands: "read",
    check: (use) => {
      const plugins = use.options.flatMap(({ name, value }) => (name === "-p" ? (value?.text ?? []) : []));
      if (
        use.options.some(
          ({ name, value }) =>
            (name === "-o" || name === "--override-ini") && /addopts|plugins|python_files/.test(value?.text ?? ""),
        )
      )
        return "code";
      if (use.options.some(({ does }) => does !== null)) return null;
      return plugins.every((plugin) => plugin.startsWith("no:") || KNOWN_PLUGINS.has(plugin)) ? null : "code";
    },
    runs: [
      "pytest -x -q",
      "pytest tests/test_a.py::T::t -xvs",
      "pytest -p no:cacheprovider",
      "pytest --cov=src --cov-report=term",
    ],
    asks: [
      "pytest -c /tmp/p.ini",
      "pytest --pdb",
      "pytest /tmp/evil",
      "pytest -p evil_plugin",
      "pytest -p no:x -p evil_plugin",
      "pytest -p covert",
    ],
  }),
  defineProgram({
    names: "bandit",
    does: "work",
    isOpen: true,
    options:
      "-r -q -v -l -i -ll -ii -c:c --configfile:c -b:r --baseline:r -f: --format: -o:w --output:w -x: --exclude: -t: --tests: -s: --skip: -n: --ini:c -p: --severity-level: --confidence-level: --exit-zero",
    operands: "read",
    runs: ["bandit -c pyproject.toml -r src", "bandit -r src -ll"],
    asks: ["bandit -c /tmp/x.yml -r src", "bandit -r src -o ~/.bashrc"],
  }),
  defineProgram({
    names:
      "ruff black isort mypy pyright basedpyright flake8 pylint pyflakes pycodestyle pydocstyle vulture autopep8 yapf autoflake pyupgrade codespell interrogate radon xenon deptry mccabe pytype pyre ty docformatter djlint sqlfluff sourcery import-linter lint-imports refurb unimport blue darker",
    does: "work",
    isOpen: true,
    options:
      "--init-hook:x --load-plugins:x --plugins:x --config:c --config-file:c --rcfile:c --settings-path:c --settings-file:c --sp:c -c --select: --extend-select: --ignore: --exclude: --output-file:w -o:w --cache-dir:w --report:w --html-report:w --xml-report:w --junit-xml:w --python-executable:x --python-version: --line-length: -l: -p:c -m: -j: -w: --diff --check --fix --target-version: --output-format: --show-error-codes --install-types=install --non-interactive --pythonpath:c --project:c --venvpath:c --extension-pkg-whitelist:x --append-config:c",
    verbs: {
      "check format lint analyze server clean": { does: "work", operands: "read" },
      "rule config linter version help parse": { does: "read", operands: "value" },
    },
    operands: "read",
    rewrites: { unless: ["--check", "--diff", "--check-only", "--dry-run"] },
    runs: ["ruff check .", "black --check .", "mypy src", "isort .", "pylint src", "ruff rule --all"],
    asks: [
      "pylint --init-hook='import os' x",
      "flake8 --config /tmp/f x",
      "black ~/other",
      "mypy --install-types --non-interactive .",
    ],
  }),
  defineProgram({
    names: "coverage",
    does: "work",
    isOpen: true,
    options:
      "--rcfile:c --data-file:w -o:w -d:w -m: --source: --include: --omit: -i --fail-under: --skip-covered --show-missing --branch -p",
    verbs: {
      run: { does: "work", operands: "read", stopsAtOperand: true },
      "report html xml json lcov combine annotate debug": { does: "work", operands: "value" },
      erase: "change",
    },
    runs: ["coverage run -m pytest", "coverage report -m"],
    asks: ["coverage run /tmp/x.py"],
  }),
  defineProgram({
    names: "tox nox pre-commit invoke inv doit mutmut cosmic-ray behave robot nose2 nosetests lettuce",
    does: "work",
    isOpen: true,
    options:
      "-c:c --config:c -f:c --noxfile:c --workdir:w -e: -s: -k: -t: --session: --sessions: --root:d -x:x --override:x --installpkg:c",
    verbs: {
      "run r run-parallel p legacy le sequential list l config c validate-config validate-manifest sample-config test fmt results html version status dep show":
        { does: "work", operands: "value" },
      "exec e": { does: "work", operands: "value", stopsAtOperand: true, wraps: { afterDashes: true } },
      "install uninstall autoupdate init-templatedir install-hooks gc clean migrate-config try-repo": {
        does: "install",
        operands: "value",
      },
    },
    operands: "value",
    // The names of environments and sessions are tasks of the project.
    check: (use) => {
      if (use.name !== "tox" && use.name !== "nox") return null;
      const names = valuesOf(use, "-e", "-s", "--session", "--sessions");
      const effects = names.flatMap((list) => list.split(",")).map(taskEffect);
      return effects.includes("destroy") ? "destroy" : effects.includes("publish") ? "publish" : null;
    },
    runs: ["tox -e py311", "nox -s tests", "pre-commit run --all-files"],
    asks: ["tox -c /tmp/tox.ini", "pre-commit install", "nox -s release", "tox -e py311,publish", "tox exec -- rm x"],
  }),
];
