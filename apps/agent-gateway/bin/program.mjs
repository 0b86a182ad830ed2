// The `belay` program, except for its hook.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import module, { createRequire } from "node:module";
import { constants } from "node:os";
import { fileURLToPath } from "node:url";
import { hideSecrets } from "./hide-secrets.mjs";

/** Scripts of the project that the program also needs; they belong to no package. */
const fromScripts = createRequire(new URL("../../../scripts/", import.meta.url));
const { findNode, isNewEnough } = fromScripts("./own-node.cjs");
/** Commands that open terminals, or start a process that does. */
const NEED_TERMINALS = ["start", "host", "mcp"];

if (!existsSync(new URL("../dist/cli.js", import.meta.url))) {
  console.error("belay: not set up yet. Run npm start once in the project's folder.");
  process.exit(1);
} else if (isNewEnough(process.versions.node)) {
  if (NEED_TERMINALS.includes(process.argv[2])) requireNativeModules();
  // Saves a third of the time of a short command. Beside the program: who can write there can change the program itself.
  module.enableCompileCache?.(fileURLToPath(new URL("../.compile-cache", import.meta.url)));
  // The settings are read from the environment, and secrets are removed from it at once.
  Object.assign(process.env, hideSecrets());
  await import("../dist/cli.js");
} else runOn(findNode(console.error));

/** Detects an installation without install scripts, or without a compiler. */
function requireNativeModules() {
  const { ensureNativeModules } = fromScripts("./native-modules.cjs");
  const problem = ensureNativeModules(process.execPath, console.error);
  if (problem === null) return;
  console.error(`belay: ${problem}`);
  process.exit(1);
}

/** A client may start this on any Node. Its output must be this sentence, or the server's. */
function runOn(node) {
  console.error(`belay: Node ${process.versions.node} is too old; going on with ${node}`);
  const child = spawn(node, [fileURLToPath(new URL("belay.mjs", import.meta.url)), ...process.argv.slice(2)], {
    stdio: "inherit",
  });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
    process.on(signal, () => {
      // A terminal sends its signals to both processes; forwarding would deliver a second one, which forces the stop.
      if (signal === "SIGTERM" || !process.stdin.isTTY) child.kill(signal);
    });
  }
  child.on("close", (code, signal) => process.exit(signal ? 128 + constants.signals[signal] : code));
}
