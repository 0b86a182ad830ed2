import { defineProgram } from "../../define-program.ts";

export const FRAMEWORKS = [
  defineProgram({
    names:
      "alembic flask django-admin celery gunicorn uvicorn hypercorn waitress-serve daphne streamlit gradio jupyter papermill mkdocs twine-check jupyter-nbconvert nbstripout scrapy locust cython cythonize maturin f2py manage.py fastapi marimo voila dramatiq rq",
    does: "work",
    isOpen: true,
    options:
      "-c:c --config:c -d:w --site-dir:w -x: -o:w --output:w --output-dir:w --ip: --port: -p: -b: --host: --to: --stdout --app:c -A:c",
    verbs: {
      "current history heads branches show check routes run nbconvert build serve develop dry-run list dev worker": {
        does: "work",
        operands: "value",
      },
      // Forward, with the project's own migrations; a revision is a new file of the project.
      "upgrade revision merge ensure_version edit": {
        does: "change",
        operands: "value",
        check: (use) => (use.name === "alembic" && /^(?:upgrade|revision)$/.test(use.verb) ? "work" : null),
      },
      // `stamp` replaces what the database knows about its own migrations.
      "downgrade stamp flush sqlflush": { does: "destroy", operands: "value" },
      db: {
        does: "change",
        operands: "value",
        verbs: {
          "current history heads branches show check": { does: "work", operands: "value" },
          "upgrade revision migrate": { does: "work", operands: "value" },
          "merge init edit": { does: "change", operands: "value" },
          "downgrade stamp": { does: "destroy", operands: "value" },
        },
      },
      "shell notebook lab console": { does: "code", operands: "value" },
      "nbextension labextension serverextension kernelspec": {
        does: "install",
        operands: "value",
        verbs: { list: { does: "read", operands: "value" } },
      },
      // They empty queues, and end workers.
      "purge empty": { does: "destroy", operands: "value" },
      // A worker runs it, wherever that is.
      "call enqueue": { does: "publish", operands: "value" },
      control: {
        does: "change",
        operands: "value",
        verbs: { "shutdown revoke terminate cancel_consumer": { does: "destroy", operands: "value" } },
      },
      server: {
        does: "work",
        operands: "value",
        verbs: { extension: { does: "install", operands: "value", verbs: { list: "read" } } },
      },
      "gh-deploy publish upload deploy": { does: "publish", operands: "value" },
    },
    operands: "read",
    runs: [
      "alembic current",
      'alembic revision --autogenerate -m "add index"',
      "alembic upgrade head",
      "flask db upgrade",
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
      "jupyter server extension enable x",
      "celery -A app purge -f",
      "celery -A app call tasks.report",
      "celery -A app control shutdown",
      "rq empty default",
    ],
  }),
  defineProgram({
    names: "sphinx-build sphinx-apidoc sphinx-autobuild",
    does: "work",
    isOpen: true,
    options: "-b: -d:w -c:c -D: -A: -t: -j: -o:w -W -n -q -E -a -M:",
    operands: "write",
    // The documents' folder also has a settings file, which is code.
    check: ({ operands }) =>
      operands.slice(0, -1).some(({ text }) => /^(\/tmp|\/var\/tmp|~|\.\.)/.test(text)) ? "code" : null,
    runs: ["sphinx-build -b html docs docs/_build", "sphinx-build -b linkcheck docs /tmp/out"],
    asks: ["sphinx-build /tmp/x out", "sphinx-build docs ~/out", "sphinx-build -c /tmp/x docs out"],
  }),
];
