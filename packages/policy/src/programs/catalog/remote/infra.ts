import { defineProgram, type Effect, type ProgramUse } from "../../define-program.ts";
import { has } from "../use.ts";

/** Options with which Ansible only inspects its own files. */
const onlyLists = (use: ProgramUse) =>
  has(use, "--list-hosts", "--list-tags", "--list-tasks", "--syntax-check", "--graph", "--list", "--host");

/** A rehearsal of the project's own playbooks with `--check`, which only reads the machines. */
const onlyRehearses = (use: ProgramUse) =>
  use.name === "ansible-playbook" &&
  has(use, "--check") &&
  use.operands.every(({ text }) => !/^[/~]|\.\./.test(text)) &&
  !has(use, "-e", "--extra-vars", "--ask-pass", "--ask-become-pass", "-k", "-K");

const words = (text: string): ReadonlySet<string> => new Set(text.split(" "));
const PUBLISHES = words(
  "deploy up publish login logout import refresh watch rollback bootstrap provision push cancel migrate init refactor setup install invoke create encrypt rekey encrypt_string build hcl2_upgrade ssh halt reload box package converge console coverage new config plugin plugins env-set",
);
const DESTROYS = words("destroy delete rm remove gc");
const SHOWS_SECRETS = words("edit view decrypt ssh-config");
const WORKS = words(
  "synth synthesize ls list diff preview doctor notices metadata validate inspect fmt format print info version status global-status search about whoami history dump env sanity units test lint syntax matrix help port plugins-installed required_plugins",
);
/** What opens a browser, or changes the project's or the tool's settings. */
const CHANGES = words("docs doc acknowledge ack flags cli-telemetry");
const PACKAGE_READS = words("list verify info search");
const PACKAGE_PUBLISHES = words("publish import setup");

/** The verbs of pulumi, cdk, serverless, molecule and Ansible's tools. */
function verbEffect(use: ProgramUse): Effect | null {
  const [first = "", second, ...rest] = use.operands.map(({ text }) => text);
  const isAlone = second === undefined;
  switch (first) {
    case "config":
      return isAlone || ((second === "get" || second === "list") && rest.length === 0) ? "read" : "publish";
    case "collection":
    case "role":
      if (isAlone) return "install";
      if (PACKAGE_READS.has(second)) return "read";
      if (DESTROYS.has(second)) return "destroy";
      return PACKAGE_PUBLISHES.has(second) ? "publish" : "install";
    case "stack":
      if (!isAlone && !["ls", "output", "history", "graph"].includes(second)) return "publish";
      return has(use, "--show-secrets") ? "secret" : "remote";
    case "logs":
      return "remote";
    case "env":
      if (use.name !== "pulumi") break;
      return second === "ls" || second === "diff"
        ? "remote"
        : second === "get" || second === "open"
          ? "secret"
          : "publish";
    case "context":
      return has(use, "--clear", "--reset", "-e") ? "destroy" : "read";
  }
  if (DESTROYS.has(first)) return "destroy";
  if (PUBLISHES.has(first)) return "publish";
  if (SHOWS_SECRETS.has(first)) return "secret";
  if (CHANGES.has(first)) return "change";
  return WORKS.has(first) ? "work" : null;
}

