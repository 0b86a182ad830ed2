import { createHash } from "node:crypto";
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fail, ROOT, run, TOOL_ENV } from "./run.mjs";

const PNPM = "10.34.8";
const COMPILERS = ["g++", "make", "python3"];
const STAMP = join(ROOT, "node_modules", ".belay-setup");

/** Prepares a fresh clone: installs dependencies, then builds. */
export async function setUp({ build = true } = {}) {
  requireWriteAccess();
  await installDependencies();
  if (build) await buildAll();
}

async function installDependencies() {
  const wanted = fingerprint();
  if (readStamp() === wanted) return;
  const isFirst = !existsSync(STAMP);
  say(
    isFirst
      ? "Setting up for the first time: installing dependencies and compiling a native module. This takes about a minute."
      : "The dependencies changed: installing them.",
  );
  await requireCompilers();
  const started = Date.now();
  const progress = showProgress(started);
  const env = { ...TOOL_ENV, ...nodeHeaders(), CI: "true", npm_config_yes: "true" };
  // Run from another folder: npx would use the pnpm in node_modules, which would delete itself during a reinstall.
  const args = ["--yes", `pnpm@${PNPM}`, "--dir", ROOT, "install", "--frozen-lockfile", "--reporter=append-only"];
  const result = await run("npx", args, { output: "collect", env, cwd: tmpdir(), onLine: progress.line });
  progress.stop();
  if (result.code !== 0) {
    console.error(result.text.split("\n").slice(-40).join("\n"));
    fail(
      "The dependencies could not be installed; the reason is above. Check the network and run the same command again.",
    );
  }
  if (!canLoadNativeModules()) {
    fail(
      "The native modules cannot be loaded. Install g++, make and python3, remove node_modules and run the same command again.",
    );
  }
  linkCommand();
  writeFileSync(STAMP, wanted);
  say(`Dependencies are ready (${seconds(started)} s).`);
}

async function buildAll() {
  const started = Date.now();
  if (!existsSync(join(ROOT, "apps/web/out/index.html")))
    say("Building the console and the gateway (about half a minute the first time).");
  const result = await run("turbo", ["run", "build", "--output-logs=errors-only", "--log-order=grouped"], {
    output: "collect",
  });
  if (result.code !== 0) {
    console.error(result.text);
    fail("The build failed; the reason is above.");
  }
  if (Date.now() - started > 3000) say(`The build is ready (${seconds(started)} s).`);
}

/** So that `npx belay` works here without asking a registry. */
function linkCommand() {
  const link = join(ROOT, "node_modules/.bin/belay");
  rmSync(link, { force: true });
  symlinkSync("../../apps/agent-gateway/bin/belay.mjs", link);
}

/** Changes whenever the dependencies must be installed again. The native modules are the same for every Node. */
function fingerprint() {
  const hash = createHash("sha256").update(`${process.platform} ${process.arch}\n`);
  hash.update(readFileSync(join(ROOT, "pnpm-lock.yaml")));
  hash.update(readFileSync(join(ROOT, "pnpm-workspace.yaml")));
  return hash.digest("hex");
}

function readStamp() {
  return existsSync(STAMP) ? readFileSync(STAMP, "utf8") : null;
}

function requireWriteAccess() {
  try {
    accessSync(ROOT, constants.W_OK);
    mkdirSync(join(ROOT, "node_modules"), { recursive: true });
  } catch {
    fail(
      `This user may not write to ${ROOT}, where the dependencies are installed. Run it as the owner of that folder.`,
    );
  }
}

/** node-gyp downloads headers unless they are beside the Node that runs. */
function nodeHeaders() {
  const prefix = dirname(dirname(process.execPath));
  return existsSync(join(prefix, "include/node/node_version.h")) ? { npm_config_nodedir: prefix } : {};
}

async function requireCompilers() {
  const missing = COMPILERS.filter((program) => !isOnPath(program));
  if (missing.length === 0) return;
  const canInstall = process.platform === "linux" && process.getuid?.() === 0 && isOnPath("apt-get");
  const names = missing.join(", ");
  if (!canInstall) {
    fail(
      `Belay compiles a native module and needs ${names}. Install them (Debian, Ubuntu: sudo apt-get install g++ make python3; macOS: xcode-select --install) and try again.`,
    );
  }
  say(`Installing ${names} with apt, to compile a native module.`);
  if (!(await aptInstall(missing))) {
    fail(
      `apt could not install ${names}, which Belay needs to compile a native module. Install them by hand and try again.`,
    );
  }
}

/** Installs Debian packages if this is root and apt is available. Otherwise returns false. */
export async function aptInstall(packages) {
  if (process.platform !== "linux" || process.getuid?.() !== 0 || !isOnPath("apt-get")) return false;
  const env = { ...TOOL_ENV, DEBIAN_FRONTEND: "noninteractive" };
  await run("apt-get", ["update", "-q"], { output: "collect", env });
  const result = await run("apt-get", ["install", "-y", "-q", "--no-install-recommends", ...packages], {
    output: "collect",
    env,
  });
  return result.code === 0;
}

export function isOnPath(program) {
  return (process.env.PATH ?? "").split(":").some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

function canLoadNativeModules() {
  try {
    const require = createRequire(join(ROOT, "apps/agent-gateway/package.json"));
    new (require("better-sqlite3"))(":memory:").close();
    createRequire(join(ROOT, "packages/core/package.json"))("node-pty");
    return true;
  } catch {
    return false;
  }
}

/** A progress line on a terminal, an occasional line elsewhere: a silent minute looks like a hang. */
function showProgress(started) {
  let phase = "downloading";
  const timer = setInterval(() => {
    const text = `  ${phase}, ${seconds(started)} s`;
    if (process.stdout.isTTY) process.stdout.write(`\r\x1b[K${text}`);
    else if (seconds(started) % 20 === 0) console.log(text);
  }, 1000);
  return {
    line: (text) => {
      if (/node-pty.*install/.test(text)) phase = "compiling a native module";
    },
    stop: () => {
      clearInterval(timer);
      if (process.stdout.isTTY) process.stdout.write("\r\x1b[K");
    },
  };
}

function seconds(since) {
  return Math.round((Date.now() - since) / 1000);
}

function say(text) {
  console.log(text);
}
