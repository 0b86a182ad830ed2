/**
 * What judging costs: per command of the corpus, by length, by number of rules, and against a plain
 * list of regexes. Times are of this machine; compare the ratios.
 */
import { readFileSync } from "node:fs";
import { createPolicy, defaultPolicy, judge, type Policy, SecuritySettings } from "@belay/policy";

const corpus = readFileSync(new URL("../packages/policy/src/corpus/corpus.jsonl", import.meta.url), "utf8");
const commands = corpus
  .split("\n")
  .filter((line) => line !== "")
  .map((line): string => JSON.parse(line).command);

/** A typical hand-written list. */
const PLAIN_LIST = [
  /rm\s+-[a-z]*r[a-z]*f?\s+\//,
  /\bsudo\b/,
  /\bmkfs\b/,
  /\bdd\s+.*of=\/dev\//,
  />\s*\/dev\/sd/,
  /(curl|wget).*\|\s*(ba|z)?sh/,
  /:\(\)\s*\{.*\};:/,
  /chmod\s+-R\s+777/,
  /\b(shutdown|reboot|halt|poweroff)\b/,
  /\.ssh\/id_rsa/,
  /base64\s+-d.*\|\s*sh/,
  /\beval\b/,
];

function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

/** The median time of each text, sorted: other load on the machine disturbs single runs, hardly medians. */
function measure(run: (command: string) => unknown, texts: readonly string[], rounds: number): number[] {
  for (let round = 0; round < rounds; round += 1) for (const text of texts) run(text);
  const medians = texts.map((text) => {
    const times = Array.from({ length: rounds }, () => {
      const start = performance.now();
      run(text);
      return (performance.now() - start) * 1_000;
    });
    return percentile(
      times.sort((a, b) => a - b),
      0.5,
    );
  });
  return medians.sort((a, b) => a - b);
}

function withRules(count: number): Policy {
  const rules = Array.from({ length: count }, (_, index) => ({
    id: `rule-${index}`,
    decision: "ask",
    program: `tool-${index}`,
    pattern: `deploy.*--stage=${index}`,
  }));
  return createPolicy(SecuritySettings.parse({ rules }));
}

const micros = (value: number) => `${value.toFixed(1)} µs`;
const verdict = (isReached: boolean) => (isReached ? "reached" : "MISSED");

console.log("policy: judging one command of the corpus");
const judged = measure((text) => judge(text, {}, defaultPolicy), commands, 20);
const p50 = percentile(judged, 0.5);
const p99 = percentile(judged, 0.99);
console.log(
  `  p50 ${micros(p50)} (goal 50 µs: ${verdict(p50 <= 50)}), p99 ${micros(p99)} (goal 500 µs: ${verdict(p99 <= 500)})`,
);

const plain = measure((text) => PLAIN_LIST.some((pattern) => pattern.test(text)), commands, 20);
console.log(`  against ${PLAIN_LIST.length} plain regexes: ${(p50 / percentile(plain, 0.5)).toFixed(0)}× at p50`);

console.log("policy: growth with length");
const perByte = [1, 4, 16, 64].map((factor) => {
  const text = Array.from({ length: factor }, (_, index) => `grep -n word${index} src/file${index}.ts`).join("; ");
  const times = measure((line) => judge(line, {}, defaultPolicy), [text], 100);
  return { length: text.length, time: percentile(times, 0.5) };
});
const first = perByte[0];
for (const { length, time } of perByte) {
  const ratio = first ? time / length / (first.time / first.length) : 1;
  console.log(`  ${length} characters: ${micros(time)}, ${ratio.toFixed(2)}× as much per character`);
}

console.log("policy: growth with rules for other programs");
const base = percentile(
  measure((text) => judge(text, {}, defaultPolicy), commands, 5),
  0.5,
);
for (const count of [10, 100, 1_000]) {
  const policy = withRules(count);
  const time = percentile(
    measure((text) => judge(text, {}, policy), commands, 5),
    0.5,
  );
  console.log(`  ${count} rules: ${(time / base).toFixed(2)}×`);
}

console.log("policy: 64 KB of anything");
const LARGE: Readonly<Record<string, string>> = {
  commands: "true; ".repeat(10_900),
  words: "a ".repeat(32_700),
  substitutions: "$(".repeat(32_700),
  nested: `${"( ".repeat(49)}ls${" )".repeat(49)}`,
  quotes: "'".repeat(65_000),
  backslashes: "\\".repeat(65_000),
  "here-document": `cat > a.txt <<'E'\n${"text and more\n".repeat(4_600)}E`,
  "expanded here-document": `cat <<E\n${"text and more\n".repeat(4_600)}E`,
  loops: `${"for i in 1 2 3 4 5 6 7 8; do ".repeat(8)}ls${"; done".repeat(8)}`,
  "one word": "x".repeat(65_536),
  "control bytes": "\u0001".repeat(65_000),
  sed: `sed '${"s/a/b/;".repeat(9_000)}' f`,
};
for (const [name, text] of Object.entries(LARGE)) {
  const times = measure((line) => judge(line, {}, defaultPolicy), [text.slice(0, 65_536)], 5);
  const median = percentile(times, 0.5) / 1_000;
  console.log(`  ${name}: ${median.toFixed(1)} ms (goal 50 ms: ${verdict(median <= 50)})`);
}
