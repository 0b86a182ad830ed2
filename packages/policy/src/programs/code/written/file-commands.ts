import { quoteWord } from "@belay/protocol";
import { programNamed } from "../../catalog/index.ts";
import { withoutPlainImports } from "../code-text.ts";
import { RUNS_OTHERS, runsOwnCode, stringLiterals } from "../inline-code.ts";
import { beginsWithText, LiteralValues, variableOf, wordsOf } from "./literal-values.ts";

/** Names with which code in any language can start another program. */
const STARTS_PROGRAMS =
  /child_process|subprocess|\bos\.(?:system|popen|exec\w*|spawn\w*|posix_spawn\w*)|\bsystem\b|\bpopen|os\/exec|syscall\.Exec|\bOpen3\b|\bKernel\b|\bPTY\b|%x[[({]|\bqx\b|shell_exec|passthru|proc_open|pcntl_exec|\bRuntime\b|ProcessBuilder|Process\.(?:Start|start|run|spawn)|std::process|System\.cmd|Port\.open|:os\.cmd|\bexeca\b|\bzx\b|shelljs|cross-spawn|Deno\.(?:run|Command)|callCommand|callProcess|readProcess|Sys\.command|Unix\.system|execShellCmd|execCmd|execProcess|process\.Child|executeShell|spawnProcess|Bun\.spawn|\bexec\s+["']|__import__|\bpty\.|create_subprocess|\$`|^[ \t]*`/m;
const HIDES =
  /\b(?:require|import|import_module|getattr)\s*\(\s*(?!["'`])[^)\s]|["']\s*[+.]\s*["']|ProcessBuilder[\s\S]{0,5000}\.\s*command\s*\(\s*[^)\s]/;

/** A call that starts a program, up to its first argument. */
const CALL =
  /\b(?:system|callCommand|callProcess|readProcess|command|popen\d?|exec\w*|spawn\w*|run|call|check_output|check_call|Popen|getoutput|getstatusoutput|shell_exec|passthru|proc_open|Command|CommandContext|Process|ProcessBuilder|Start|cmd|capture\d?e?|execa\w*|create_subprocess\w*)(?:::new)?\s*(?:\(\s*|\s+(?=["']))/g;

/** The option after which an interpreter takes code. */
const ENDS_IN_CODE = /^-\w*[ce]$/;

const MAX_COMMANDS = 100;

/** A command that a file starts, or a text of the file that it may start. */
export interface FileCommand {
  readonly text: string;
  readonly isGuess: boolean;
}

/**
 * The commands that a file of the project starts, from the arguments of its calls. If a call gets a variable, every
 * string that starts with the name of a known program may be its value. Otherwise strings are only text.
 */
export function commandsOfFile(whole: string): FileCommand[] {
  const code = withoutPlainImports(whole);
  if (!STARTS_PROGRAMS.test(code) && !HIDES.test(code)) return [];
  const found: string[][] = [];
  const guesses: string[][] = [];
  let takesVariable = HIDES.test(code);
  const values = new LiteralValues(code);
  const own = values.functionNames;
  for (const match of code.matchAll(CALL)) {
    const name = /^\w+/.exec(match[0])?.[0] ?? "";
    // A function of this file runs what its own body runs.
    if (own.has(name) && code[match.index - 1] !== ".") continue;
    const written = code.slice(match.index + match[0].length, match.index + match[0].length + 2_000);
    // The interpreter that runs this file.
    const after = written.replace(/^(\[?\s*)(?:sys\.executable|process\.execPath)\b/, '$1"python"');
    const words = beginsWithText(after) ? wordsOf(after) : [];
    const variable = variableOf(after);
    if (variable !== null) found.push(...values.of(variable).map((value) => [...words, ...value]));
    if (words.length === 0) takesVariable ||= /^[A-Za-z_$&*@]/.test(after);
    else {
      found.push(words);
      // `["bash", "-c", line]`: what a shell or another interpreter gets may be any string.
      takesVariable ||=
        RUNS_OTHERS.test(words[0] ?? "") &&
        (own.size > 0 ? !runsOwnCode(words) : ENDS_IN_CODE.test(words.at(-1) ?? ""));
    }
  }
  // The code can start programs, but calls them by another name: `from subprocess import call as c`.
  if (found.length === 0) takesVariable = true;
  // Backticks run commands in Perl, Ruby, PHP and zx.
  for (const match of code.matchAll(/`([^`\n]{1,500})`/g)) if (isProgram(match[1] ?? "")) found.push([match[1] ?? ""]);
  if (takesVariable) {
    guesses.push(...stringLiterals(code).map((text) => [text]));
    for (const match of code.matchAll(/[[(]\s*((?:['"][^'"\n]*['"]\s*,\s*)+['"][^'"\n]*['"]\s*)[\])]/g))
      guesses.push(stringLiterals(match[0]));
  }
  const certain = lines(found);
  const guessed = lines(guesses).filter((text) => !certain.includes(text));
  return [
    ...certain.map((text) => ({ text, isGuess: false })),
    ...guessed.map((text) => ({ text, isGuess: true })),
  ].slice(0, MAX_COMMANDS);
}

/** The command lines among these lists of words, each once. */
function lines(found: readonly (readonly string[])[]): string[] {
  const known = found.filter((words) => isProgram(words[0] ?? "") && !runsOwnCode(words));
  return [...new Set(known.map((words) => (words.length === 1 ? (words[0] ?? "") : words.map(quoteWord).join(" "))))];
}

/** Whether a command line begins with the name of a known program. */
export function isProgram(text: string): boolean {
  const [first = ""] = text.slice(0, 200).trim().split(/\s/, 1);
  const name = first.slice(first.lastIndexOf("/") + 1);
  return programNamed(name) !== undefined || SHELLS.has(name);
}

const SHELLS: ReadonlySet<string> = new Set("sh bash zsh dash ksh fish pwsh powershell".split(" "));
