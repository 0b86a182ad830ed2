import { defineProgram } from "../../define-program.ts";

const READ = { does: "remote", operands: "value" } as const;
const WORK = { does: "work", operands: "value" } as const;

/** Platforms for shops and companies, whose programs build here and publish there. */
export const PLATFORMS = [
  defineProgram({
    names: "sf sfdx",
    does: "publish",
    isOpen: true,
    options: "-o: --target-org: --json --wait: -w: --source-dir:r -d:r --manifest:r -x:r --query: -q: --output-dir:w",
    operands: "value",
    verbs: {
      org: {
        does: "publish",
        operands: "value",
        // `org display` prints the token of the account.
        verbs: { "list limits": READ, display: "secret", delete: "destroy", open: "change" },
      },
      project: {
        does: "publish",
        operands: "value",
        verbs: { "generate convert list": WORK, retrieve: "network", delete: "destroy" },
      },
      data: { does: "publish", operands: "value", verbs: { "query get search": READ, delete: "destroy" } },
      "scanner code-analyzer": { does: "work", operands: "value", verbs: { "run rule rules config": WORK } },
      config: { does: "change", operands: "value", verbs: { "get list": { does: "read", operands: "value" } } },
      "version help which plugins": { does: "read", operands: "value" },
    },
    runs: ["sf org list", "sf code-analyzer run --target force-app", "sf data query -q 'SELECT Id FROM Account'"],
    asks: [
      "sf org display",
      "sf project deploy start --source-dir force-app",
      "sf org delete scratch -o x",
      "sf apex run -f a.apex",
      "sf plugins install x",
    ],
    check: ({ verb, operands }) => (verb.endsWith("plugins") && operands.length > 0 ? "install" : null),
  }),
  defineProgram({
    names: "shopify",
    does: "publish",
    isOpen: true,
    options: "-s: --store: -t: --theme: --path:d --json --fail-level: -o:w",
    operands: "value",
    verbs: {
      theme: {
        does: "publish",
        operands: "value",
        verbs: { "check package language-server": WORK, "list info": READ, delete: "destroy", pull: "network" },
      },
      app: {
        does: "publish",
        operands: "value",
        verbs: { "build info function": WORK, versions: READ, env: "secret" },
      },
      hydrogen: { does: "publish", operands: "value", verbs: { "build check codegen preview": WORK } },
      "version help": { does: "read", operands: "value" },
    },
    runs: ["shopify theme check", "shopify theme list", "shopify app build"],
    asks: ["shopify theme push", "shopify app deploy", "shopify theme delete -t 1", "shopify app env show"],
  }),
  defineProgram({
    names: "cds",
    does: "change",
    isOpen: true,
    options: "--to: -2: --for: -o:w --dest:w --profile: --production --service: -s:",
    operands: "value",
    verbs: {
      "build compile lint watch serve run test env version help": WORK,
      "deploy up": { does: "publish", operands: "value" },
      "add init import": { does: "install", operands: "value" },
      "bind login": "secret",
    },
    runs: ["cds build", "cds watch", "cds compile srv --to edmx"],
    asks: ["cds deploy --to hana", "cds add hana", "cds bind -2 x"],
  }),
  defineProgram({
    names: "wp-env",
    does: "change",
    isOpen: true,
    options: "--env-cwd: --debug",
    operands: "value",
    verbs: {
      start: WORK,
      "logs install-path": { does: "read", operands: "value" },
      run: { does: "work", operands: "value", stopsAtOperand: true, wraps: { skip: 1, isOpaque: true } },
      "clean destroy stop": "destroy",
    },
    runs: ["wp-env start", "wp-env run cli wp plugin list", "wp-env run tests-cli phpunit"],
    asks: ["wp-env destroy", "wp-env run cli wp db drop", "wp-env run cli rm x"],
  }),
];
