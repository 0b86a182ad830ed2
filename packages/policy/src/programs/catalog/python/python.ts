import { type Field, HOLE, isKnown } from "../../../language/state/values.ts";
import { defineProgram, type Effect, type ProgramUse } from "../../define-program.ts";
import { isNamedTest } from "../../names/grave-words.ts";
import { has } from "../use.ts";

/** Words after `-m name` belong to the module. */
function untilModule(args: readonly Field[]): readonly Field[] {
  const at = args.findIndex(({ text }) => /^-[bBdEIOPqRsSuvx]*m/.test(text));
  const script = args.findIndex(
    ({ text }, index) => !text.startsWith("-") && !/^-[WXQ]$/.test(args[index - 1]?.text ?? ""),
  );
  if (at < 0 || (script >= 0 && script < at)) return args;
  return args.slice(0, args[at]?.text.endsWith("m") ? at + 2 : at + 1);
}

/** Modules that come with Python or with most projects, and that build, check or display something. */
const MODULES =
  /^(unittest|doctest|compileall|py_compile|json\.tool|calendar|this|site|sysconfig|platform|tokenize|ast|dis|tabnanny|symtable|inspect|pydoc|venv|build|http\.server|timeit|cProfile|profile|pstats|trace|zipapp|textwrap|pip|pytest|mypy|black|ruff|isort|flake8|pylint|coverage|tox|nox|sphinx|mkdocs|pre_commit|alembic|flask|django|uvicorn|gunicorn|celery|streamlit|jupyter|twine|poetry|uv|virtualenv|pyright|bandit|autopep8|yapf|pydocstyle|pycodestyle|pyflakes|vulture|interrogate|pyupgrade|maturin|cython|setuptools_scm|grpc_tools\.protoc|nuitka|PyInstaller|memory_profiler|line_profiler|kernprof|scalene|piptools|pipdeptree|pip_audit|hatch|flit|pdm|towncrier|markdown|docutils|rich|yamllint|radon|docformatter|sqlfluff|djlint|codespell|asv|pyperf|pyperformance|cibuildwheel|behave|robot|nose2|ward|mutmut|stestr|xdoctest|griffe|pdoc|pydoctor|autoflake|eradicate|unimport|refurb|slotscheck|fixit|deptry|pydeps|importlinter|sqlacodegen|dvc|dbt|gradio|chainlit|fastapi|hypercorn|daphne|waitress|quart|sanic|nicegui|panel|bokeh|textual|notebook|jupyterlab|nbconvert|nbqa|jupytext|snakemake|kedro|manim|doit|invoke|cookiecutter_lint|check_manifest|validate_pyproject|pyinstrument|viztracer|tensorboard|zensical|numpydoc|cogapp|licensecheck|ty|pyrefly|basedpyright)$/;

/**
 * The name of the project's own package cannot be looked up, but most have one of these forms: what a program is
 * (`app`, `server`), what it does (`train`), or two words (`order_service`). Another word may be any installed module.
 */
const OWN_MODULE =
  /^(?:app|application|main|cli|server|client|api|web|backend|frontend|service|worker|bot|agent|core|engine|game|src|lib|script|scripts|tool|tools|task|tasks|job|jobs|demo|example|examples|sample|test|tests|bench|benchmark|benchmarks|train|training|trainer|evaluate|evaluation|infer|inference|predict|model|models|data|dataset|pipeline|etl|report|reports|crawler|scraper|parser|generator|gen|simulate|simulation|simulator|solver|run|runner|start|serve|dev|project|package|mypackage|mymodule|myapp|myproject|mypkg|mytool|[a-z]+(?:_[a-z0-9]+)+)$/;

function pythonEffect(use: ProgramUse): Effect | null {
  if (has(use, "-V", "-h")) return "read";
  if (has(use, "-i")) return "code";
  const module = use.options.find(({ name }) => name === "-m")?.value?.text;
  // A name with a dot belongs to the project, too.
  if (module !== undefined)
    return MODULES.test(module) || OWN_MODULE.test(module) || /^[a-z_]\w*(\.\w+)+$/.test(module) ? "work" : "code";
  const script = use.operands[0];
  // After inline code, a list of files is its argument.
  if (has(use, "-c") && script !== undefined && !script.text.includes(HOLE)) return null;
  return script !== undefined && !isKnown(script.text) && !isNamedTest(script.text) ? "code" : null;
}

export const PYTHON_ITSELF = [
  defineProgram({
    names:
      "python py python2 python3 python3.8 python3.9 python3.10 python3.11 python3.12 python3.13 python3.14 pypy pypy3",
    does: "work",
    options:
      "-bBdEhiIOPqRsSuvVx -2 -3 -c: -m: -W: -X: -Q: --check-hash-based-pycs: --version --help --help-all --help-env",
    operands: "read",
    stopsAtOperand: true,
    ownWords: untilModule,
    passesOn: true,
    check: pythonEffect,
    runs: [
      "python scripts/gen_docs.py",
      "python3 -V",
      "python -m pytest -q",
      "python manage.py showmigrations",
      "python -m myapp --port 8001",
      "python -m asv run",
      "python3 -c \"open('src/a.ts', 'w').write('a/b'.strip('/').replace('/', '_'))\"",
    ],
    asks: [
      "python3",
      "python3 /tmp/x.py",
      "python3 -m evil",
      "python3 -c \"open('/'.join(['', 'home', 'x']), 'w').write('a')\"",
      "python3 -c \"open('/home/x'.strip('/'), 'w').write('a/b'.strip('/'))\"",
      "python3 -m pdb a.py",
      "python3 -m keyring get a b",
      "python3 -m zipfile -e a.zip .",
      "python3 -m deploy",
      "python -m app.deploy prod",
      "python -m app.manage flush",
      "python -i x.py",
    ],
  }),
];
