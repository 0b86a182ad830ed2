import { defineProgram } from "../../define-program.ts";
import { taskEffect } from "../../names/grave-words.ts";
import { has, valuesOf } from "../use.ts";
import { npxEffect } from "./npx-effect.ts";
import { RUNS_TOOL } from "./package-managers.ts";

export const NODE_ITSELF = [
  defineProgram({
    names: "npx bunx",
    does: "read",
    options:
      "-y --yes --no --no-install -q --quiet --bun -c:x --call:x -p:=install --package:=install --prefix:d --script-shell:x --registry:h --userconfig:x --node-options:x --cache:c -w: --workspace: --ignore-existing=install --shell-auto-fallback?=code --loglevel: --prefer-offline --offline",
    operands: "value",
    stopsAtOperand: true,
    wraps: { ...RUNS_TOOL, code: ["-c", "--call"] },
    check: npxEffect,
    runs: ["npx tsc --noEmit", "npx eslint . --fix", "npx prisma generate", "npx knip"],
    asks: [
      "npx -y some-random-package",
      "npx create-next-app@latest my-app",
      "npx -p evil-pkg cmd",
      "npx --prefix /tmp/evil eslint .",
      "npx del-cli src",
      "npx eslint@1.2.3-evil x",
    ],
  }),
  defineProgram({
    names: "node nodejs",
    does: "work",
    options:
      "-c -i=code -v -h -e: -p: -pe: -ep: -r:c -C: --check --eval: --print: --require:c --import:c --loader:x --experimental-loader:x --conditions: --env-file:c --env-file-if-exists:c --test --test-name-pattern: --test-skip-pattern: --test-only --test-reporter:c --test-reporter-destination:w --test-concurrency: --test-timeout: --test-coverage-include: --test-coverage-exclude: --test-shard: --test-force-exit --test-isolation: --test-update-snapshots --experimental-test-coverage --experimental-test-module-mocks --watch --watch-path:r --watch-preserve-output --max-old-space-size: --max-old-space-size? --max-semi-space-size? --stack-size? --enable-source-maps --no-warnings --trace-warnings --trace-deprecation --no-deprecation --throw-deprecation --trace-uncaught --trace-exit --unhandled-rejections: --experimental-strip-types --experimental-transform-types --experimental-vm-modules --experimental-modules --experimental-json-modules --experimental-specifier-resolution: --experimental-fetch --experimental-sqlite --experimental-permission --experimental-default-type: --input-type: --expose-gc --harmony --preserve-symlinks --pending-deprecation --stack-trace-limit: --disable-warning: --no-experimental-strip-types --no-experimental-fetch --prof --cpu-prof --cpu-prof-dir:w --cpu-prof-name:w --heap-prof --heap-prof-dir:w --redirect-warnings:w --diagnostic-dir:w --report-dir:w --trace-event-file-pattern:w --trace-event-categories: --report-directory:w --report-filename:w --heap-prof-name:w --heapsnapshot-signal: --inspect?=change --inspect-brk?=change --inspect-port:=change --run: --v8-options --icu-data-dir:c --openssl-config:c --title: --zero-fill-buffers --interactive=code",
    operands: "read",
    stopsAtOperand: true,
    check: (use) => {
      // `node --run deploy` is `npm run deploy`.
      const [task] = valuesOf(use, "--run");
      if (task !== undefined) return taskEffect(task);
      // `node inspect -p 1234`: a debugger, whose commands are code.
      if (use.operands[0]?.text === "inspect" || use.operands[0]?.text === "debug") return "code";
      return has(use, "-v") ? "read" : use.options.some(({ does }) => does !== null) ? use.does : null;
    },
    runs: [
      "node dist/cli.js --help",
      "node --test test/",
      "node --run build",
      "node --check a.js",
      "node --max-old-space-size=4096 x.js",
    ],
    asks: [
      "node -r /tmp/x.js -e 1",
      "node /tmp/x.js",
      "node",
      "node --redirect-warnings=/home/agent/.bashrc x.js",
      "node --inspect x.js",
      "node --run deploy",
      "node inspect -p 1234",
    ],
  }),
  defineProgram({
    names: "tsx vite-node",
    does: "work",
    options:
      "-e: -p: -pe: -ep: --eval: --print: --tsconfig:c --no-cache --watch --env-file:c --include: --exclude: -r:c --require:c --import:c --test --conditions:",
    verbs: { watch: { does: "work", operands: "read", stopsAtOperand: true } },
    operands: "read",
    stopsAtOperand: true,
    runs: ["tsx scripts/seed.ts", "tsx watch src/index.ts"],
    asks: ["tsx /tmp/x.ts", "tsx -r /tmp/x.js a.ts"],
  }),
  defineProgram({
    names: "ts-node ts-node-esm esno jiti",
    does: "work",
    options:
      "-T --transpile-only --transpileOnly --swc --esm --files --pretty -P:c --project:c -O: --compiler-options: -e: -p: -pe: -ep: --eval: --print: -r:c --require:c --cwd:d -C:x --compiler:x -I: --ignore: --skip-project -v",
    operands: "read",
    stopsAtOperand: true,
    check: (use) => {
      if (use.operands.length > 0 || has(use, "-v")) return null;
      // Code on the command line is looked at like that of node.
      const prints =
        has(use, "-p", "-pe", "-ep", "--print") ||
        valuesOf(use, "-e", "--eval").some((code) => code.includes("console."));
      return prints && use.name.startsWith("ts-node") ? null : "code";
    },
    runs: ["ts-node src/index.ts", "npx ts-node scripts/seed.ts", "ts-node -e 'console.log(1 as number)'"],
    asks: [
      "ts-node",
      "esno -e 1",
      "ts-node -e 1",
      'ts-node -e \'require("child_process").execSync("rm x")\'',
      "ts-node -p 'process.env'",
      "ts-node /tmp/x.ts",
      "ts-node -r /tmp/x.js a.ts",
    ],
  }),
  defineProgram({
    names: "zx",
    does: "work",
    options:
      "--quiet --verbose --cwd:d --env:c --ext: --shell:x --prefix:x --postfix:x -i=install --install=install --registry:h -e:x --eval:x --repl=code",
    operands: "read",
    stopsAtOperand: true,
    check: (use) => (use.operands.length === 0 ? "code" : null),
    runs: ["zx scripts/gen.mjs", "npx zx scripts/gen.mjs"],
    asks: ["zx", "zx /tmp/x.mjs", "zx -e '$`ls`'", "zx --install a.mjs", "zx https://example.com/x.mjs"],
  }),
  defineProgram({
    names: "corepack",
    does: "install",
    verbs: {
      "enable disable prepare install use up cache pack hydrate": { does: "install", operands: "value", isOpen: true },
    },
    runs: ["corepack --version"],
    asks: ["corepack enable"],
  }),
];
