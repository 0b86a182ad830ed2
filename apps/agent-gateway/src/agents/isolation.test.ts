import type { Ability } from "@belay/core";
import { SecuritySettings } from "@belay/policy";
import { expect, test } from "vitest";
import { isolationOf, type Machine, providerFor } from "./isolation.ts";

const ready: Ability = { status: "ready", version: "1" };
const missing: Ability = { status: "missing", reason: "Bubblewrap is not installed.", fix: "Install it." };
const machine = (sandbox: Ability, container: Ability = missing): Machine => ({
  sandbox: () => sandbox,
  container: () => container,
});
const agent = { name: "builder", profile: "standard", isolation: null };
const auto = SecuritySettings.parse({ isolation: "auto" });

test("C15 auto is the strongest wall that the machine has", () => {
  expect(isolationOf(agent, auto, machine(ready))).toBe("sandbox");
  expect(providerFor(agent, auto, machine(ready))).toBe("bubblewrap");
});

test("C15 C16 auto is a container where an image is named and there", () => {
  const settings = SecuritySettings.parse({ isolation: "auto", container: { image: "work" } });

  expect(isolationOf(agent, settings, machine(ready, ready))).toBe("container");
  expect(isolationOf(agent, settings, machine(ready, missing))).toBe("sandbox");
  expect(providerFor({ ...agent, isolation: "container" }, settings, machine(missing, ready))).toBe("container");
  expect(() => providerFor({ ...agent, isolation: "container" }, settings, machine(ready))).toThrow(
    "Nothing was started",
  );
});

test("C15 auto on a machine without walls is an error that says what to install, never no wall", () => {
  expect(() => providerFor(agent, auto, machine(missing))).toThrow(
    /"builder" is to run in isolation \(auto\).*Bubblewrap is not installed.*Nothing was started. Install it./,
  );
});

test("C15 an agent's own choice comes before its profile's, and that before the policy's", () => {
  const settings = SecuritySettings.parse({ isolation: "auto", profiles: { bare: { isolation: "none" } } });

  expect(isolationOf({ profile: "bare", isolation: null }, settings, machine(ready))).toBe("none");
  expect(isolationOf({ profile: "bare", isolation: "auto" }, settings, machine(ready))).toBe("sandbox");
});
