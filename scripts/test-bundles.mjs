import { rmSync } from "node:fs";
import { bundlePrograms } from "../apps/agent-gateway/bundle.mjs";

/** Before the tests, once: see packages/core/src/own-programs.ts. */
export async function setup() {
  if (process.env.BELAY_TEST_BUNDLES) return;
  const folder = await bundlePrograms();
  process.env.BELAY_TEST_BUNDLES = folder;
  return () => rmSync(folder, { recursive: true, force: true });
}
