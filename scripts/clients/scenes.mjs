import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { run } from "../run.mjs";

/** A client that has not ended by then hangs. */
const CLIENT_MS = 150_000;
/** In the scenes without an answer, the client gives its hook this long. */
const LATE_S = 12;
const NEVER_ANSWERED_S = 5;

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
  "gateway hangs": async (scene) => {
    const { hasRun } = await scene.play("true", { hookTimeoutS: LATE_S, isGatewayHung: true });
    if (hasRun) throw new Error("it ran although the gateway could not be asked");
    return "does not run";
  },
  // What the client itself does, which no hook can change. It has to be what `belay connect --verify` says of it.
  "hook never answers": (scene) => playWithout(scene, "lateHook", `sleep ${NEVER_ANSWERED_S * 6}`),
  "hook fails": (scene) => playWithout(scene, "brokenHook", "exit 1"),
};

/** Plays a command that Belay would not even be asked about, because this runs in place of its hook. */
async function playWithout(scene, key, program) {
  const { hasRun, verified } = await scene.play("true", { hookTimeoutS: NEVER_ANSWERED_S, inPlaceOfHook: program });
  const seen = hasRun ? "runs" : "does not run";
  if (verified[key] !== seen) throw new Error(`it ${seen}, and belay connect --verify says that it ${verified[key]}`);
  return `${seen}, as --verify says`;
}

/** Sets a client up as a person would, with `belay connect`, and lets it work through one command. */
export function createScene({ client, name, dir, bin, gateway, model, belay, approve }) {
  const place = `${client.id}-${name.replaceAll(" ", "-")}`;
  const home = join(dir, "homes", place);
  const work = join(dir, "work", place);
  const mark = `${place}-ran`;
  for (const folder of [home, work]) mkdirSync(folder, { recursive: true });
  const env = {
    PATH: process.env.PATH,
    HOME: home,
    TERM: "dumb",
    CI: "1",
    BELAY_DATA_DIR: gateway.dataDir,
  };

  async function connect(url, { hookTimeoutS, inPlaceOfHook, isHooked = true }) {
    for (const [file, content] of Object.entries(client.settings(url))) {
      mkdirSync(dirname(join(home, file)), { recursive: true });
      writeFileSync(join(home, file), content);
    }
    if (!isHooked) return null;
    const { files } = await belayJson("connect", client.id, "--hook", "--yes");
    const [verified] = inPlaceOfHook === undefined ? [null] : await belayJson("connect", client.id, "--verify");
    for (const { path } of files) {
      let content = readFileSync(path, "utf8");
      if (hookTimeoutS !== undefined)
        content = content.replaceAll("600000", String(hookTimeoutS * 1000)).replaceAll("600", String(hookTimeoutS));
      if (inPlaceOfHook !== undefined) content = content.replaceAll(/node [^"]*? hook [^"\\]*/g, inPlaceOfHook);
      writeFileSync(path, content);
    }
    return verified;
  }

  async function belayJson(...args) {
    const { code, text: told } = await run(process.execPath, [belay, ...args, "--json"], {
      output: "collect",
      env,
      cwd: work,
    });
    if (code !== 0) throw new Error(`belay ${args.join(" ")}: ${told}`);
    return JSON.parse(told);
  }

  return {
    approve,
    /** How often clients have said how a command of theirs ended. */
    async countReports() {
      return (await belayJson("audit", "search", "--type", "command.reported")).length;
    },
    async play(program, { meanwhile, isGatewayHung = false, times, ...hook } = {}) {
      const command = program === "true" ? `touch ${mark}` : `touch ${mark}; ${program}`;
      const conversation = model.begin(place, command, { times });
      const url = `${model.url}/${place}`;
      const verified = await connect(url, hook);
      if (isGatewayHung) gateway.hang();
      try {
        const done = runToEnd(bin, client.args("Run the command."), { cwd: work, env: { ...env, ...client.env(url) } });
        await Promise.all([done, meanwhile?.(command)]);
        const ended = await done;
        if (conversation.read === null && !readdirSync(work).includes(mark)) {
          throw new Error(`the model heard nothing; the client ended with ${ended.code}: ${ended.told.slice(-600)}`);
        }
        const { read, tookMs } = conversation;
        return { hasRun: existsSync(join(work, mark)), read, verified, tookMs };
      } finally {
        if (isGatewayHung) gateway.goOn();
      }
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
