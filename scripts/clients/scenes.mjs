import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { run } from "../run.mjs";

/** A client that has not ended by then hangs. */
const CLIENT_MS = 150_000;
/** In the scene without an answer, the client gives its hook this long. */
const LATE_S = 12;

/**
 * The scenes that every client goes through. A command leaves a mark where it runs, so that what the client says about
 * it does not count. Each gives a word for the table, or throws.
 */
export const SCENES = {
  allowed: async (scene) => {
    const before = await scene.countReports();
    const { hasRun, read } = await scene.play("true");
    if (!hasRun) throw new Error(`it did not run; the model read: ${read}`);
    return (await scene.countReports()) > before ? "runs, its end is on record" : "runs";
  },
  denied: async (scene) => {
    const { hasRun, read } = await scene.play("forbidden-tool");
    if (hasRun) throw new Error("it ran");
    if (!/The team does without this tool/.test(read ?? "")) throw new Error(`the model read no reason, but: ${read}`);
    return "does not run, model reads why";
  },
  asked: async (scene) => {
    const { hasRun, read } = await scene.play("unknown-tool", { meanwhile: (command) => scene.approve(command) });
    if (!hasRun) throw new Error(`it did not run after the yes; the model read: ${read}`);
    return "runs after a yes in the browser";
  },
  late: async (scene) => {
    const { hasRun } = await scene.play("unknown-tool --late", { hookTimeoutS: LATE_S });
    if (hasRun) throw new Error("it ran without an answer");
    return "does not run";
  },
};

/** Sets a client up as a person would, with `belay connect`, and lets it work through one command. */
export function createScene({ client, name, dir, bin, gateway, model, belay, approve }) {
  const home = join(dir, "homes", `${client.id}-${name}`);
  const work = join(dir, "work", `${client.id}-${name}`);
  const mark = `${client.id}-${name}-ran`;
  const env = {
    PATH: process.env.PATH,
    HOME: home,
    TERM: "dumb",
    CI: "1",
    BELAY_DATA_DIR: gateway.dataDir,
  };

  async function connect(url, hookTimeoutS) {
    for (const [file, content] of Object.entries(client.settings(url))) {
      mkdirSync(dirname(join(home, file)), { recursive: true });
      writeFileSync(join(home, file), content);
    }
    const args = [belay, "connect", client.id, "--hook", "--yes", "--json"];
    const { code, text: told } = await run(process.execPath, args, { output: "collect", env, cwd: work });
    if (code !== 0) throw new Error(`belay connect: ${told}`);
    if (hookTimeoutS === undefined) return;
    for (const { path } of JSON.parse(told).files) {
      const shortened = readFileSync(path, "utf8")
        .replaceAll("600000", String(hookTimeoutS * 1000))
        .replaceAll("600", String(hookTimeoutS));
      writeFileSync(path, shortened);
    }
  }

  return {
    approve,
    /** How often clients have said how a command of theirs ended. */
    async countReports() {
      const args = [belay, "audit", "search", "--type", "command.reported", "--json"];
      const { code, text: told } = await run(process.execPath, args, { output: "collect", env });
      if (code !== 0) throw new Error(`belay audit search: ${told}`);
      return JSON.parse(told).length;
    },
    async play(program, { meanwhile, hookTimeoutS } = {}) {
      mkdirSync(home, { recursive: true });
      mkdirSync(work, { recursive: true });
      const id = `${client.id}-${name}`;
      const command = program === "true" ? `touch ${mark}` : `touch ${mark}; ${program}`;
      const conversation = model.begin(id, command);
      const url = `${model.url}/${id}`;
      await connect(url, hookTimeoutS);
      const done = runToEnd(bin, client.args("Run the command."), { cwd: work, env: { ...env, ...client.env(url) } });
      await Promise.all([done, meanwhile?.(command)]);
      const ended = await done;
      if (conversation.read === null && !readdirSync(work).includes(mark)) {
        throw new Error(`the model heard nothing; the client ended with ${ended.code}: ${ended.told.slice(-600)}`);
      }
      return { hasRun: existsSync(join(work, mark)), read: conversation.read };
    },
  };
}

async function runToEnd(bin, args, options) {
  const child = spawn(bin, args, { ...options, stdio: ["ignore", "pipe", "pipe"], detached: true });
  const hangs = setTimeout(() => process.kill(-child.pid, "SIGKILL"), CLIENT_MS);
  const ended = new Promise((resolve) => child.on("close", (code, signal) => resolve(signal ?? code)));
  const [stdout, stderr, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  clearTimeout(hangs);
  return { code, told: stdout + stderr };
}
