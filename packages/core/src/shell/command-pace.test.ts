import { describe, expect, it, test } from "vitest";
import { isQuickCommand, isSlowCommand } from "./command-pace.ts";

describe("the pace of a command", () => {
  it.each([
    "npm install",
    "cd app && npm ci",
    "CI=1 sudo make -j8",
    "time cargo build --release",
    "git clone https://example.com/x.git",
    "cat list | xargs -n1 echo; pytest -q",
    "timeout 600 npm test",
    "timeout -k 5 10m make all",
    "(cd app && npm run build)",
    "bash -c 'cd app && npm install'",
    'sh -lc "timeout 60 cargo test"',
    "echo $(npm ci)",
  ])("D3 slow: %s", (line) => expect(isSlowCommand(line)).toBe(true));

  it.each(["ls -la", "git status", "npm --version", "echo make", "cat Makefile"])("D3 not slow: %s", (line) =>
    expect(isSlowCommand(line)).toBe(false),
  );

  it.each(["ls", "pwd && ls -la", "git log | head -3", "FOO=1 printenv FOO"])("D4 quick: %s", (line) =>
    expect(isQuickCommand(line)).toBe(true),
  );

  it.each(["sleep 100", "ls && ./server", "tail -f log", "npm start", ""])("D4 not quick: %s", (line) =>
    expect(isQuickCommand(line)).toBe(false),
  );
});

test.each([
  ["wrappers without end", "env ".repeat(16_000)],
  ["times without end", "time ".repeat(12_000)],
  ["commands without end", "a;".repeat(32_000)],
  ["open brackets without end", "$(a ".repeat(16_000)],
  ["shells without end", "sh -c 'sh -c ".repeat(5_000)],
])("D3 only a prefix is examined: %s", (_, line) => {
  const start = performance.now();

  expect([isSlowCommand(line), isQuickCommand(line)]).toEqual([false, false]);

  // Must take milliseconds: this runs in the thread that answers all agents.
  expect(performance.now() - start).toBeLessThan(1_000);
});
