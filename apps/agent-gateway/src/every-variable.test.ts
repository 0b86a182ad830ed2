import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { loadSettings, SETTING_NAMES } from "./env.ts";
import { OwnAddress } from "./own-address.ts";

/** Every test of the gateway, and what starts gateways for tests. */
const TESTS = readdirSync(import.meta.dirname, { recursive: true, encoding: "utf8" })
  .filter((name) => /\.test\.ts$|(?:^|\/)testing\/.*\.ts$/.test(name))
  .map((name) => readFileSync(join(import.meta.dirname, name), "utf8").replace(/^import .*$/gm, ""))
  .join("\n");

test("G5 every environment variable is set by a test", () => {
  // As a key of an environment, not only in a sentence that names it.
  expect(SETTING_NAMES.filter((name) => !new RegExp(`\\b${name}\\b["']?[:=]`).test(TESTS))).toEqual([]);
});

test("G7 BELAY_GATEWAY_URL is where the other gateways reach this one", () => {
  const cluster = {
    BELAY_DATABASE_URL: "postgres://belay@127.0.0.1/belay",
    BELAY_NATS_URL: "nats://127.0.0.1:4222",
    BELAY_CLUSTER_SECRET: "a secret of more than 32 characters".replaceAll(" ", "-"),
  };
  const addressWith = (env: Record<string, string>) =>
    new OwnAddress(loadSettings({ BELAY_PORT: "7401", ...cluster, ...env })).urlForGateways();

  expect(addressWith({})).toBe("http://127.0.0.1:7401");
  expect(addressWith({ BELAY_GATEWAY_URL: "http://gateway-1.internal:7400/" })).toBe("http://gateway-1.internal:7400");
});

test("C18 BELAY_PORTS_URL is where people see what agents serve", () => {
  const env = { BELAY_PUBLIC_URL: "https://belay.example", BELAY_PORTS_URL: "https://*.belay-ports.example" };

  expect(new OwnAddress(loadSettings(env)).ports.originOf("abc")).toBe("https://abc.belay-ports.example");
});
