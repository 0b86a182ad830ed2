import { defineConfig } from "@playwright/test";

const executablePath = process.env.BELAY_TEST_BROWSER;

export default defineConfig({
  testDir: ".",
  outputDir: "../test-results",
  // Each test starts a gateway of its own; two at a time is what two cores carry.
  fullyParallel: true,
  workers: 2,
  // Far more than a quiet machine needs: a busy one is no reason to fail.
  timeout: 180_000,
  expect: { timeout: 30_000 },
  forbidOnly: process.env.CI !== undefined,
  use: {
    viewport: { width: 1280, height: 800 },
    // A trace of every test takes as long as the tests themselves: `--trace on` records one where it is wanted.
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
