import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { loadSettings, requireProtection, SECRETS } from "../env.ts";
import { generatedPages } from "./pages.ts";

const ROOT = fileURLToPath(new URL("../../../..", import.meta.url));

test.each(Object.entries(generatedPages()))("G8 %s is up to date (npm run docs writes it)", (path, text) => {
  expect(existsSync(join(ROOT, path)) ? readFileSync(join(ROOT, path), "utf8") : "").toBe(text);
});

test("G8 every setting is shown with its source, and secrets are not", () => {
  const env = { BELAY_PORT: "7481", BELAY_METRICS_TOKEN: "a-very-secret-token-for-metrics", HOME: "/home/none" };

  const { shown } = loadSettings(env, "/");

  expect(shown.find(({ name }) => name === "BELAY_PORT")).toEqual({
    name: "BELAY_PORT",
    value: "7481",
    from: "environment",
  });
  expect(shown.find(({ name }) => name === "BELAY_METRICS_TOKEN")?.value).toBe("(set, not shown)");
  expect(JSON.stringify(shown)).not.toContain("a-very-secret-token");
});

test("G5 an address that other machines can reach needs a proxy with TLS, or an explicit override", () => {
  const start = (env: Record<string, string>) => () => requireProtection(loadSettings(env, "/"));

  expect(start({ BELAY_HOST: "0.0.0.0" })).toThrow(/without encryption.*BELAY_PUBLIC_URL=https/);
  expect(start({ BELAY_HOST: "192.168.1.5", BELAY_PUBLIC_URL: "http://belay.example.com" })).toThrow();
  for (const env of [
    {},
    { BELAY_HOST: "127.0.0.2" },
    { BELAY_HOST: "::1" },
    { BELAY_HOST: "0.0.0.0", BELAY_PUBLIC_URL: "https://belay.example.com" },
    { BELAY_HOST: "0.0.0.0", BELAY_INSECURE_HTTP: "yes" },
  ])
    expect(start(env as Record<string, string>)).not.toThrow();
});

test("G8 every secret is removed from the environment before anything else runs", () => {
  const script = readFileSync(join(ROOT, "apps/agent-gateway/bin/hide-secrets.mjs"), "utf8");

  expect(SECRETS.filter((name) => !script.includes(`"${name}"`))).toEqual([]);
});
