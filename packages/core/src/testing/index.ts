export { Random } from "./changes/random.ts";
export { differences, fillScratchTree, readTree } from "./changes/scratch-tree.ts";
export { openTestContainers } from "./container-image.ts";
export { createFakeProvider, FakePty } from "./fake-pty.ts";
export { canRunAs } from "./other-user.ts";
export { expectSurvivalRow } from "./survival-page.ts";
export { openTestPool, patiently, type TestPool } from "./test-pool.ts";
