import { defineConfig } from "@playwright/test";

const executablePath = process.env.BELAY_TEST_BROWSER;

export default defineConfig({
  testDir: ".",
  outputDir: "../test-results",
  // Each test starts its own gateway and waits for about half of its time: three at a time keep two cores busy.
  fullyParallel: true,
  workers: 3,
  // Far more than an idle machine needs, so that tests do not fail on a busy one.
  timeout: 180_000,
  expect: { timeout: 30_000 },
  // What passes only at the second try is listed as flaky at the end, and has to be mended.
  retries: 1,
  forbidOnly: process.env.CI !== undefined,
  use: {
    viewport: { width: 1280, height: 800 },
    // Recording a trace of every test takes as long as the tests themselves: use `--trace on` to record one.
    screenshot: "only-on-failure",
    launchOptions: {
      ...(executablePath ? { executablePath } : {}),
      args: [
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--disable-dev-shm-usage",
      ],
    },
  },
});
