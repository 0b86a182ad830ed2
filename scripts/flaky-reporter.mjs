/** Lists the tests that passed only at their second try: they are not stable, and have to be mended. */
export default class FlakyReporter {
  #flaky = [];

  onTestCaseResult(test) {
    if (test.diagnostic()?.flaky) this.#flaky.push(`${test.module.relativeModuleId} > ${test.fullName}`);
  }

  onTestRunEnd() {
    if (this.#flaky.length === 0) return;
    console.log(`\nPassed only at the second try, so not stable:\n  ${this.#flaky.join("\n  ")}`);
  }
}
