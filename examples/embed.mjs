// Belay inside of a program of your own: run it with `npm run embed` in this folder, after `npm start` has built once.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openBelay } from "@belay/agent-gateway";

const dataDir = await mkdtemp(join(tmpdir(), "belay-embedded-"));
const belay = await openBelay({ dataDir, workspace: tmpdir() });
const { terminals } = belay;

await terminals.attach("helper", { profile: "standard" });
terminals.addBlockedPatterns([/docker\s+system\s+prune/]);

// Without a shell, with a script, and in a shell that stays.
const listed = await terminals.executeCommand("echo", ["hello", "from a program"], {}, "helper");
const counted = await terminals.runScript("wc -l | tr -d ' '", { input: "one\ntwo\n" }, "helper");
await terminals.sendCommandAndWait("cd / && name=belay", {}, "helper");
const kept = await terminals.sendCommandAndWait('echo "$name in $PWD"', {}, "helper");

// What the policy forbids never runs, and says why.
const denied = await terminals.runScript("docker system prune", {}, "helper");

console.log(
  JSON.stringify({
    listed: listed.output.trim(),
    counted: counted.stdout.trim(),
    kept: kept.output,
    denied: denied.error,
    level: terminals.getCommandSafetyLevel("rm -rf src"),
    parts: terminals.parseCompoundCommand("git add . && git status"),
  }),
);
await belay.close();
await rm(dataDir, { recursive: true });
