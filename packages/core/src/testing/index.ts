export { Random } from "./changes/random.ts";
export { differences, fillScratchTree, readTree } from "./changes/scratch-tree.ts";
export { makeDeepTree } from "./deep-tree.ts";
export { createFakeProvider, FakePty } from "./fake-pty.ts";
export { expectSurvivalRow } from "./survival-page.ts";
export { openTestPool, patiently, type TestPool } from "./test-pool.ts";
export { openTestContainers } from "./walls/container-image.ts";
export { canRunAs } from "./walls/other-user.ts";
