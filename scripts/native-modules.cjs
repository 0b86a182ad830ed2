// Makes sure that node-pty can be loaded, the one native module without prebuilt binaries for every system. The
// package contains it for Linux x64 and macOS; elsewhere it is compiled once, here. Written in old JavaScript, because
// npm runs it after installation with the Node of the machine.
const { execFileSync, spawnSync } = require("node:child_process");
const fs = require("node:fs");
const path = require("node:path");
const { findNode, isWritable } = require("./own-node.cjs");

const ROOT = path.dirname(__dirname);
const MODULE = path.join(ROOT, "node_modules", "node-pty");
const COMPILERS = ["g++", "make", "python3"];

/** Null if it loads, otherwise one sentence that says what to do. Compiles it first if it does not load and a compiler is available. */
function ensureNativeModules(node, say) {
  if (!fs.existsSync(MODULE) || loads(node)) return null;
  const missing = COMPILERS.filter((program) => !isOnPath(program));
  if (missing.length > 0) {
    return `Belay has no prebuilt terminal module for this system (${process.platform} ${process.arch}) and compiles it, for which it needs ${missing.join(", ")}. Install them (Debian, Ubuntu: sudo apt-get install g++ make python3; macOS: xcode-select --install) and run the same command again.`;
  }
  if (!isWritable(MODULE)) {
    return `Belay's terminal module must be compiled for this system, and this user may not write to ${MODULE}. Run belay once as the user who installed it.`;
  }
  say("Compiling the terminal module for this system (about ten seconds, once).");
  const compiled = compile(node);
  if (compiled.status === 0 && loads(node)) return null;
  return `${lastLines(compiled.stderr)}\nThe terminal module could not be compiled; the reason is above. It needs a C++ compiler, make and python3, and the headers of Node, which node-gyp downloads.`;
}

function loads(node) {
  const utils = path.join(MODULE, "lib", "utils.js");
  if (node === process.execPath) return loadsHere(utils);
  const script = `require(${JSON.stringify(utils)}).loadNativeModule("pty")`;
  return spawnSync(node, ["-e", script], { stdio: "ignore" }).status === 0;
}

function loadsHere(utils) {
  try {
    require(utils).loadNativeModule("pty");
    return true;
  } catch (_) {
    return false;
  }
}

function compile(node) {
  const gyp = findNodeGyp();
  if (gyp === null) return { status: 1, stderr: "npm, which brings node-gyp, was not found." };
  const prefix = path.dirname(path.dirname(node));
  const headers = fs.existsSync(path.join(prefix, "include/node/node_version.h")) ? [`--nodedir=${prefix}`] : [];
  const args = [gyp, "rebuild"].concat(headers);
  return spawnSync(node, args, { cwd: MODULE, encoding: "utf8", stdio: ["ignore", "ignore", "pipe"] });
}

/** npm bundles node-gyp. */
function findNodeGyp() {
  try {
    const options = { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] };
    const global = execFileSync("npm", ["root", "--global"], options).trim();
    const beside = path.join(path.dirname(path.dirname(process.execPath)), "lib", "node_modules");
    const places = [global, beside].map((root) => path.join(root, "npm/node_modules/node-gyp/bin/node-gyp.js"));
    return places.filter((file) => fs.existsSync(file))[0] || null;
  } catch (_) {
    return null;
  }
}

function isOnPath(program) {
  return (process.env.PATH || "").split(":").some((folder) => fs.existsSync(path.join(folder, program)));
}

function lastLines(text) {
  return (text || "").trim().split("\n").slice(-15).join("\n");
}

module.exports = { ensureNativeModules };

// After installation: compile now, so that the first start need not. A missing compiler does not fail the
// installation, because `belay` checks again at start and its message is more likely to be read.
if (require.main === module) {
  const problem = ensureNativeModules(findNode(console.error), console.error);
  if (problem) console.error(problem);
}
