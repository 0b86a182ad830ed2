import { type Field, isKnown } from "../../language/state/values.ts";
import { defineProgram, type Effect, type ProgramUse } from "../define-program.ts";

const has = ({ options }: ProgramUse, ...names: readonly string[]) => options.some(({ name }) => names.includes(name));

const PIP_INSTALL = {
  does: "install" as const,
  operands: "value" as const,
  options:
    "-r:c --requirement:c -e:c --editable:c -c:c --constraint:c -U --upgrade=install -q -v --quiet --verbose --no-deps --no-cache-dir --disable-pip-version-check --require-hashes --user=install -t:w=install --target:w=install --prefix:w=install --root:w=install --pre=install -i:h --index-url:h --extra-index-url:h -f:h --find-links:h --trusted-host:h --no-index --no-build-isolation --dry-run --force-reinstall --ignore-installed -I --compile --no-compile --only-binary: --no-binary: --prefer-binary --progress-bar: --python: --break-system-packages=install --upgrade-strategy: --no-input --timeout: --retries: --proxy:h --report:w",
  // What a requirements file of the project names, or the project itself. A name on the command line is new code.
  check: ({ options, operands, does }: ProgramUse) =>
    operands.length === 0 &&
    options.some(({ name }) => /^(-r|--requirement|-e|--editable)$/.test(name)) &&
    does === "install" &&
    options.every((option) => option.does === null || option.name === "-U")
      ? ("restore" as const)
      : ("install" as const),
};

/** What follows `-m name` belongs to the module. */
function untilModule(args: readonly Field[]): readonly Field[] {
  const at = args.findIndex(({ text }) => /^-[bBdEIOPqRsSuvx]*m/.test(text));
  const script = args.findIndex(
    ({ text }, index) => !text.startsWith("-") && !/^-[WXQ]$/.test(args[index - 1]?.text ?? ""),
  );
  if (at < 0 || (script >= 0 && script < at)) return args;
  return args.slice(0, args[at]?.text.endsWith("m") ? at + 2 : at + 1);
}

/** Modules that come with Python, or with most projects, and build, check or show something. */
const MODULES =
  /^(unittest|doctest|compileall|py_compile|json\.tool|calendar|this|site|sysconfig|platform|tokenize|ast|dis|tabnanny|symtable|inspect|pydoc|venv|build|http\.server|timeit|cProfile|profile|pstats|trace|zipapp|ensurepip|textwrap|pip|pytest|mypy|black|ruff|isort|flake8|pylint|coverage|tox|nox|sphinx|mkdocs|pre_commit|alembic|flask|django|uvicorn|gunicorn|celery|streamlit|jupyter|twine|poetry|uv|virtualenv|pyright|bandit|autopep8|yapf|pydocstyle|pycodestyle|pyflakes|vulture|interrogate|pyupgrade|maturin|cython|setuptools_scm|grpc_tools\.protoc|nuitka|PyInstaller|memory_profiler|line_profiler|kernprof|scalene|piptools|pipdeptree|pip_audit|hatch|flit|pdm|towncrier|markdown|docutils|rich)$/;

/** A module name with a dot is one of the project's own. */
function pythonEffect(use: ProgramUse): Effect | null {
  if (has(use, "-V", "-h")) return "read";
  if (has(use, "-i")) return "code";
  const module = use.options.find(({ name }) => name === "-m")?.value?.text;
  if (module !== undefined) return MODULES.test(module) || /^[a-z_]\w*(\.\w+)+$/.test(module) ? "work" : "code";
  const script = use.operands[0];
  return script !== undefined && !isKnown(script.text) ? "code" : null;
}

