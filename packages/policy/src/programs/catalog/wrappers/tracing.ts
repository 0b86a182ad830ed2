import { defineProgram } from "../../define-program.ts";
import { valuesOf } from "../use.ts";

/** Wrappers that observe or trace a command. */
export const TRACING = [
  defineProgram({
    names: "strace",
    does: "work",
    options:
      "-cCdDfFhikqrStTvVwxyYzZ -a: -b: -e: -E: -I: -n: -o:w -O: -p:=change -P: -s: -S: -u:=change -U: -X: --output:w --trace: --string-limit: --follow-forks --summary --summary-only --absolute-timestamps? --relative-timestamps? --decode-fds? --env: --status: --attach:=change --tips? --successful-only --failed-only --quiet? --seccomp-bpf",
    operands: "value",
    stopsAtOperand: true,
    wraps: { pipedOutput: ["-o", "--output"] },
    // The program that gets the output is one more command, and nobody needs it for a trace.
    check: (use) => (valuesOf(use, "-o", "--output").some((value) => /^[|!]/.test(value)) ? "code" : null),
    runs: ["strace -f ls", "strace -o /tmp/t.log ls"],
    asks: [
      "strace -o '|rm x' ls",
      "strace -o '|id' ls",
      "strace -o ~/.bashrc ls",
      "strace -p 1",
      "strace rm x",
      "strace -F rm x",
    ],
  }),
  defineProgram({
    names: "ltrace",
    does: "work",
    options:
      "-bcCfghiLrSTttV -a: -A: -D: -e: -F:c -l: -n: -o:w -p:=change -s: -u:=change -w: -x: -X: --align: --config:c --demangle --indent: --library: --no-signals --output:w --where:",
    operands: "value",
    stopsAtOperand: true,
    wraps: {},
    runs: ["ltrace -f -e malloc ls", "ltrace -o /tmp/t.log ls"],
    asks: ["ltrace -F /tmp/x ls", "ltrace -p 1", "ltrace rm x", "ltrace -o ~/.bashrc ls"],
  }),
  defineProgram({
    names: "valgrind",
    does: "work",
    isOpen: true,
    options:
      "--log-file:w --xml-file:w --callgrind-out-file:w --massif-out-file:w --cachegrind-out-file:w --suppressions:r --tool: --leak-check: --db-command:x --gen-suppressions: --vgdb? --trace-children? --error-exitcode: -v -q --num-callers:",
    operands: "value",
    stopsAtOperand: true,
    wraps: {},
    // A tool's name becomes part of a path.
    check: ({ options }) =>
      options.some(({ name, value }) => name === "--tool" && !/^[a-z]+(?:-[a-z]+)*$/.test(value?.text ?? ""))
        ? "code"
        : null,
    runs: ["valgrind --leak-check=full ./build/test", "valgrind --tool=exp-bbv ./build/test"],
    asks: ["valgrind --tool=../../tmp/x ./build/test", "valgrind --log-file=/home/agent/.bashrc ls", "valgrind rm x"],
  }),
  defineProgram({
    names: "perf",
    does: "work",
    options: "-a -g -v -q",
    verbs: {
      "stat record trace": {
        does: "work",
        options:
          "-e: -o:w -p:=change -F: -c: -C: -r: -d -B -x: -I: -t: --output:w --event: --repeat: --call-graph: --pid:=change --per-thread --detailed --no-big-num -R -A -S -s",
        operands: "value",
        stopsAtOperand: true,
        wraps: {},
      },
      "list report annotate script version bench": {
        does: "read",
        options: "-i:r --input:r --stdio -n --sort: --no-children -F:",
        operands: "value",
      },
    },
    runs: ["perf stat ls", "perf report --stdio"],
    asks: ["perf record -o ~/.bashrc ls", "perf stat rm x"],
  }),
  defineProgram({
    names: "bear intercept-build scan-build",
    does: "work",
    options: "-o:w --output:w --append --verbose",
    operands: "value",
    stopsAtOperand: true,
    wraps: {},
    runs: ["bear -- make"],
    asks: ["bear -- rm x"],
  }),
  defineProgram({
    names: "xvfb-run",
    does: "work",
    options:
      "-a -e:w -f: -n: -l -p: -s: -w: --auto-servernum --server-args: --server-num: --error-file:w --auth-file: --listen-tcp --wait: --xauth-protocol:",
    operands: "value",
    stopsAtOperand: true,
    wraps: {},
    runs: ["xvfb-run -a npm test"],
    asks: ["xvfb-run rm x"],
  }),
  defineProgram({
    names: "flock",
    does: "work",
    options:
      "-sxenuoFv -w: -E: -c: --shared --exclusive --nonblock --unlock --close --no-fork --timeout: --wait: --conflict-exit-code: --command: --verbose",
    operands: "value",
    stopsAtOperand: true,
    wraps: { skip: 1, code: ["-c", "--command"] },
    runs: ["flock /tmp/l ls"],
    asks: ["flock /tmp/l rm x"],
  }),
  defineProgram({
    names: "script",
    does: "edit",
    options:
      "-aefqtV -c: -B:w -E: -I:w -O:w -T:w -m: -o: --append --command: --log-io:w --log-out:w --log-in:w --log-timing:w --flush --quiet --return --force --output-limit: --echo:",
    operands: "write",
    stopsAtOperand: true,
    wraps: { skip: 99, code: ["-c", "--command"] },
    check: ({ options }) => (options.some(({ name }) => name === "-c" || name === "--command") ? null : "code"),
    runs: ["script -qc 'npm test' /dev/null"],
    asks: ["script", "script ~/.bashrc", "script -qc 'rm x' /dev/null"],
  }),
];
