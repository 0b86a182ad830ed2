import { defineProgram } from "../../define-program.ts";

/** Wrappers that run a command repeatedly, or for each of many items. */
export const REPEATING = [
  defineProgram({
    names: "watch viddy",
    does: "work",
    options:
      "-bcdeghprtwxzn/ -n: -q: -s -a --interval: --differences? --precise --no-title --color --beep --errexit --chgexit --equexit: --exec --no-wrap",
    operands: "value",
    stopsAtOperand: true,
    wraps: { joins: true },
    runs: ["watch -n 2 ls"],
    asks: ["watch 'rm x'", "watch rm x"],
  }),
  // Timestamps for its input; the task spooler of the same name runs a command.
  defineProgram({
    names: "ts",
    does: "read",
    options: "-rism",
    operands: "value",
    check: ({ operands }) => (operands.length === 0 || /^[%[+]/.test(operands[0]?.text ?? "") ? null : "code"),
    runs: ["make | ts", "make | ts -s '%H:%M:%S'"],
    asks: ["ts rm x", "ts -n rm x"],
  }),
  // Copies of one program that send messages to each other.
  defineProgram({
    names: "mpirun mpiexec mpiexec.hydra prterun",
    does: "work",
    hasSingleDashLong: true,
    options:
      "-np: --np: -n: -N: -c: -ppn: -x: -H:h -host:h --host:h -hosts:h -f:h -hostfile:h --hostfile:h -machinefile:h --machinefile:h --oversubscribe --allow-run-as-root --bind-to: --map-by: --rank-by: --report-bindings --use-hwthread-cpus --tag-output -q --quiet -v --verbose -wdir:d --wdir:d -bootstrap:x -launcher:x -launcher-exec:x --launch-agent:x",
    operands: "value",
    stopsAtOperand: true,
    wraps: { isOpaque: true },
    runs: ["mpirun -np 4 ./build/solver input.nml", "mpiexec -n 2 python -m pytest tests/mpi"],
    asks: ["mpirun -np 2 rm x", "mpirun -host example.com ./build/solver", "mpirun --mca plm_rsh_agent ./x ls"],
  }),
  defineProgram({
    names: "entr",
    does: "work",
    options: "-acdnprxz -s:",
    operands: "value",
    stopsAtOperand: true,
    wraps: { code: ["-s"] },
    runs: ["ls src | entr npm test"],
    asks: ["ls | entr rm x", "ls | entr -s 'rm x'"],
  }),
  defineProgram({
    names: "hyperfine concurrently npm-run-all2 wireit",
    does: "work",
    options:
      "-w: -r: -m: -M: -p: -c: -s: -n: -u: -i -N -S:x -L: -P: -k -l: --warmup: --runs: --min-runs: --max-runs: --prepare: --cleanup: --setup: --conclude: --command-name: --names: --name-separator: --time-unit: --style: --sort: --show-output --output: --export-json:w --export-csv:w --export-markdown:w --export-asciidoc:w --export-orgmode:w --ignore-failure? --shell:x --parameter-scan: --parameter-list: --kill-others --kill-others-on-fail --success: --raw --no-color --prefix: --prefix-colors: --max-processes: --restart-tries: --group --hide: --timings --reference: --input:r",
    operands: "value",
    wraps: { each: true, code: ["-p", "--prepare", "-s", "--setup", "-c", "--cleanup", "--conclude", "--reference"] },
    runs: ["hyperfine --warmup 3 'node dist/cli.js'", "concurrently 'npm run a' 'npm run b'"],
    asks: ["hyperfine 'rm x'", "concurrently ls 'git push'", "hyperfine -p 'rm x' ls"],
  }),
  defineProgram({
    names: "watchexec",
    does: "work",
    isOpen: true,
    options:
      "-e: -w: -W: -i: -d: -r -n -c? -s: -o: -N -q -p -t -v --exts: --watch: --ignore: --delay-run: --debounce: --shell:x --restart --signal: --stop-signal: --on-busy-update: --clear? --postpone --no-vcs-ignore --no-project-ignore --no-default-ignore -f: --filter: --project-origin:d --workdir:d --notify --poll? --emit-events-to: --env: -E:",
    operands: "value",
    stopsAtOperand: true,
    wraps: { joins: true },
    runs: ["watchexec -e ts npm test", "watchexec -r -w src 'cargo check'"],
    asks: ["watchexec rm x", "watchexec -e js 'rm x'", "watchexec -- git push"],
  }),
  defineProgram({
    names: "onchange",
    does: "work",
    isOpen: true,
    options:
      "-i -v -a -k -p -w -1 -d: -e: -f: -j: -o:x --initial --add --kill --poll: --delay: --exclude: --filter: --jobs: --outpipe:x --verbose --await-write-finish:",
    operands: "value",
    stopsAtOperand: true,
    wraps: { afterDashes: true },
    runs: ["onchange 'src/**/*.ts' -- npm run lint"],
    asks: ["onchange 'src/*' -- rm x"],
  }),
  defineProgram({
    names: "chokidar",
    does: "work",
    isOpen: true,
    options:
      "-c: -d: -t: -i: -p -f: -v --command: --debounce: --throttle: --ignore: --initial --polling --follow-symlinks --silent --verbose",
    operands: "value",
    wraps: { skip: 99, code: ["-c", "--command"] },
    runs: ["chokidar 'src/**' -c 'npm test'"],
    asks: ["chokidar 'src/**' -c 'rm x'", "chokidar --command='rm x' 'src/**'"],
  }),
  defineProgram({
    names: "nodemon",
    does: "work",
    isOpen: true,
    options:
      "-e: -w: -i: -d: -x: -c: -r -n -s: --exec: --ext: --exts: --watch: --ignore: --delay: --shell:x --restart --signal: --config:c -f: --filter: --project-origin:d",
    operands: "value",
    stopsAtOperand: true,
    wraps: { code: ["-x", "--exec", "-c"] },
    runs: ["nodemon src/index.js"],
    asks: ["nodemon --exec 'rm x'"],
  }),
  defineProgram({
    names: "parallel",
    does: "code",
    isOpen: true,
    options:
      "-j: -a:r -I: -L: -n: -N: -S:h -X -k -v --jobs: --arg-file:r --bar --dry-run --keep-order --halt: --joblog:w --results:w --tmpdir:w --sshlogin:h",
    operands: "value",
    stopsAtOperand: true,
    wraps: { joins: true, isOpaque: true },
    runs: [],
    asks: ["parallel rm ::: a", "parallel ls ::: a"],
  }),
  defineProgram({
    names: "xargs gxargs",
    does: "read",
    options:
      "-0oprtx -a:r -d: -E: -e? -I: -i? -L: -l? -n: -P: -s: -J: -R: --arg-file:r --delimiter: --null --eof? --replace? --max-lines? --max-args: --max-procs: --max-chars: --interactive --no-run-if-empty --verbose --exit --open-tty --process-slot-var: --show-limits",
    operands: "value",
    stopsAtOperand: true,
    runs: ["ls | xargs cat", "echo a | xargs -I{} echo {}"],
    asks: ["ls | xargs rm", "echo a | xargs -i rm {}", "echo a | xargs --Zz ls"],
  }),
];
