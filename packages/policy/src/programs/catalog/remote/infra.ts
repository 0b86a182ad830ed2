import { defineProgram, type ProgramUse } from "../../define-program.ts";
import { has } from "../use.ts";

const LISTS = /(^| )--(list-hosts|list-tags|list-tasks|syntax-check|graph|list|host)( |$)/;
const flagsOf = ({ options }: ProgramUse) => options.map(({ name }) => name).join(" ");

export const INFRA = [
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
      "init get": { does: "install", operands: "value" },
      // It evaluates any expression, even over sensitive values.
      console: "secret",
      "login logout": "change",
      "apply import refresh taint untaint force-unlock run-all run": { does: "publish", operands: "value" },
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
    ],
    asks: [
      "terraform apply -auto-approve",
      "terraform destroy",
      "terraform output -json",
      "terraform state pull",
      "terraform init",
      "terraform force-unlock 1",
      "terraform output -raw db_password",
    ],
  }),
  defineProgram({
    names:
      "pulumi cdk cdktf serverless sls sst-cli bicep ansible ansible-playbook ansible-galaxy ansible-vault ansible-doc ansible-config ansible-inventory ansible-lint ansible-pull ansible-console ansible-test packer molecule",
    does: "publish",
    isOpen: true,
    options:
      "-i:c --inventory:c -e: --extra-vars: -l: --limit: -t: --type: --tags: --skip-tags: -s: --stack: -C:d --cwd:d -c:c --config:c --app:x -a: --args: --context: --profile: --region: -var: -var-file:r -m: -M:c --module-path:c --playbook-dir:c --vault-password-file:r --private-key:r",
    operands: "value",
    wraps: { skip: 99, code: ["-a", "--args"], effect: "remote", isOpaque: true },
    runs: [
      "cdk synth",
      "packer validate t.pkr.hcl",
      "ansible-playbook p.yml --syntax-check",
      "ansible-doc -l",
      "ansible-lint p.yml",
      "serverless print",
      "pulumi preview",
    ],
    asks: [
      "cdk deploy",
      "pulumi up -y",
      "ansible all -m ping",
      "ansible-playbook p.yml",
      "packer build t.json",
      "ansible-vault view s.yml",
      "ansible-playbook --syntax-check -i /tmp/x.py p.yml",
      "cdk --app ./x synth",
    ],
    check: (use) => {
      if (/^ansible-(doc|lint)$/.test(use.name)) return "work";
      if (use.name === "ansible-inventory") return has(use, "--list", "--graph", "--host") ? "work" : "change";
      if (use.name === "ansible-pull" || use.name === "ansible-console" || use.name === "ansible")
        return LISTS.test(flagsOf(use)) ? "work" : "publish";
      const first = use.operands[0]?.text ?? "";
      const flags = flagsOf(use);
      const words = use.operands.map(({ text }) => text).join(" ");
      if (LISTS.test(flags)) return "work";
      if (
        /^(deploy|up|destroy|delete|rm|remove|publish|login|logout|import|refresh|watch|rollback|bootstrap|provision|push|cancel|gc|migrate|init|refactor|setup|install|invoke|create|encrypt|rekey|encrypt_string|build|hcl2_upgrade|ssh|halt|reload|box|package|converge|console|coverage|new|config|plugins?|env-set)$/.test(
          first,
        )
      )
        return /^(destroy|delete|rm|remove|gc)$/.test(first)
          ? "destroy"
          : first === "config" && /^config( (get|list))?$/.test(words)
            ? "read"
            : first === "plugins" && words === "plugins installed"
              ? "read"
              : "publish";
      if (/^(edit|view|decrypt)$/.test(first)) return "secret";
      if (/^(collection|role)$/.test(first))
        return /^(collection|role) (list|verify|info|search)/.test(words)
          ? "read"
          : /delete|remove/.test(words)
            ? "destroy"
            : /publish|import|setup/.test(words)
              ? "publish"
              : "install";
      if (
        /^(synth|synthesize|ls|list|diff|preview|doctor|docs|notices|acknowledge|ack|metadata|validate|inspect|fmt|format|print|info|version|status|global-status|about|whoami|history|logs|stack|dump|env|sanity|units|test|lint|syntax|matrix|help|port|ssh-config|plugins-installed|required_plugins)$/.test(
          first,
        )
      ) {
        if (first === "stack")
          return /^stack( (ls|output|history|graph))?$/.test(words)
            ? has(use, "--show-secrets")
              ? "secret"
              : "remote"
            : "publish";
        if (first === "logs") return "remote";
        if (first === "ssh-config") return "secret";
        return first === "fmt" || first === "format" ? "work" : "work";
      }
      if (first === "context") return /--(clear|reset)/.test(flags) || has(use, "-e") ? "destroy" : "read";
      return null;
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
      "upload register auth": "publish",
      "silence config": "change",
    },
    runs: ["promtool check config prometheus.yml"],
    asks: ["infracost upload x"],
  }),
];
