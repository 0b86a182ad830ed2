export { createFakeProvider, FakePty } from "./fake-pty.ts";
export { openTestPool, patiently, type TestPool } from "./test-pool.ts";
