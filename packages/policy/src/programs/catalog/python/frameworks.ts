import { defineProgram } from "../../define-program.ts";
import { has } from "../use.ts";

export const FRAMEWORKS = [
  defineProgram({
    names:
      "alembic flask django-admin celery gunicorn uvicorn hypercorn waitress-serve daphne streamlit gradio jupyter papermill mkdocs twine-check jupyter-nbconvert nbstripout scrapy locust cython cythonize maturin f2py manage.py",
    does: "work",
    isOpen: true,
    options:
      "-c:c --config:c -x: -o:w --output:w --output-dir:w --ip: --port: -p: -b: --host: --to: --stdout --app: -A:",
    verbs: {
      "current history heads branches show check routes run nbconvert build serve develop dry-run list": {
        does: "work",
        operands: "value",
      },
      // With `--sql` it prints the statements, and connects to nothing.
      "upgrade stamp revision merge ensure_version edit": {
        does: "change",
        operands: "value",
        check: (use) => (use.name === "alembic" && use.verb === "upgrade" && has(use, "--sql") ? "work" : null),
      },
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
      "nbextension labextension serverextension kernelspec": {
        does: "install",
        operands: "value",
        verbs: { list: { does: "read", operands: "value" } },
      },
      "gh-deploy publish upload deploy": { does: "publish", operands: "value" },
    },
    operands: "read",
    runs: [
      "alembic current",
      "flask routes",
      "uvicorn app:app --port 8000",
      "jupyter nbconvert --to script a.ipynb --stdout",
      "jupyter kernelspec list",
    ],
    asks: [
      "alembic downgrade base",
      "mkdocs gh-deploy",
      "flask shell",
      "alembic -c /tmp/a.ini current",
      "jupyter nbextension install x",
    ],
  }),
  defineProgram({
    names: "sphinx-build sphinx-apidoc sphinx-autobuild",
    does: "work",
    isOpen: true,
    options: "-b: -d:w -c:c -D: -A: -t: -j: -o:w -W -n -q -E -a -M:",
    operands: "write",
    // Where the documents lie, settings lie that are code.
    check: ({ operands }) =>
      operands.slice(0, -1).some(({ text }) => /^(\/tmp|\/var\/tmp|~|\.\.)/.test(text)) ? "code" : null,
    runs: ["sphinx-build -b html docs docs/_build", "sphinx-build -b linkcheck docs /tmp/out"],
    asks: ["sphinx-build /tmp/x out", "sphinx-build docs ~/out", "sphinx-build -c /tmp/x docs out"],
  }),
];
