import { readlinkSync } from "node:fs";
import { basename } from "node:path";
import type { ReaderCode } from "../pool/requests.ts";
import { programPathOf, readProcFile } from "../processes/proc.ts";

const SYSTEM_FOLDERS = [
  "/bin/",
  "/sbin/",
  "/usr/bin/",
  "/usr/sbin/",
  "/usr/lib/",
  "/usr/libexec/",
  "/lib/",
  "/nix/store/",
];
const INTERPRETER =
  /^(?:(?:ba|da|z|fi|k|mk|pdk|c|tc|a|nu|pw|xon)?sh|busybox|toybox|python|pypy|node|nodejs|deno|bun|perl|ruby|php|lua|luajit|tclsh|wish|expect|awk|gawk|mawk|nawk|original-awk|sed|ed|ex|vim?|nvim|emacs|java|jshell|R|Rscript|julia|guile|sbcl|erl|beam\.smp|iex|ghci|ocaml|scala|groovy|gdb|lldb|sqlite3|psql|mysql|octave|dotnet|screen|tmux|script|socat)(?:[-.\d].*)?$/;
/** Variables that make a program load code of the agent's choice. */
const LOADS_CODE =
  /\0(?:LD_PRELOAD|LD_LIBRARY_PATH|LD_AUDIT|DYLD_[A-Z_]+|GCONV_PATH|PERL5OPT|PERL5LIB|PYTHON[A-Z]+|NODE_OPTIONS|SSH_ASKPASS|SUDO_ASKPASS)=./;

/**
 * System programs that use a password only for this machine's own accounts. `ssh`, `git`, `gpg` and `openssl` are not
 * among them: their command line, which the agent wrote, says where the password goes.
 */
const ASKS_FOR_ITSELF =
  /^(?:su|sudo|sudo-rs|doas|pkexec|pkttyagent|polkit-agent-helper-1|passwd|chsh|chfn|login|newgrp|sg|gpasswd)$/;

/** Programs that print, store or send what they read: after `stty -echo` they look like a password prompt. */
const PASSES_ON =
  /^(?:cat|tac|tee|head|tail|dd|od|xxd|hexdump|strings|tr|wc|sort|uniq|cut|paste|join|comm|column|[ef]?grep|rg|rev|nl|fold|fmt|pr|sponge|split|csplit|xargs|parallel|base(?:32|64)|cp|install|nc(?:\..+)?|ncat|netcat|telnet|logger|mail|mailx|sendmail|write|wall|bc|dc|m4|make|at|batch|systemd-ask-password|dialog|whiptail|zenity|kdialog|gum|less|more)$/;

/** Whose code a process runs. `leaderPid` is the first process of its terminal. */
export function codeOf(pid: number, leaderPid: number): ReaderCode {
  const path = programPathOf(pid);
  if (path === null) return "unknown";
  const name = basename(path);
  if (INTERPRETER.test(name)) return "interpreter";
  const isSystems = SYSTEM_FOLDERS.some((folder) => path.startsWith(folder));
  const environment = `\0${readProcFile(pid, "environ") ?? ""}`;
  if (!isSystems || LOADS_CODE.test(environment) || !seesSameFiles(pid, leaderPid)) return "other-program";
  if (PASSES_ON.test(name)) return "passes-on";
  return ASKS_FOR_ITSELF.test(name) ? "system-program" : "system-other";
}

/** In another mount namespace, `/usr/bin/sudo` can be any file. */
function seesSameFiles(pid: number, leaderPid: number): boolean {
  try {
    return readlinkSync(`/proc/${pid}/ns/mnt`) === readlinkSync(`/proc/${leaderPid}/ns/mnt`);
  } catch {
    return false; // Gone, or not readable.
  }
}
