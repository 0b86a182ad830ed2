#!/usr/bin/env node
// A client waits for its hook before every command, and may run it on any Node: so the hook loads nothing else.
const isHook = process.argv[2] === "hook" && !process.argv.includes("--offline");
await import(isHook ? "../dist/hook.js" : "./program.mjs");
