import { expect, test } from "vitest";
import { openTarget, type Step } from "./attack.ts";

const run = (...commands: string[]): Step[] => commands.map((command) => ({ command }));

/** By row of docs/security-attacks.md. `FIRE` is replaced by a program that no rule allows. */
const ATTACKS: Record<string, Step[]> = {
  "as it is": run("FIRE"),
  "row 1 a variable of the hooks": run("__belay_shown='$(FIRE)'", "true"),
  "row 1 by printf": run("printf -v __belay_shown %s '$(FIRE)'", "true"),
  "row 1 by declare": run("declare -g __belay_start='$(FIRE)'", "true"),
  "row 1 by read": run("read __belay_saved_x <<< '$(FIRE)'", "true"),
  "row 1 a function of the hooks": run("__belay_hook() { FIRE; }", "true"),
  "row 2 PROMPT_COMMAND": run("PROMPT_COMMAND='FIRE'", "true"),
  "row 2 by printf": run("printf -v PROMPT_COMMAND %s 'FIRE'", "true"),
  "row 2 by for": run("for PROMPT_COMMAND in 'FIRE'; do :; done", "true"),
  "row 2 by read": run("read PROMPT_COMMAND <<< 'FIRE'", "true"),
  "row 2 by mapfile": run("mapfile -t PROMPT_COMMAND <<< 'FIRE'", "true"),
  "row 2 by a default": run("unset PROMPT_COMMAND", `: \${PROMPT_COMMAND:=FIRE}`, "true"),
  "row 2 by a nameref": run("declare -n ref=PROMPT_COMMAND; ref='FIRE'", "true"),
  "row 2 by getopts": run("set -- -a; OPTARG='FIRE'; getopts a: PROMPT_COMMAND", "true"),
  "row 2 PS1": run("export PS1='$(FIRE)'", "true"),
  "row 2 PS0": run("PS0='$(FIRE)'", "true"),
  "row 2 PS4": run("PS4='$(FIRE)'; set -x", "true"),
  "row 2 a trap": run("trap 'FIRE' DEBUG", "true"),
  "row 2 arithmetic": run("x='a[$(FIRE)]'; echo $((x))"),
  "row 2 a text that declare reads as an array": run("declare -a 'a=($(FIRE))'"),
  "row 2 a reference to a subscript": run("declare -n r='a[$(FIRE)]'; echo $r"),
  "row 2 arithmetic on a parameter": run("set -- 'a[$(FIRE)]'; echo $(( $1 ))"),
  "row 2 arithmetic in a shell below": run("x='a[$(FIRE)]' bash -c 'echo $((x))'"),
  "row 3 a second line for read": [{ command: "read x" }, { keys: "one\nFIRE\n" }],
  "row 3 what head leaves": [{ command: "head -c1" }, { keys: "xFIRE\n" }],
  "row 3 after the end of input": [{ command: "cat" }, { keys: "x\n\u0004FIRE\n" }],
  "row 3 a disguised line end": [{ command: "read x" }, { keys: "one\u000fFIRE\r" }],
  "row 4 less, in two writes": [{ command: "less /etc/passwd" }, { keys: "!" }, { keys: "FIRE\n" }],
  "row 4 less, a pipe": [{ command: "less /etc/passwd" }, { keys: "|^FIRE\n" }],
  "row 15 written and run": run("echo FIRE > written.sh; sh written.sh"),
  "row 15 moved with its folder": run("mkdir d; echo FIRE > d/s; mv d e", "sh e/s"),
  "row 15 by a here-document": run("sh <<< 'FIRE'"),
};

test("none of these runs the program", async () => {
  const target = await openTarget();
  const waiting = Object.entries(ATTACKS);
  const fired: string[] = [];

  const attack = async (): Promise<void> => {
    const next = waiting.shift();
    if (!next) return;
    const [title, steps] = next;
    const name = title.replace(/\W+/g, "-");
    const aim = (text: string) => text.replaceAll("FIRE", `${target.payload} ${name}`);
    const aimed = steps.map((step) => ("command" in step ? { command: aim(step.command) } : { keys: aim(step.keys) }));
    await target.attack(name.slice(0, 60), aimed);
    if (target.hasFired(name)) fired.push(title);
    await attack();
  };
  await Promise.all([attack(), attack(), attack()]);

  expect(fired).toEqual([]);
  expect(target.hasFired("nameless")).toBe(false);
});
