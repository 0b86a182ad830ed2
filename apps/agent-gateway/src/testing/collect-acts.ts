import { vi } from "vitest";
import type { Act } from "../commands/act.ts";
import type { TestGateway } from "./start-test-gateway.ts";

/** The acts that are submitted from now on. */
export function collectActs(gateway: TestGateway): () => Act[] {
  const submit = vi.spyOn(gateway.commands, "submit");
  return () => submit.mock.calls.map(([{ act }]) => act);
}
