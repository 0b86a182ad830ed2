import { chmod, mkdir, rename, rm, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { createInterface } from "node:readline/promises";
import { CLIENT_SETUPS, HOOK_CLIENT_NAMES, HookClient, showHidden } from "@belay/protocol";
import { Argument, Command } from "commander";
import { createTwoFilesPatch } from "diff";
import type { Settings } from "../../../env.ts";
import { type FileChange, planConnect } from "../connect/plan.ts";
import { type Verified, verifyHooks } from "../connect/verify.ts";
import { printJson } from "../print.ts";

interface Options {
  mcp?: boolean;
  hook?: boolean;
  project?: boolean;
  agent?: string;
  remove?: boolean;
  verify?: boolean;
  yes?: boolean;
  dryRun?: boolean;
  json?: boolean;
}

/** `belay connect CLIENT`: writes a client's configuration after showing the change, and can remove it. */
export function connectCommand(settings: Settings): Command {
  return new Command("connect")
    .description(
      "Set up a client: Belay's terminals as its tools, and a hook that asks before each command of its own shell",
    )
    .addArgument(new Argument("<client>", "which client").choices(HookClient.options))
    .option("--mcp", "only the tools")
    .option("--hook", "only the hook")
    .option("--project", "in this folder, for everyone who works in it, instead of only for you")
    .option("--agent <name>", "the agent's name in Belay (default: the client's name)")
    .option("--remove", "undo the set-up")
    .option("--verify", "prove that the hook works, with a harmless command that must be denied")
    .option("--yes", "write without asking")
    .option("--dry-run", "show the change, and write nothing")
    .option("--json", "print JSON")
    .action(async (client: HookClient, options: Options) => {
      if (options.verify) return showVerified(client, await verifyHooks(client), options);
      const what = {
        client,
        scope: options.project ? "project" : "person",
        mcp: isFor(options, "mcp"),
        hook: isFor(options, "hook"),
        agent: options.agent ?? client,
        url: settings.client.url,
        program: process.argv[1] ?? "belay",
      } as const;
      const changes = await planConnect(what, { isRemoval: options.remove === true });
      await applyChanges(client, changes, options);
    });
}

async function applyChanges(client: HookClient, changes: FileChange[], options: Options): Promise<void> {
  const isWritten = changes.length > 0 && !options.dryRun && (options.yes || (await askToWrite(changes, options)));
  if (isWritten) for (const change of changes) await write(change);
  if (options.json) {
    printJson({ isWritten, files: changes.map(({ path, before, after }) => ({ path, before, after })) });
    return;
  }
  if (changes.length === 0) return say(`Nothing to change: ${HOOK_CLIENT_NAMES[client]} is set up like this already.`);
  if (!isWritten) {
    if (!process.stdin.isTTY || options.dryRun) for (const change of changes) say(patchOf(change));
    return say(options.dryRun ? "Nothing was written." : "Nothing was written. Run it again with --yes to write this.");
  }
  for (const { path, after } of changes) say(after === null ? `Removed ${path}` : `Wrote ${path}`);
  if (options.remove) return;
  const { notes, mcpNotes } = CLIENT_SETUPS[client];
  const said = [...(isFor(options, "mcp") ? mcpNotes : []), ...(isFor(options, "hook") ? notes : [])];
  for (const note of said) say(note);
  say(`Prove it: belay connect ${client} --verify`);
}

function isFor(options: Options, what: "mcp" | "hook"): boolean {
  return options[what] === true || (!options.mcp && !options.hook);
}

/** Only if a person is there to confirm. */
async function askToWrite(changes: FileChange[], { json }: Options): Promise<boolean> {
  if (json || !process.stdin.isTTY || !process.stdout.isTTY) return false;
  for (const change of changes) say(patchOf(change));
  const lines = createInterface({ input: process.stdin, output: process.stdout });
  const answer = await lines.question("Write this? [y/N] ");
  lines.close();
  return /^y(es)?$/i.test(answer.trim());
}

function patchOf({ path, before, after }: FileChange): string {
  return showHidden(createTwoFilesPatch(path, path, before ?? "", after ?? "", undefined, undefined, { context: 2 }));
}

/** Written to a temporary file and renamed, so that a partial write cannot destroy a client's other settings. */
async function write({ path, after, isExecutable }: FileChange): Promise<void> {
  if (after === null) return rm(path, { force: true });
  await mkdir(dirname(path), { recursive: true });
  const partial = `${path}.belay-${process.pid}`;
  await writeFile(partial, after, { flag: "wx" });
  if (isExecutable) await chmod(partial, 0o755);
  await rename(partial, path);
}

function showVerified(client: HookClient, verified: Verified[], { json }: Options): void {
  if (json) printJson(verified);
  else if (verified.length === 0) say(`No hook is set up for ${HOOK_CLIENT_NAMES[client]}: belay connect ${client}`);
  else
    for (const { file, isInForce, problem, warnings } of verified) {
      say(isInForce ? `In force: ${file}` : `Not in force: ${file}: ${problem}`);
      for (const warning of warnings) say(`  ${warning}`);
    }
  if (verified.length === 0 || verified.some(({ isInForce }) => !isInForce)) process.exitCode = 1;
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}
