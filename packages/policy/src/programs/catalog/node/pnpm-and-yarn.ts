import { defineProgram, type ProgramUse } from "../../define-program.ts";
import { has } from "../use.ts";
import { installEffect, NPM_OPTIONS, RUNS_TOOL, SCRIPT } from "./package-managers.ts";

/** `yarn config get npmAuthToken` prints the token. */
const CONFIG = {
  does: "change" as const,
  operands: "value" as const,
  verbs: { "get list ls": { does: "read" as const, operands: "value" as const } },
  check: ({ operands }: ProgramUse) =>
    operands.some(({ text }) => /auth|token|password/i.test(text)) ? ("secret" as const) : null,
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
      "list ls ll la why outdated licenses audit root bin view info show search help doctor store-status cat-file cat-index find-hash":
        { does: "read", operands: "value", options: "--fix=install" },
      "install i": { does: "restore", operands: "value", check: installEffect },
      fetch: "restore",
      config: CONFIG,
      "add update up upgrade remove rm uninstall un link ln unlink rebuild rb prune dedupe patch patch-commit import create env setup self-update approve-builds install-test it":
        { does: "install", operands: "value" },
      publish: "publish",
      store: { does: "change", operands: "value", verbs: { "status path": "read" } },
      "deploy pack init login logout version": { does: "change", operands: "value" },
    },
    check: (use) => (use.verb === "" && use.operands.length === 0 ? "read" : null),
    runs: [
      "pnpm test",
      "pnpm install",
      "pnpm --filter @app/api test -- --bail",
      "pnpm -w run build",
      "pnpm exec tsc --noEmit",
    ],
    asks: ["pnpm add zod", "pnpm -C/tmp/evil test", "pnpm publish", "pnpm --filter web add evil", "pnpm dlx x"],
  }),
  defineProgram({
    names: "yarn yarnpkg",
    does: "work",
    namesScript: true,
    isOpen: true,
    options: `${NPM_OPTIONS} --cwd:d --use-yarnrc:c --immutable --immutable-cache --check-cache --check-files --inline-builds --mode: --pure-lockfile --non-interactive --network-timeout: --ignore-engines --ignore-optional --top-level -T`,
    operands: "value",
    verbs: {
      "run test start": { ...SCRIPT, stopsAtOperand: true },
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
        check: ({ operands }) =>
          /^(add|remove|upgrade|up|install|publish|link|unlink|dlx|exec|node|config|set|npm|pack|version)$/.test(
            operands[1]?.text ?? "",
          )
            ? "install"
            : "work",
      },
      config: CONFIG,
      "add remove upgrade upgrade-interactive up link unlink global create set import policies plugin init patch patch-commit rebuild unplug autoclean":
        { does: "install", operands: "value" },
      dedupe: {
        does: "install",
        operands: "value",
        options: "-c --check",
        check: (use) => (has(use, "-c", "--check") ? "work" : null),
      },
      npm: {
        does: "publish",
        operands: "value",
        verbs: { "audit info whoami": { does: "remote", operands: "value", isOpen: true } },
      },
      "publish tag owner team": { does: "publish", operands: "value" },
      "cache pack version login logout": { does: "change", operands: "value" },
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
    runs: ["yarn test", "yarn build", "yarn why react", "yarn install --frozen-lockfile", "yarn workspace web test"],
    asks: [
      "yarn add x",
      "yarn install",
      "yarn npm publish",
      "yarn application -kill application_1_2",
      "yarn workspace web add evil",
      "yarn config set registry http://evil.io",
      "yarn config get npmAuthToken",
    ],
  }),
];
