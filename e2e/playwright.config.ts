import { defineConfig } from "@playwright/test";

const executablePath = process.env.BELAY_TEST_BROWSER;

export default defineConfig({
  testDir: ".",
  outputDir: "../test-results",
  // Each test starts its own gateway; two cores can handle two at a time, and three take as long.
  fullyParallel: true,
  workers: 2,
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
