import { defineProgram } from "../../define-program.ts";
import { valuesOf } from "../use.ts";

/** Models, data and pipelines. */
export const DATA = [
  defineProgram({
    names: "nf-test nf-core",
    does: "change",
    isOpen: true,
    options:
      "--profile: -c:c --config:c --tag: --tap:w --junitxml:w --csv:w --dir:d -d:d --verbose --debug --ci --plugins:c --work-dir:w",
    operands: "value",
    verbs: {
      "test list coverage": { does: "work", operands: "read" },
      "lint modules subworkflows pipelines schema": {
        does: "work",
        operands: "value",
        verbs: {
          "install update remove patch create bump-version bump-versions create-params-file download launch sync":
            "install",
          "lint list info test validate": { does: "work", operands: "value" },
        },
      },
    },
    runs: ["nf-test test tests/main.nf.test", "nf-core lint", "nf-core modules list local"],
    asks: [
      "nf-core modules install fastqc",
      "nf-core pipelines sync",
      "nf-test test /tmp/x.nf.test",
      "nf-core download x",
    ],
  }),
  defineProgram({
    names: "nbqa",
    does: "work",
    options:
      "--nbqa-shell=code --nbqa-diff --nbqa-files: --nbqa-exclude: --nbqa-process-cells: --nbqa-dont-skip-bad-cells",
    operands: "value",
    stopsAtOperand: true,
    wraps: {},
    runs: ["nbqa ruff notebooks", "nbqa black notebooks/a.ipynb"],
    asks: ["nbqa rm notebooks", "nbqa --nbqa-shell x notebooks"],
  }),
  defineProgram({
    names: "sqlmesh",
    does: "publish",
    isOpen: true,
    options: "-p:d --paths:d --config: --gateway: --debug --ignore-warnings",
    operands: "value",
    verbs: {
      "test lint format render info dag table_diff diff": { does: "work", operands: "value" },
      "audit evaluate fetchdf prompt": { does: "remote", operands: "value" },
      "destroy clean janitor invalidate rollback": "destroy",
    },
    runs: ["sqlmesh test", "sqlmesh lint", "sqlmesh render orders"],
    asks: ["sqlmesh plan prod", "sqlmesh run", "sqlmesh destroy", "sqlmesh -p /tmp/x test"],
  }),
  // Starts a script of Python several times, or with `--no-python` any program.
  defineProgram({
    names: "torchrun",
    does: "work",
    isOpen: true,
    options:
      "--nproc_per_node: --nproc-per-node: --nnodes: --node_rank: --node-rank: --master_port: -m: --module: --log_dir:w --log-dir:w --no-python --no_python --standalone",
    operands: "read",
    stopsAtOperand: true,
    wraps: { skip: 99, rest: ["--no-python", "--no_python"] },
    runs: ["torchrun --nproc_per_node=2 train.py --epochs 1"],
    asks: ["torchrun /tmp/x.py", "torchrun --no-python rm x"],
  }),
  defineProgram({
    names:
      "accelerate deepspeed tensorboard ipython ipython3 pydoc pydoc3 2to3 pip-compile pip-sync pip-audit safety pipdeptree pdoc pdoc3 pyinstrument scalene kernprof viztracer mprof jupytext pyinstaller nuitka cookiecutter-lint isort-check great_expectations kedro snakemake nextflow papermill-list",
    does: "work",
    isOpen: true,
    options:
      "-o:w --output:w --output-file:w --output-dir:w --logdir:r -r:r --requirement:r -c: -m: -n: -j: -i=change --write=edit -w=edit --quiet -q --dry-run --upgrade -U --generate-hashes --strip-extras --all-extras --no-header --annotate --no-annotate --extra: --resolver:",
    verbs: { "launch config-list env test estimate-memory": { does: "work", operands: "read" }, config: "change" },
    operands: "read",
    stopsAtOperand: true,
    runs: ["pydoc json", "snakemake -n", "ipython -c 'print(1)'"],
    asks: ["kernprof /tmp/x.py", "pip-compile -o ~/x"],
  }),
  defineProgram({
    names: "dvc mlflow dbt airflow prefect dagster wandb huggingface-cli hf kaggle",
    does: "change",
    isOpen: true,
    options:
      "-o:w --output:w --local-dir:w --profiles-dir:c --project-dir:d -s: --select: -m: --models: -t: --target: -v -q --cd:d",
    operands: "value",
    verbs: {
      "status diff dag metrics params plots list ls ll show describe version info debug deps source parse compile config-show cheat-sheet whoami --version env scan-cache":
        {
          does: "read",
          operands: "value",
        },
      // Things of the tracking server, or of the scheduler.
      "runs experiments dags tasks variables connections pools models artifacts deployments work-pools work-queues flow-runs asset job schedule sensor code-location":
        {
          does: "change",
          operands: "value",
          // A list of connections shows their passwords.
          check: ({ verb }) => (verb === "connections list" ? "secret" : null),
          verbs: {
            "list list-runs show describe search state states-for-dag-run csv details report inspect ls next-execution preview":
              "read",
            "get export": "secret",
            "delete clear remove cancel purge restore": "destroy",
            "create update run backfill trigger log-artifact log-artifacts": "publish",
          },
        },
      docs: { does: "work", operands: "value", verbs: { "generate serve": "work" } },
      "repro run test build seed-test lint checkout exp-show ui server dev": { does: "work", operands: "value" },
      "push publish deploy upload login logout sync delete remove rm destroy gc drop clear": {
        does: "publish",
        operands: "value",
      },
      "pull fetch": {
        does: "network",
        operands: "value",
        // Data that the project's own lock file lists, from the remote that the project configures.
        check: ({ name, options }) =>
          name === "dvc" &&
          options.every(({ name: option }) => /^-[vqjaTR]$|^--(?:jobs|all-\w+|recursive)$/.test(option))
            ? "restore"
            : null,
      },
      "get get-url import download": { does: "network", operands: "value" },
    },
    check: (use) => {
      // `dagster run wipe`, `dagster asset wipe`
      if (use.operands.some(({ text }) => /^(?:wipe|delete|purge)/.test(text))) return "destroy";
      if (use.name !== "dbt" || use.does === "read") return null;
      // It drops the tables and builds them again.
      if (use.options.some(({ name }) => name === "--full-refresh" || name === "-f")) return "destroy";
      // Rows of the production database are replaced.
      return valuesOf(use, "-t", "--target").some((target) => /prod|live/i.test(target)) ? "publish" : null;
    },
    runs: [
      "dvc status",
      "dvc pull",
      "dbt compile",
      "dbt ls",
      "mlflow --version",
      "mlflow server --port 5000",
      "dagster asset list -m defs",
      "dbt test -s orders",
    ],
    asks: [
      "dvc push",
      "dvc pull -r evil",
      "dbt run --target prod",
      "dbt run --full-refresh",
      "dagster run wipe",
      "dagster asset materialize --select x",
      "mlflow runs delete --run-id 1",
      "airflow dags delete x",
      "airflow variables get x",
      "hf upload x",
      "huggingface-cli download x",
      "wandb login",
      "kaggle datasets download x",
    ],
  }),
];
