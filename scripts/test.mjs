import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readOptions } from "./options.mjs";
import { bringNode, RELEASES } from "./own-node.cjs";
import { ROOT, run, TOOL_ENV, withNodeFirst } from "./run.mjs";
import { aptInstall, isOnPath, setUp } from "./setup.mjs";

const { values: options } = readOptions({
  usage: `npm test: lint, types, dead code and every test, from a fresh clone. Ends with one line, "N passed, M failed".

  --only-this-node  not on the recommended Node as well, if this is another`,
  options: { "only-this-node": { type: "boolean", default: false } },
});
const reports = mkdtempSync(join(tmpdir(), "belay-test-"));
/** If more files fail, it is not chance. */
const MAX_FILES_TO_REPEAT = 3;
let passed = 0;
let failed = 0;
/** Tests that failed, and those of them that passed when they were run by themselves. */
const broken = [];
const unstable = [];

await setUp();
await installTools();
const browser = await findBrowser();

await check("lint and format", "biome", ["ci", ".", "--error-on-warnings"]);
await check("import direction", "turbo", ["boundaries"]);
await check("dead code", "knip", []);
await check("types", "turbo", ["run", "typecheck", "--output-logs=errors-only"]);
await vitest("unit and integration tests");
if (!options["only-this-node"]) await onRecommendedNode();
await playwright();

rmSync(reports, { recursive: true, force: true });
list("Failed", broken);
list("Passed only by themselves, so not stable", unstable);
console.log(`\n${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);

async function check(title, command, args) {
  heading(title);
  const { code } = await run(command, args);
  if (code !== 0) broken.push(title);
  count(code === 0 ? 1 : 0, code === 0 ? 0 : 1);
}

/**
 * Files with a failed test run once more, by themselves: one unstable test in thousands should be named, not stop all
 * other work.
 */
async function vitest(title, env = TOOL_ENV) {
  heading(title);
  const first = await runVitest([], env);
  // A run that died without a report has failed, even if every test so far had passed.
  if (!first) return count(0, 1);
  if (first.skipped > 0)
    console.log(`${first.skipped} skipped, because a program or a permission that they need is missing.`);
  if (first.failed === 0) return count(first.passed, 0);
  const isWorthRepeating = first.files.length > 0 && first.files.length <= MAX_FILES_TO_REPEAT;
  if (isWorthRepeating) heading("the files that failed, once more by themselves");
  const second = isWorthRepeating ? await runVitest(first.files, env) : null;
  if (second?.failed === 0) {
    unstable.push(...first.names);
    return count(first.passed + first.failed, 0);
  }
  broken.push(...(second ?? first).names);
  count(first.passed, first.failed);
}

async function runVitest(files, env) {
  const folder = mkdtempSync(join(reports, "vitest-"));
  const [file, outcomeFile] = [join(folder, "report.json"), join(folder, "outcome.json")];
  const args = [
    "run",
    "--reporter=dot",
    "--reporter=./scripts/flaky-reporter.mjs",
    "--reporter=json",
    `--outputFile.json=${file}`,
    ...files,
  ];
  const { code } = await run("vitest", args, { env: { ...env, TEST_OUTCOME_FILE: outcomeFile } });
  const [report, outcome] = [readReport(file), readReport(outcomeFile)];
  if (!report || !outcome) return null;
  return {
    passed: report.numPassedTests,
    failed: Math.max(report.numFailedTests, report.numFailedTestSuites, code === 0 ? 0 : 1),
    skipped: report.numPendingTests,
    names: outcome.failed,
    files: outcome.files,
  };
}

/** The tests also run on the recommended Node, if the machine has a different one. */
async function onRecommendedNode() {
  const release = RELEASES[`${process.platform}-${process.arch}`];
  if (!release || release.version.split(".")[0] === process.versions.node.split(".")[0]) return;
  const node = bringNode(release, console.log);
  await vitest(`the same on Node ${release.version}`, withNodeFirst(node, TOOL_ENV));
}

async function playwright() {
  heading("in the browser");
  if (!browser) {
    console.error(
      "No Chromium, and none could be installed. Install it (Debian, Ubuntu: sudo apt-get install chromium) and try again.",
    );
    return count(0, 1);
  }
  const file = join(reports, "playwright.json");
  const env = { ...TOOL_ENV, PLAYWRIGHT_JSON_OUTPUT_NAME: file, BELAY_TEST_BROWSER: browser.path };
  const { code } = await run("playwright", ["test", "--config", "e2e/playwright.config.ts", "--reporter=list,json"], {
    env,
  });
  const report = readReport(file);
  if (!report) return count(0, 1);
  for (const [why, times] of skippedBecause(report)) console.log(`${times} skipped: ${why}`);
  count(report.stats.expected + report.stats.flaky, Math.max(report.stats.unexpected, code === 0 ? 0 : 1));
}

/** Why tests in the browser were skipped, and how many. */
function skippedBecause(report) {
  const reasons = new Map();
  const visit = ({ suites = [], specs = [] }) => {
    for (const { tests } of specs)
      for (const { status, annotations } of tests) {
        if (status !== "skipped") continue;
        const why = annotations.find(({ type }) => type === "skip")?.description ?? "no reason is given.";
        reasons.set(why, (reasons.get(why) ?? 0) + 1);
      }
    suites.forEach(visit);
  };
  visit(report);
  return reasons;
}

/** At the end, where it is seen, and not only among thousands of dots. */
function list(title, names) {
  if (names.length > 0) console.log(`\n${title}:\n  ${names.join("\n  ")}`);
}

function count(ok, bad) {
  passed += ok;
  failed += bad;
}

function readReport(file) {
  return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : null;
}

function heading(title) {
  console.log(`\n── ${title}`);
}

/** The tests cover every shell and wall that is installed, so install the missing ones if possible. */
async function installTools() {
  await installMissing({ zsh: ["zsh"], fish: ["fish"], bwrap: ["bubblewrap"] });
  await installMissing({ pg_ctlcluster: ["postgresql"] });
  await installMissing({ "nats-server": ["nats-server"] });
  // On its own, because not every distribution has it. Its usual runtime does not work inside of containers.
  await installMissing({ podman: ["podman", "runc"], newuidmap: ["uidmap"] });
}

async function installMissing(tools) {
  const missing = Object.entries(tools).flatMap(([program, packages]) => (isOnPath(program) ? [] : packages));
  if (missing.length === 0) return;
  console.log(`Installing ${missing.join(" and ")}, to test with them too.`);
  if (!(await aptInstall(missing)))
    console.log(`${missing.join(" and ")} could not be installed: their tests are skipped.`);
}

/** Debian's Chromium, or Playwright's own if it can be downloaded. An empty path means Playwright's. */
async function findBrowser() {
  for (const path of ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"]) {
    if (existsSync(path)) return { path };
  }
  console.log("Installing Chromium for the tests in the browser.");
  if ((await aptInstall(["chromium"])) && existsSync("/usr/bin/chromium")) return { path: "/usr/bin/chromium" };
  const { code } = await run("playwright", ["install", "chromium"], { output: "collect", cwd: ROOT });
  return code === 0 ? { path: "" } : null;
}