export const INFRA = [
  defineProgram({
    names: "restic rustic borg kopia",
    does: "publish",
    isOpen: true,
    options:
      "-r: --repo: --repository: -p:c --password-file:c --password-command:x --passcommand:x -o:x --option:x --rsh:x --remote-path:x --json",
    operands: "value",
    verbs: {
      "snapshots list ls stats find diff check info": { does: "remote", operands: "value", isOpen: true },
      snapshot: {
        does: "publish",
        operands: "value",
        isOpen: true,
        verbs: { "list ls estimate": { does: "remote", operands: "value" }, "delete expire": "destroy" },
      },
      "cat key repository repo config": { does: "secret", operands: "value", isOpen: true },
      "forget prune delete unlock compact rewrite recreate": { does: "destroy", operands: "value", isOpen: true },
    },
    runs: ["restic snapshots", "borg list repo", "kopia snapshot list"],
    asks: [
      "restic backup ~/docs",
      "borg delete repo::a",
      "kopia repository status -t",
      "restic -o sftp.command=x snapshots",
    ],
  }),
  defineProgram({
    names: "vagrant",
    does: "publish",
    options: "--no-color --machine-readable",
    verbs: {
      "status global-status version validate port": { does: "read", operands: "value", options: "--prune" },
      ssh: {
        does: "code",
        operands: "value",
        options: "-c: --command: -p --plain",
        wraps: { skip: 99, code: ["-c", "--command"], effect: "remote", isOpaque: true },
      },
      destroy: { does: "destroy", operands: "value", isOpen: true },
      "up halt reload provision suspend resume box package plugin snapshot init ssh-config": {
        does: "change",
        operands: "value",
        isOpen: true,
      },
    },
    runs: ["vagrant status"],
    asks: ["vagrant destroy -f", "vagrant ssh -c ls"],
  }),
  defineProgram({
    names: "helmfile",
    does: "publish",
    isOpen: true,
    options:
      "-e: --environment: -f:c --file:c -n: --namespace: -l: --selector: -q --quiet --debug --kube-context: -b:x --helm-binary:x",
    operands: "value",
    verbs: {
      "diff lint list template build status version show-dag": { does: "remote", operands: "value" },
      "destroy delete": "destroy",
      "deps repos fetch cache init": "install",
    },
    runs: ["helmfile -e dev diff", "helmfile list"],
    asks: ["helmfile apply", "helmfile destroy", "helmfile -f /tmp/x.yaml diff", "helmfile -b ./x diff"],
  }),
  defineProgram({
    names: "terraform tofu terragrunt opentofu",
    does: "publish",
    hasSingleDashLong: true,
    options:
      "-chdir:d -no-color -json -lock? -input? -state: -var: -var-file:r -compact-warnings -lock-timeout: -parallelism: -target: -replace: -refresh? -refresh-only -detailed-exitcode -out:w -destroy -generate-config-out:w -backend? -upgrade -raw -module-depth: -plan:r -type: -draw-cycles -check -diff -write? -recursive -list? -platform: -test-directory: -filter: -verbose -id: -no-tests -from-module: -migrate-state -reconfigure -get? -plugin-dir:c -lockfile: -force-copy -backend-config: -update? -auto-approve -force",
    operands: "value",
    verbs: {
      "version validate graph providers modules metadata": {
        does: "read",
        operands: "value",
        verbs: { "schema functions": "read", lock: "restore", mirror: { does: "install", operands: "write" } },
      },
      show: { does: "read", operands: "value", check: (use) => (has(use, "-json") ? "secret" : null) },
      // Sensitive values are hidden, except in these two formats.
      output: {
        does: "read",
        operands: "value",
        check: (use) => (has(use, "-json", "-raw") || use.operands.length > 0 ? "secret" : null),
      },
      fmt: { does: "work", operands: "read" },
      "hclfmt hclvalidate": { does: "work", operands: "read", options: "-terragrunt-check -terragrunt-diff" },
      plan: { does: "work", operands: "read", check: (use) => (has(use, "-destroy") ? "work" : null) },
      test: "publish",
      workspace: {
        does: "change",
        operands: "value",
        verbs: { "list show": "read", "new select": "change", delete: "destroy" },
      },
      state: {
        does: "publish",
        operands: "value",
        verbs: {
          list: { does: "read", operands: "value" },
          "show pull": { does: "secret", operands: "value" },
          "mv rm push replace-provider": { does: "destroy", operands: "value" },
        },
      },
      "init get": {
        does: "install",
        operands: "value",
        // It copies the state to another place.
        check: (use) => (has(use, "-migrate-state", "-force-copy") ? "publish" : null),
      },
      // It evaluates any expression, even over sensitive values.
      console: "secret",
      "login logout": "publish",
      // The command that terragrunt runs in every folder.
      "run-all run": {
        does: "publish",
        operands: "value",
        verbs: { "validate plan": "work", destroy: "destroy", "output show": "secret" },
      },
      "apply import refresh taint untaint force-unlock": { does: "publish", operands: "value" },
      destroy: { does: "destroy", operands: "value" },
    },
    runs: [
      "terraform validate",
      "terraform show",
      "terraform fmt -check",
      "terraform plan -no-color",
      "terraform state list",
      "terraform -chdir=infra validate",
      "terraform workspace list",
      "terragrunt run-all validate",
    ],
    asks: [
      "terraform apply -auto-approve",
      "terraform destroy",
      "terraform output -json",
      "terraform state pull",
      "terraform init",
      "terraform force-unlock 1",
      "terraform output -raw db_password",
      "terragrunt run-all apply",
      "terragrunt run-all destroy",
    ],
  }),
  defineProgram({
    names: "packer",
    does: "publish",
    hasSingleDashLong: true,
    options: "-machine-readable -v",
    verbs: {
      "version help": { does: "read", operands: "value" },
      "validate inspect": {
        does: "work",
        operands: "read",
        options:
          "-syntax-only -except: -only: -var: -var-file:r -machine-readable -no-warn-undeclared-var -evaluate-datasources=publish -use-sequential-evaluation",
      },
      fmt: { does: "work", operands: "read", options: "-check -diff -write? -recursive" },
      plugins: {
        does: "install",
        operands: "value",
        isOpen: true,
        verbs: { installed: "read", required: { does: "read", operands: "read" }, remove: "destroy" },
      },
      init: { does: "install", operands: "value", isOpen: true },
      // It evaluates any expression, even over sensitive variables.
      console: { does: "secret", operands: "value", isOpen: true },
      // They print a new template, or write it.
      "fix hcl2_upgrade": { does: "change", operands: "read", isOpen: true, options: "-output-file:w" },
      build: { does: "publish", operands: "value", isOpen: true },
    },
    check: (use) => (use.verb === "" && use.operands.length === 0 && has(use, "-v") ? "read" : null),
    runs: ["packer validate t.pkr.hcl", "packer fmt -check .", "packer plugins required .", "packer build -help"],
    asks: [
      "packer build t.json",
      "packer init .",
      "packer plugins install github.com/example/x",
      "packer console t.json",
      "packer validate -evaluate-datasources .",
      "packer validate -var-file=.env .",
    ],
  }),
  defineProgram({
    names:
      "pulumi cdk cdktf serverless sls sst-cli bicep ansible ansible-playbook ansible-galaxy ansible-vault ansible-doc ansible-config ansible-inventory ansible-lint ansible-pull ansible-console ansible-test molecule",
    does: "publish",
    isOpen: true,
    options:
      "-i:c --inventory:c -e: --extra-vars: -l: --limit: -t: --type: --tags: --skip-tags: -s: --stack: -C:d --cwd:d -c:c --config:c --app:x -a: --args: --context: --profile: --region: -var: -var-file:r -m: -M:c --module-path:c --playbook-dir:c --vault-password-file:r --private-key:r",
    operands: "value",
    wraps: { skip: 99, code: ["-a", "--args"], effect: "remote", isOpaque: true },
    runs: [
      "cdk synth",
      "ansible-playbook p.yml --syntax-check",
      "ansible-playbook -i inventories/dev p.yml --check --diff",
      "ansible-doc -l",
      "ansible-config view",
      "ansible-lint p.yml",
      "serverless print",
      "pulumi preview",
    ],
    asks: [
      "cdk deploy",
      "cdk docs",
      "cdk acknowledge 1234",
      "pulumi up -y",
      "pulumi env open acme/prod",
      "pulumi up --version",
      "ansible all -m ping",
      "ansible-playbook p.yml",
      "ansible-playbook p.yml --check -e x=1",
      "ansible-playbook -i /tmp/x.py p.yml --check",
      "ansible-vault view s.yml",
      "ansible-playbook --syntax-check -i /tmp/x.py p.yml",
      "cdk --app ./x synth",
    ],
    check: (use) => {
      if (["ansible-doc", "ansible-lint"].includes(use.name)) return "work";
      // `ansible-vault view` decrypts a file; this prints the settings.
      if (use.name === "ansible-config" && use.operands[0]?.text === "view") return "work";
      if (use.name === "ansible-inventory") {
        // With the password it prints the decrypted variables.
        if (use.options.some(({ name }) => /^(?:--vault-\w|--ask-vault|-J$)/.test(name))) return "secret";
        return has(use, "--list", "--graph", "--host") ? "work" : "change";
      }
      if (use.name === "ansible-pull" || use.name === "ansible-console" || use.name === "ansible")
        return onlyLists(use) ? "work" : "publish";
      return onlyLists(use) || onlyRehearses(use) ? "work" : verbEffect(use);
    },
  }),
];

/** Tools that are read-only by nature: their operands are names, not verbs. */
export const INFRA_READERS = [
  defineProgram({
    names: "infracost tfsec terrascan driftctl tflint-rules promtool amtool logcli",
    does: "work",
    isOpen: true,
    operands: "read",
    verbs: {
      "check test query": { does: "work", operands: "value" },
      tsdb: {
        does: "change",
        operands: "value",
        verbs: { "list analyze dump dump-openmetrics": { does: "work", operands: "read" } },
      },
      push: "publish",
      "upload register auth": "publish",
      silence: { does: "publish", operands: "value", verbs: { query: "work" } },
      config: "change",
      alert: { does: "work", operands: "value", verbs: { query: "work", add: "publish" } },
      delete: { does: "destroy", operands: "value" },
    },
    runs: ["promtool check config prometheus.yml", "promtool tsdb list data"],
    asks: [
      "infracost upload x",
      "amtool alert add x",
      "amtool silence add alertname=x",
      "logcli delete create",
      "promtool tsdb create-blocks-from openmetrics m.txt",
      "promtool push metrics http://example.com/api m.txt",
    ],
  }),
];
