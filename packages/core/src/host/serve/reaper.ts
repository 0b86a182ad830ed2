import { type ChildProcess, spawn } from "node:child_process";
import type { Writable } from "node:stream";
import type { TerminalPool } from "../../pool/terminal-pool.ts";
import { MARKER_VARIABLE } from "../../processes/end-processes.ts";

/**
 * Ends every process of every terminal when their host has died.
 *
 * It is a shell script and not a second Node process, because it mostly waits, on a pipe
 * that the kernel closes when the host dies. It knows the first process of each terminal,
 * which leads its session, and the prefix of the marker in the environment of all processes.
 * A child that left its session and emptied its environment is not found; only a PID namespace
 * or a cgroup would be complete.
 */
export function startReaper(terminals: TerminalPool, processMarker: string): Reaper {
  return new Reaper(terminals, processMarker);
}

export class Reaper {
  readonly #processMarker: string;
  readonly #leaders = new Set<number>();
  readonly #unsubscribe: () => void;
  #process: ChildProcess;
  #isStopped = false;

  constructor(terminals: TerminalPool, processMarker: string) {
    this.#processMarker = processMarker;
    this.#process = this.#start();
    const pids = new Map<string, number>();
    this.#unsubscribe = terminals.subscribe((event) => {
      if (!("terminal" in event)) return;
      const { id, state } = event.terminal;
      const known = pids.get(id);
      if (state.status === "running" && known === undefined) {
        pids.set(id, state.pid);
        this.#leaders.add(state.pid);
        this.#send(`+ ${state.pid}\n`);
      } else if (state.status === "closed" && known !== undefined) {
        pids.delete(id);
        this.#leaders.delete(known);
        this.#send(`- ${known}\n`);
      }
    });
  }

  /** Makes the script search once more, and exit. */
  stop(): void {
    this.#isStopped = true;
    this.#unsubscribe();
    this.#process.stdin?.end();
  }

  #start(): ChildProcess {
    const child = spawn("/bin/sh", ["-c", SCRIPT, "belay-reaper", `${MARKER_VARIABLE}=${this.#processMarker}`], {
      // In its own session, so that a signal to the host's group, or the end of its terminal, does not reach it.
      detached: true,
      stdio: ["pipe", "ignore", "ignore"],
      cwd: "/",
      env: { PATH: "/usr/bin:/bin" },
    });
    child.unref();
    // It has ended: `exit` follows, or there is no /bin/sh and nothing can be done.
    (child.stdin as Writable).on("error", () => {});
    child.on("error", () => {});
    child.on("exit", () => {
      if (this.#isStopped) return;
      this.#process = this.#start();
      for (const pid of this.#leaders) this.#send(`+ ${pid}\n`);
    });
    return child;
  }

  #send(line: string): void {
    this.#process.stdin?.write(line);
  }
}

/**
 * $1: what to find in an environment. The fields of /proc/PID/stat after the name are state, parent, group and
 * session. Three consecutive searches have to find nothing: a process in the middle of exec shows no
 * environment.
 */
const SCRIPT = `
trap '' HUP INT TERM
leaders=' '
while read -r sign pid; do
  case $sign in
    +) leaders="$leaders$pid " ;;
    -) leaders="\${leaders%% "$pid" *} \${leaders#* "$pid" }" ;;
  esac
done

look() {
  found=
  if [ ! -r /proc/self/stat ]; then
    found=$(ps -axEwwo pid=,command= | sed -n "/$1/s/^ *\\([0-9]*\\).*/\\1/p")
    return
  fi
  for file in $(grep -slaF "$1" /proc/[0-9]*/environ); do
    file=\${file#/proc/}
    found="$found \${file%/environ}"
  done
  for folder in /proc/[0-9]*; do
    { read -r stat <"$folder/stat"; } 2>/dev/null || continue
    session=\${stat##*) }
    case $session in Z*|X*) continue ;; esac
    session=\${session#* }; session=\${session#* }; session=\${session#* }; session=\${session%% *}
    case $leaders in *" $session "*) found="$found \${folder#/proc/}" ;; esac
  done
}

empty=0
round=0
while [ $empty -lt 3 ] && [ $round -lt 200 ]; do
  round=$((round + 1))
  look "$1"
  if [ -n "$found" ]; then
    empty=0
    kill -9 $found 2>/dev/null
  else
    empty=$((empty + 1))
  fi
  sleep 0.02
done
`;
