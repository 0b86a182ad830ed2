import { writeFileSync } from "node:fs";
import { relative } from "node:path";

/**
 * Lists the tests that passed only at their second try: they are not stable, and have to be mended. Writes the tests that
 * failed, and the files to run again, into the file that `TEST_OUTCOME_FILE` names.
 */
export default class FlakyReporter {
  #flaky = [];
  #failed = [];
  #files = new Set();

  onTestCaseResult(test) {
    const name = `${test.module.relativeModuleId} > ${test.fullName}`;
    if (test.diagnostic()?.flaky) this.#flaky.push(name);
    if (test.result().state === "failed") this.#failed.push(name);
  }

  onTestRunEnd(modules, unhandledErrors) {
    for (const module of modules) if (module.state() === "failed") this.#files.add(module.relativeModuleId);
    for (const { VITEST_TEST_PATH: path, message } of unhandledErrors) {
      const file = path ? relative(process.cwd(), path) : null;
      this.#failed.push(`${file ?? "outside of the tests"}: unhandled error: ${message}`);
      if (file) this.#files.add(file);
    }
    if (this.#flaky.length > 0)
      console.log(`\nPassed only at the second try, so not stable:\n  ${this.#flaky.join("\n  ")}`);
    const outcome = { failed: this.#failed, files: [...this.#files] };
    if (process.env.TEST_OUTCOME_FILE) writeFileSync(process.env.TEST_OUTCOME_FILE, JSON.stringify(outcome));
  }
}