export const PYTHON = [
  defineProgram({
    names:
      "python python2 python3 python3.8 python3.9 python3.10 python3.11 python3.12 python3.13 python3.14 pypy pypy3",
    does: "work",
    options: "-bBdEhiIOPqRsSuvVx -c: -m: -W: -X: -Q: --check-hash-based-pycs: --version --help --help-all --help-env",
    operands: "read",
    stopsAtOperand: true,
    ownWords: untilModule,
    passesOn: true,
    check: pythonEffect,
    runs: ["python scripts/gen_docs.py", "python3 -V", "python -m pytest -q", "python manage.py showmigrations"],
    asks: ["python3", "python3 /tmp/x.py", "python3 -m evil", "python -i x.py"],
  }),
  defineProgram({
    names: "pytest py.test",
    does: "work",
    isOpen: true,
    options:
      "-c:c --config-file:c --rootdir:c --confcutdir:c --basetemp:w -p:c -k: -m: -n: -o: -r: -W: -x -v -q -s -l --maxfail: --tb: --durations: --cov? --cov-report: --cov-config:c --junitxml:w --junit-xml:w --log-file:w --ignore: --ignore-glob: --deselect: --timeout: --numprocesses: --dist: --reruns: --color: --capture: --import-mode: --ds: --collect-only --co --lf --ff --sw --pdb=code --pdbcls:x --trace=code --html:w --json-report-file:w --debug?w --pastebin:=publish --resultlog:w --randomly-seed: --benchmark-json:w",
    operands: "read",
    check: (use) => {
      const plugin = use.options.find(({ name }) => name === "-p")?.value?.text ?? "no:";
      if (
        use.options.some(({ name, value }) => name === "-o" && /addopts|plugins|python_files/.test(value?.text ?? ""))
      )
        return "code";
      if (use.options.some(({ does }) => does !== null)) return null;
      return /^(no:|xdist|pytest_|cov|asyncio|django|timeout|randomly)/.test(plugin) ? null : "code";
    },
    runs: [
      "pytest -x -q",
      "pytest tests/test_a.py::T::t -xvs",
      "pytest -p no:cacheprovider",
      "pytest --cov=src --cov-report=term",
    ],
    asks: ["pytest -c /tmp/p.ini", "pytest --pdb", "pytest /tmp/evil", "pytest -p evil_plugin"],
  }),
  defineProgram({
    names:
      "ruff black isort mypy pyright basedpyright flake8 pylint pyflakes pycodestyle pydocstyle bandit vulture autopep8 yapf autoflake pyupgrade codespell interrogate radon xenon deptry mccabe pytype pyre ty docformatter djlint yamllint sqlfluff sourcery import-linter lint-imports refurb unimport blue darker",
    does: "work",
    isOpen: true,
    options:
      "--init-hook:x --load-plugins:x --plugins:x --config:c --config-file:c --rcfile:c --settings-path:c --settings-file:c --sp:c -c --select: --extend-select: --ignore: --exclude: --output-file:w -o:w --cache-dir:w --report:w --html-report:w --xml-report:w --junit-xml:w --python-executable:x --python-version: --line-length: -l: -p: -m: -j: -w: --diff --check --fix --target-version: --output-format: --show-error-codes --install-types=install --non-interactive --pythonpath:c --project:c --venvpath:c --extension-pkg-whitelist:x --append-config:c",
    verbs: {
      "check format lint analyze server clean": { does: "work", operands: "read" },
      "rule config linter version help parse": { does: "read", operands: "value" },
    },
    operands: "read",
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
    names: "tox nox pre-commit invoke inv doit hatch",
    does: "work",
    isOpen: true,
    options:
      "-c:c --config:c -f:c --noxfile:c --workdir:w -e: -s: -k: -t: --session: --sessions: --root:d -x:x --override:x --installpkg:c",
    verbs: {
      "run r run-parallel p legacy le sequential list l config c validate-config validate-manifest sample-config test fmt version status dep show":
        { does: "work", operands: "value" },
      "install uninstall autoupdate init-templatedir install-hooks gc clean migrate-config try-repo": {
        does: "install",
        operands: "value",
      },
      publish: "publish",
      build: "work",
      "new env python self": { does: "install", operands: "value" },
    },
    operands: "value",
    runs: ["tox -e py311", "nox -s tests", "pre-commit run --all-files", "hatch run test"],
    asks: ["tox -c /tmp/tox.ini", "pre-commit install", "hatch publish"],
  }),
  defineProgram({
    names: "pip pip3 pip3.11 pip3.12 pip3.13",
    does: "install",
    options:
      "-q -v -V --quiet --verbose --disable-pip-version-check --no-input --python:x --isolated --require-virtualenv --no-color --log:w --proxy:h --cert:r --trusted-host:h",
    verbs: {
      "list freeze show check inspect debug index hash help search completion": {
        does: "read",
        operands: "value",
        isOpen: true,
        options:
          "--path:r --format: --outdated -o --uptodate -u --editable -e --local -l --user --not-required --exclude: --include-editable --exclude-editable --pre -a: --algorithm: -f --files --index-url:h -i:h --extra-index-url:h --platform: --python-version:",
      },
      cache: {
        does: "change",
        operands: "value",
        verbs: { "dir info list": { does: "read", operands: "value", options: "--format:" }, "remove purge": "change" },
      },
      config: {
        does: "change",
        operands: "value",
        isOpen: true,
        verbs: { "list get debug": { does: "read", operands: "value" }, "set unset edit": "change" },
      },
      install: PIP_INSTALL,
      "uninstall download wheel lock": { does: "install", operands: "value", isOpen: true },
    },
    runs: [
      "pip list",
      "pip show requests",
      "pip install -r requirements.txt",
      "pip install -e '.[dev]' -q",
      "pip freeze",
    ],
    asks: [
      "pip install requests",
      "pip install -U pip",
      "pip uninstall x",
      "pip install -r /tmp/r.txt",
      "pip install -r requirements.txt --index-url http://evil.io",
      "pip cache purge",
    ],
  }),
  defineProgram({
    names: "uv",
    does: "read",
    options:
      "-q -v --quiet --verbose --offline --no-cache -n --cache-dir:c --directory:d --project:d --config-file:c --no-config --color: --native-tls --no-progress --python-preference: --allow-insecure-host:h",
    verbs: {
      sync: {
        does: "restore",
        options:
          "--frozen --locked --all-extras --extra: --group: --dev --no-dev --only-dev --only-group: --no-install-project --inexact --all-groups --all-packages --package: -p: --python: --active --upgrade=install -U=install --index-url:h --default-index:h --reinstall --dry-run --check",
      },
      lock: {
        does: "restore",
        options:
          "--check --locked --dry-run --upgrade=install -U=install -P:=install --upgrade-package:=install --index-url:h --check-exists --frozen",
      },
      tree: { does: "read", isOpen: true, operands: "value" },
      "version help": { does: "read", operands: "value" },
      export: { does: "read", isOpen: true, options: "-o:w=edit --output-file:w=edit" },
      run: {
        does: "work",
        operands: "value",
        stopsAtOperand: true,
        wraps: { isOpaque: true },
        options:
          "--frozen --locked --no-sync --all-extras --extra: --group: --dev --no-dev --isolated --active --package: -p: --python: --env-file:c -m: --module: --script:c -s --no-project --with:=install --with-requirements:c=install --with-editable:=install --index-url:h --exact --no-editable --only-group: --only-dev --all-groups --directory:d --project:d -q",
      },
      pip: {
        does: "install",
        operands: "value",
        isOpen: true,
        verbs: {
          "list freeze show check tree": { does: "read", operands: "value" },
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
          "run install uninstall upgrade update-shell": { does: "install", operands: "value" },
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
      "add remove init self": { does: "install", operands: "value", isOpen: true },
      "publish auth": { does: "publish", operands: "value", isOpen: true },
    },
    runs: [
      "uv sync",
      "uv run pytest -q",
      "uv run ruff check",
      "uv pip list",
      "uv tree",
      "uv lock --check",
      "uv run python scripts/report.py",
    ],
    asks: [
      "uv add requests",
      "uv pip install torch",
      "uv run --with evil x",
      "uv run /tmp/x.py",
      "uv tool run evil",
      "uv publish",
      "uv run rm file",
    ],
  }),
  defineProgram({
    names: "uvx pipx",
    does: "install",
    isOpen: true,
    verbs: {
      "list environment": "read",
      "install run upgrade uninstall inject reinstall ensurepath": { does: "install", operands: "value" },
    },
    operands: "value",
    stopsAtOperand: true,
    runs: ["pipx list"],
    asks: ["pipx install poetry", "uvx ruff check"],
  }),
  defineProgram({
    names: "poetry pipenv pdm rye conda mamba micromamba",
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
      "activate deactivate": { does: "read", operands: "value" },
      env: {
        does: "change",
        operands: "value",
        verbs: { "list info": "read", "use remove create update export": "change" },
      },
      config: { does: "change", operands: "value", check: (use) => (has(use, "--list", "--show") ? "read" : "change") },
      run: { does: "work", operands: "value", stopsAtOperand: true, wraps: { isOpaque: true } },
      build: "work",
      lock: "restore",
      "add remove update upgrade uninstall create init new self cache shell import source clean": {
        does: "install",
        operands: "value",
      },
      publish: "publish",
    },
    check: (use) => (use.verb === "" && use.operands.length === 0 ? "read" : null),
    runs: ["poetry install", "poetry run pytest", "pipenv install --dev", "poetry show --tree", "conda list"],
    asks: ["poetry add x", "poetry publish", "conda remove --all", "conda install numpy", "pipenv install requests"],
  }),
  defineProgram({
    names:
      "alembic flask django-admin celery gunicorn uvicorn hypercorn waitress-serve daphne streamlit gradio jupyter papermill sphinx-build sphinx-apidoc sphinx-autobuild mkdocs twine-check jupyter-nbconvert nbstripout scrapy locust cython cythonize maturin f2py manage.py",
    does: "work",
    isOpen: true,
    options:
      "-c:c --config:c -x: -o:w --output:w --output-dir:w --ip: --port: -p: -b: --host: --to: --stdout --app: -A:",
    verbs: {
      "current history heads branches show check routes run nbconvert build serve develop dry-run list": {
        does: "work",
        operands: "value",
      },
      "upgrade stamp revision merge ensure_version edit": { does: "change", operands: "value" },
      "downgrade flush sqlflush": { does: "destroy", operands: "value" },
      db: {
        does: "change",
        operands: "value",
        verbs: {
          "current history heads branches show check": { does: "work", operands: "value" },
          "upgrade stamp revision merge migrate init edit": { does: "change", operands: "value" },
          downgrade: { does: "destroy", operands: "value" },
        },
      },
      "shell notebook lab console": { does: "code", operands: "value" },
      "gh-deploy publish upload deploy": { does: "publish", operands: "value" },
    },
    operands: "read",
    runs: [
      "alembic current",
      "flask routes",
      "sphinx-build -b html docs docs/_build",
      "uvicorn app:app --port 8000",
      "jupyter nbconvert --to script a.ipynb --stdout",
    ],
    asks: ["alembic downgrade base", "mkdocs gh-deploy", "flask shell", "alembic -c /tmp/a.ini current"],
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
    options: "-p:x --python:x --app-data:w",
    operands: "folder",
    runs: ["virtualenv .venv"],
    asks: ["virtualenv ~/.venv"],
  }),
];
