#!/usr/bin/env node
// A client waits for its hook before every command, and may bring any Node: the hook loads nothing but itself.
const isHook = process.argv[2] === "hook" && !process.argv.includes("--offline");
await import(isHook ? "../dist/hook.js" : "./program.mjs");
