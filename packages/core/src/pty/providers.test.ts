import { expect, it } from "vitest";
import { createFakeProvider } from "../testing/fake-pty.ts";
import { ProviderRegistry } from "./providers.ts";

it("C4 a provider is found by its name, and an unknown one is an error", () => {
  const registry = new ProviderRegistry();
  const fake = createFakeProvider("fake");
  registry.register(fake);

  expect(registry.find("fake")).toBe(fake);
  expect(() => registry.find("container")).toThrow(expect.objectContaining({ code: "spawn-failed" }));
  expect(() => registry.register(createFakeProvider("fake"))).toThrow("already registered");
});
