import { defineProgram } from "../../define-program.ts";
import { leavesFolder } from "../../effects/places.ts";

/** The rest of the line is a script of Python, or a module and its arguments. */
const RUNS_SCRIPT = { rest: ["-m"], restBegins: ["python3", "-m"], before: "python3" } as const;

/** Modules of Python's library, by the name after `-m`. They are no programs, so their names have a prefix. */
export const MODULES = [
  defineProgram({
    names: "python:build pyproject-build",
    does: "work",
    options:
      "-V -v -q -s -w -n -x -o:w --outdir:w -C: --config-setting: --config-json: --sdist --wheel --no-isolation --installer: --skip-dependency-check --verbose --quiet --version",
    operands: "folder",
    runs: ["python3 -m build", "python -m build --wheel --outdir dist ."],
    asks: ["python3 -m build --outdir ~/x", "python3 -m build /tmp/x"],
  }),
  defineProgram({
    names: "python:cProfile python:profile",
    does: "work",
    options: "-o:w --outfile:w -s: --sort: -m",
    operands: "value",
    stopsAtOperand: true,
    wraps: RUNS_SCRIPT,
    runs: ["python3 -m cProfile -s cumtime app.py", "python3 -m cProfile -o out.prof -m pytest tests"],
    asks: ["python3 -m cProfile /tmp/x.py", "python3 -m cProfile -o ~/.bashrc app.py"],
  }),
  defineProgram({
    names: "python:trace",
    does: "work",
    options:
      "-t -c -r -R -T -l -g -s -m -C:w -f:w --trace --count --report --no-report --trackcalls --listfuncs --timing --summary --missing --coverdir:w --file:w --ignore-module: --ignore-dir:",
    operands: "value",
    stopsAtOperand: true,
    wraps: { before: "python3" },
    runs: ["python3 -m trace --count app.py"],
    asks: ["python3 -m trace --trace /tmp/x.py", "python3 -m trace -C ~/.config app.py"],
  }),
  defineProgram({
    names: "python:unittest",
    does: "work",
    isOpen: true,
    options:
      "-s:d -t:d -p: -k: -vqbfc --start-directory:d --top-level-directory:d --pattern: --locals --durations: --verbose --quiet --failfast --catch --buffer",
    verbs: { discover: { does: "work", operands: "read" } },
    operands: "read",
    runs: ["python3 -m unittest", "python3 -m unittest discover -s tests -v", "python3 -m unittest tests.test_a"],
    asks: ["python3 -m unittest discover -s /tmp/x", "python3 -m unittest /tmp/x.py"],
  }),
  defineProgram({
    names:
      "python:doctest python:dis python:tabnanny python:symtable python:py_compile python:compileall python:memory_profiler python:line_profiler python:kernprof python:pyclbr",
    does: "work",
    isOpen: true,
    options: "-o:c",
    operands: "read",
    runs: ["python3 -m doctest src/a.py", "python3 -m compileall -q src", "python3 -m py_compile a.py"],
    asks: ["python3 -m doctest /tmp/x.py", "python3 -m compileall ~/other", "python3 -m memory_profiler /tmp/x.py"],
  }),
  defineProgram({
    names: "python:json.tool",
    does: "read",
    options: "--sort-keys --no-ensure-ascii --json-lines --indent: --tab --no-indent --compact",
    operands: "read",
    // The second file is written.
    check: ({ operands: [, target] }) => (target === undefined ? null : leavesFolder(target) ? "change" : "edit"),
    runs: ["python3 -m json.tool a.json", "python3 -m json.tool --sort-keys a.json b.json"],
    asks: ["python3 -m json.tool a.json ~/.bashrc"],
  }),
  defineProgram({
    names: "python:zipapp",
    does: "work",
    options: "-o:w -p: -m: -c --output:w --python: --main: --compress --info",
    operands: "read",
    runs: ["python3 -m zipapp app -o dist/app.pyz -m 'app:main'"],
    asks: ["python3 -m zipapp app -o ~/.bashrc"],
  }),
  defineProgram({
    names: "python:pydoc",
    does: "read",
    options: "-k: -p:=change -n:=change -b=change -w=edit",
    operands: "value",
    runs: ["python3 -m pydoc json"],
    asks: ["python3 -m pydoc -p 8000"],
  }),
];
