import { spawn } from "node:child_process";
import { once } from "node:events";
import { run } from "../run.mjs";

const LINE_TIMEOUT_MS = 180_000;
const STOP_TIMEOUT_MS = 20_000;
const NAMESPACES = ["--mount", "--pid", "--fork", "--kill-child"];
/** Mounts what terminals need, prints its process id as seen from outside, and runs until its input ends. */
const HOLD =
  'read -r id rest </proc/self/stat; mount --rbind /dev "$1/dev" && mount -t proc proc "$1/proc" && echo "$id" && read -r end';

/**
 * Makes `root` a place where programs run as if it were the whole machine.
 *
 * It has its own mount and PID namespaces, held by their first process. When that process ends, even because
 * this program was killed, the kernel ends every process in there and undoes every mount.
 */
export async function openRoot(root, env) {
  const holder = spawn("unshare", [...NAMESPACES, "sh", "-c", HOLD, "sh", root], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const ended = once(holder, "exit");
  const printed = once(holder.stdout, "data").then(([line]) => String(line).trim());
  const id = await Promise.race([printed, ended.then(() => null)]);
  if (id === null)
    throw new Error("This system does not let root mount anything, which a root folder of its own needs.");

  const place = ["--target", id, "--mount", "--pid", "chroot", root, "sh", "-c"];
  const runInside = async (...command) => {
    const args = [...place, 'cd /root && exec "$@"', "sh", ...command];
    const { code, text } = await run("nsenter", args, { output: "collect", env });
    if (code !== 0) throw new Error(`${command.join(" ")} failed: ${text}`);
    return text;
  };
  return {
    /** Resolves with the command's output; throws if it fails. */
    run: runInside,
    start: (...command) => {
      const args = [...place, 'cd /root && exec "$@"', "sh", ...command];
      return watch(spawn("nsenter", args, { env, stdio: ["ignore", "pipe", "pipe"] }), runInside);
    },
    close: async () => {
      holder.stdin.end();
      await ended;
    },
  };
}

/** A program that keeps running in the root. */
function watch(child, runInside) {
  let text = "";
  const ended = once(child, "close");
  const waitFor = (pattern) =>
    new Promise((resolve, reject) => {
      const give = (found) => {
        clearTimeout(timer);
        if (found) resolve(found);
        else reject(new Error(`It did not print ${pattern}: ${text}`));
      };
      const timer = setTimeout(give, LINE_TIMEOUT_MS);
      const look = () => {
        const found = pattern.exec(text);
        if (found) give(found);
      };
      child.stdout.on("data", look);
      ended.then(() => give());
      look();
    });
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk) => {
      text += chunk;
    });
  }
  return {
    /** Resolves with the first match in its output. */
    waitFor,
    /** Runs a script that asks it to end, and resolves with all of its output once it has. */
    stop: async (script) => {
      await runInside("sh", "-c", script);
      let timer;
      const late = new Promise((_, reject) => {
        timer = setTimeout(() => reject(new Error(`It did not stop: ${text}`)), STOP_TIMEOUT_MS);
      });
      await Promise.race([ended, late]).finally(() => clearTimeout(timer));
      return text;
    },
  };
}
