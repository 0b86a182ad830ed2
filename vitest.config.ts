import { defineConfig } from "vitest/config";

/** Real processes on a busy machine: one that fails once is tried again, and `npm test` names it at the end. */
const RETRIES = 1;

/** More than two cores: tests with real processes spend a third of their time waiting for them. */
const PROCESS_WORKERS = 3;

/** Bundles what runs in threads and processes of their own: compiling it in each of them would take half of the time. */
const TEST_BUNDLES = "./scripts/test-bundles.mjs";

/**
 * Two kinds of test: **unit** needs no child process; **pty** starts real
 * shells and servers, so fewer run at a time and each may take longer.
 */
export default defineConfig({
  test: {
    setupFiles: ["./packages/core/src/testing/seed-properties.ts"],
    // Compiled files are kept between runs: every worker needs nearly all of them.
    experimental: { fsModuleCache: true },
    projects: [
      {
        extends: true,
        test: {
          name: "unit",
          sequence: { groupOrder: 0 },
          include: ["packages/*/src/**/*.test.ts", "apps/*/src/**/*.test.ts", "scripts/**/*.test.ts"],
          exclude: ["**/*.pty.test.ts", "**/node_modules/**"],
          // Some judge thousands of lines, and the machine may be busy.
          testTimeout: 120_000,
          // Importing the policy or the gateway for every file takes longer than the tests.
          isolate: false,
          // By default one core would be left idle.
          maxWorkers: 2,
        },
      },
      {
        extends: true,
        test: {
          name: "pty",
          globalSetup: TEST_BUNDLES,
          sequence: { groupOrder: 1 },
          include: ["packages/*/src/**/*.pty.test.ts", "apps/*/src/**/*.pty.test.ts", "scripts/**/*.pty.test.ts"],
          testTimeout: 120_000,
          hookTimeout: 60_000,
          retry: RETRIES,
          // Importing the gateway takes longer than most of these tests: once per worker, not once per file.
          isolate: false,
          maxWorkers: PROCESS_WORKERS,
        },
      },
      {
        extends: true,
        test: {
          name: "attack",
          globalSetup: TEST_BUNDLES,
          sequence: { groupOrder: 1 },
          include: ["security/**/*.pty.test.ts"],
          testTimeout: 300_000,
          hookTimeout: 60_000,
          retry: RETRIES,
          isolate: false,
          maxWorkers: PROCESS_WORKERS,
        },
      },
    ],
  },
});
