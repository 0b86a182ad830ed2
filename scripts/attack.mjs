import { run } from "./run.mjs";
import { setUp } from "./setup.mjs";

// `npm run attack`: repeats every attack that once got past Belay, on a real gateway.
await setUp();
const { code } = await run("vitest", ["run", "--project", "attack", ...process.argv.slice(2)]);
process.exit(code);
