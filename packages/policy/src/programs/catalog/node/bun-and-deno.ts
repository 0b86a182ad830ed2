import { defineProgram } from "../../define-program.ts";
import { has } from "../use.ts";
import { npxEffect } from "./npx-effect.ts";
import { NPM_OPTIONS, RUNS_TOOL, SCRIPT } from "./package-managers.ts";

export const BUN_AND_DENO = [
  defineProgram({
    names: "bun",
    does: "work",
    namesScript: true,
    isOpen: true,
    options: `${NPM_OPTIONS} -e: -p: --eval: --print: --preload:c -r:c --config?c --env-file:c --watch --hot --filter: --timeout: --coverage --rerun-each: -t: --test-name-pattern: --only --todo --minify --outdir:w --outfile:w --target: --sourcemap? --splitting --external: --format: --bun -b -v`,
    operands: "read",
    verbs: {
      run: { ...SCRIPT, operands: "read", stopsAtOperand: true },
      "test build": { does: "work", operands: "read" },
      pm: {
        does: "change",
        operands: "value",
        verbs: {
          "ls list bin hash whoami view why cache-dir": "read",
          "trust untrusted migrate cache pack pkg version": "change",
        },
      },
      "outdated audit why info": "read",
      "install i": {
        does: "install",
        operands: "value",
        check: (use) => (use.operands.length === 0 && has(use, "--frozen-lockfile") ? "restore" : "install"),
      },
      ci: "restore",
      "add a remove rm update link unlink create c init upgrade patch patch-commit": {
        does: "install",
        operands: "value",
      },
      publish: "publish",
      repl: "code",
      exec: "code",
      x: { does: "read", operands: "value", stopsAtOperand: true, wraps: RUNS_TOOL, check: npxEffect },
    },
    check: (use) => (use.verb === "" && use.operands.length === 0 ? (use.options.length > 0 ? "read" : "read") : null),
    runs: ["bun test", "bun run build", "bun lint", "bun install --frozen-lockfile", "bun src/index.ts"],
    asks: ["bun -e 'Bun.env'", "bun add hono", "bun publish", "bun /tmp/x.ts", "bun install"],
  }),
  defineProgram({
    names: "deno",
    does: "work",
    isOpen: true,
    options:
      "-A --allow-all --allow-read? --allow-write? --allow-net? --allow-env? --allow-run? --allow-ffi? --allow-sys? --config:c -c:c --import-map:c --lock:c --reload? --no-check --check --watch? --unstable --filter: --coverage? --parallel --fail-fast? --quiet -q --output:w -o:w --env-file?c --location: --cert:r",
    verbs: {
      "task run serve": { does: "work", operands: "read", isOpen: true, namesScript: true },
      "test bench check lint fmt compile bundle doc coverage": {
        does: "work",
        operands: "read",
        isOpen: true,
      },
      "info types --version help outdated": { does: "read", operands: "value" },
      "install i": {
        does: "install",
        operands: "value",
        check: (use) =>
          use.operands.length === 0 && use.options.every(({ does }) => does === null) ? "restore" : "install",
      },
      cache: { does: "restore", operands: "value" },
      "add remove uninstall upgrade update": "install",
      // Its argument is judged as code.
      eval: { does: "work", operands: "value" },
      repl: "code",
      "publish deploy": "publish",
    },
    check: ({ operands, does }) => (operands.some(({ text }) => /^(npm|jsr):/.test(text)) ? "install" : does),
    runs: ["deno test --allow-read", "deno task build", "deno fmt --check", "deno run main.ts"],
    asks: ["deno run https://example.com/x.ts", "deno publish", "deno run /tmp/x.ts"],
  }),
];
