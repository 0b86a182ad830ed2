import fc from "fast-check";

// `npm test` tries the same values every time: a value that fails by chance would stop work that has nothing to do with it.
// Another seed tries others: FUZZ_SEED=$(date +%s) vitest run --project unit
fc.configureGlobal({ seed: Number(process.env.FUZZ_SEED ?? 1) });
