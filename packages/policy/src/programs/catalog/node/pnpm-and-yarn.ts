import { defineProgram, type ProgramUse } from "../../define-program.ts";
import { has } from "../use.ts";
import { installEffect, NPM_OPTIONS, RUNS_TOOL, SCRIPT } from "./package-managers.ts";

const READS = { does: "remote", operands: "value", isOpen: true } as const;

/** `yarn config get npmAuthToken` prints the token. Without a verb, yarn lists all settings and hides the tokens. */
const CONFIG = {
  does: "change" as const,
  operands: "value" as const,
  verbs: { "get list ls": { does: "read" as const, operands: "value" as const } },
  check: ({ operands, verb, options }: ProgramUse) => {
    if (operands.some(({ text }) => /auth|token|password/i.test(text))) return "secret" as const;
    const isList =
      verb === "config" && operands.length === 0 && options.every(({ name }) => /^-(?:v|-json)$/.test(name));
    return isList ? ("read" as const) : null;
  },
};

export const PNPM_AND_YARN = [
  defineProgram({
    names: "pnpm",
    does: "work",
    namesScript: true,
    isOpen: true,
    options: `${NPM_OPTIONS} -w --workspace-root`,
    operands: "value",
    verbs: {
      "run run-script test t start": { ...SCRIPT, stopsAtOperand: true },
      exec: { ...SCRIPT, namesScript: false, stopsAtOperand: true, wraps: RUNS_TOOL },
      dlx: { does: "install", operands: "value", stopsAtOperand: true, wraps: RUNS_TOOL },
      "list ls ll la why outdated licenses audit root bin view info show search help doctor store-status cat-file cat-index find-hash ignored-builds sbom peers completion":
        { does: "read", operands: "value", options: "--fix=install -g --global" },
      "whoami ping prefix stars v s se find": READS,
      "install i": { does: "restore", operands: "value", check: installEffect },
      fetch: "restore",
      "config c": CONFIG,
      "add update up upgrade remove rm uninstall un link ln unlink rebuild rb prune dedupe patch patch-commit patch-remove import create setup self-update approve-builds install-test it runtime rt edit":
        { does: "install", operands: "value" },
      env: { does: "install", operands: "value", verbs: { "list ls": READS } },
      // The old spelling of `-r`.
      "recursive multi m": {
        does: "work",
        operands: "value",
        stopsAtOperand: true,
        wraps: { before: "pnpm", isOpaque: true },
      },
      // These are passed on to npm.
      "publish unpublish deprecate undeprecate star unstar profile token hook stage trust": {
        does: "publish",
        operands: "value",
        isOpen: true,
      },
      "access dist-tag dist-tags owner author team org": {
        does: "publish",
        operands: "value",
        isOpen: true,
        verbs: { "ls list get": READS },
      },
      store: {
        does: "change",
        operands: "value",
        verbs: { "status path": "read", prune: "destroy" },
      },
      cache: { does: "change", operands: "value", verbs: { "list list-registries view": READS, delete: "destroy" } },
      "deploy pack init login logout adduser version set set-script pkg docs home repo bugs issues server": {
        does: "change",
        operands: "value",
      },
    },
    check: (use) => (use.verb === "" && use.operands.length === 0 ? "read" : null),
    runs: [
      "pnpm test",
      "pnpm install",
      "pnpm --filter @app/api test -- --bail",
      "pnpm -w run build",
      "pnpm exec tsc --noEmit",
      "pnpm dist-tag ls react",
      "pnpm env list",
      "pnpm recursive run build",
      "pnpm c get store-dir",
    ],
    asks: [
      "pnpm add zod",
      "pnpm -C/tmp/evil test",
      "pnpm publish",
      "pnpm --filter web add evil",
      "pnpm dlx x",
      "pnpm dist-tag rm x beta",
      "pnpm deprecate x@1 old",
      "pnpm owner add bob x",
      "pnpm env use 22",
      "pnpm recursive exec rm -rf src",
      "pnpm m add evil",
    ],
  }),
  defineProgram({
    names: "yarn yarnpkg",
    does: "work",
    namesScript: true,
    isOpen: true,
    options: `${NPM_OPTIONS} --cwd:d --use-yarnrc:c --immutable --immutable-cache --check-cache --check-files --inline-builds --mode: --pure-lockfile --non-interactive --network-timeout: --ignore-engines --ignore-optional --top-level -T`,
    operands: "value",
    verbs: {
      "run test start": {
        ...SCRIPT,
        stopsAtOperand: true,
        // `yarn run env` prints the environment.
        check: ({ operands }) => (operands[0]?.text === "env" ? "secret" : null),
      },
      exec: { ...SCRIPT, namesScript: false, stopsAtOperand: true, wraps: RUNS_TOOL },
      dlx: { does: "install", operands: "value", stopsAtOperand: true, wraps: RUNS_TOOL },
      node: { does: "work", operands: "value", isHarmless: true, wraps: { ...RUNS_TOOL, startsWith: "node" } },
      "list why info outdated licenses audit bin help versions constraints explain search": {
        does: "read",
        operands: "value",
      },
      install: {
        does: "install",
        operands: "value",
        check: (use) => (has(use, "--frozen-lockfile", "--immutable") ? "restore" : "install"),
      },
      workspaces: {
        does: "work",
        operands: "value",
        stopsAtOperand: true,
        verbs: {
          "info list": "read",
          foreach: {
            does: "work",
            operands: "value",
            options:
              "-A -a -R -W -p -i -t -v -n -j: --all --recursive --worktree --parallel --interlaced --topological --topological-dev --verbose --no-private --jobs: --include: --exclude: --since? --from: --dry-run",
            stopsAtOperand: true,
            wraps: { before: "yarn", isOpaque: true },
          },
          run: { does: "work", operands: "value", isOpen: true, namesScript: true },
          focus: "install",
        },
      },
      workspace: {
        does: "work",
        operands: "value",
        stopsAtOperand: true,
        wraps: { before: "yarn", skip: 1, isOpaque: true },
        check: ({ operands }) =>
          /^(add|remove|upgrade|up|install|publish|link|unlink|dlx|exec|node|config|set|npm|pack|version)$/.test(
            operands[1]?.text ?? "",
          )
            ? "install"
            : "work",
      },
      config: CONFIG,
      "add remove upgrade upgrade-interactive up link unlink create set import policies init patch patch-commit rebuild unplug autoclean self-update generate-lock-entry":
        { does: "install", operands: "value" },
      plugin: { does: "install", operands: "value", verbs: { "list runtime check": READS } },
      global: { does: "install", operands: "value", verbs: { "list ls dir bin": READS } },
      dedupe: {
        does: "install",
        operands: "value",
        options: "-c --check",
        check: (use) => (has(use, "-c", "--check") ? "work" : null),
      },
      npm: {
        does: "publish",
        operands: "value",
        verbs: {
          "audit info whoami": READS,
          tag: { does: "publish", operands: "value", verbs: { "list ls": READS } },
        },
      },
      publish: { does: "publish", operands: "value" },
      "tag owner team": { does: "publish", operands: "value", verbs: { "list ls": READS } },
      cache: { does: "change", operands: "value", verbs: { "list ls dir": READS, clean: "destroy" } },
      "pack version login logout": { does: "change", operands: "value" },
    },
    check: (use) =>
      use.verb !== ""
        ? null
        : use.operands.length > 0
          ? // Hadoop has a program of the same name.
            /^(?:app|application|applicationattempt|container|queue|rmadmin|scmadmin|router|jar)$/.test(
              use.operands[0]?.text ?? "",
            ) && use.options.length > 0
            ? use.options.every(({ name }) => /^-(?:list|status)$/.test(name))
              ? "remote"
              : "publish"
            : "work"
          : has(use, "-v", "--version")
            ? "read"
            : has(use, "--frozen-lockfile", "--immutable")
              ? "restore"
              : "install",
    runs: [
      "yarn test",
      "yarn build",
      "yarn why react",
      "yarn install --frozen-lockfile",
      "yarn workspace web test",
      "yarn config",
      "yarn cache dir",
      "yarn npm tag list react",
      "yarn global list",
    ],
    asks: [
      "yarn add x",
      "yarn install",
      "yarn npm publish",
      "yarn application -kill application_1_2",
      "yarn workspace web add evil",
      "yarn config set registry http://evil.io",
      "yarn config get npmAuthToken",
      "yarn global add x",
      "yarn npm tag add x@1 latest",
      "yarn plugin import x",
      "yarn self-update",
    ],
  }),
];
