import { expect, test } from "vitest";
import { openTarget, type Step } from "./attack.ts";

const run = (...commands: string[]): Step[] => commands.map((command) => ({ command }));

/** By id of docs/security-attacks.md. `FIRE` is replaced by a program that no rule allows. */
const ATTACKS: Record<string, Step[]> = {
  "as it is": run("FIRE"),
  "S1 a variable of the hooks": run("__belay_shown='$(FIRE)'", "true"),
  "S1 by printf": run("printf -v __belay_shown %s '$(FIRE)'", "true"),
  "S1 by declare": run("declare -g __belay_start='$(FIRE)'", "true"),
  "S1 by read": run("read __belay_saved_x <<< '$(FIRE)'", "true"),
  "S1 a function of the hooks": run("__belay_hook() { FIRE; }", "true"),
  "S2 PROMPT_COMMAND": run("PROMPT_COMMAND='FIRE'", "true"),
  "S2 by printf": run("printf -v PROMPT_COMMAND %s 'FIRE'", "true"),
  "S2 by for": run("for PROMPT_COMMAND in 'FIRE'; do :; done", "true"),
  "S2 by read": run("read PROMPT_COMMAND <<< 'FIRE'", "true"),
  "S2 by mapfile": run("mapfile -t PROMPT_COMMAND <<< 'FIRE'", "true"),
  "S2 by a default": run("unset PROMPT_COMMAND", `: \${PROMPT_COMMAND:=FIRE}`, "true"),
  "S2 by a nameref": run("declare -n ref=PROMPT_COMMAND; ref='FIRE'", "true"),
  "S2 by getopts": run("set -- -a; OPTARG='FIRE'; getopts a: PROMPT_COMMAND", "true"),
  "S2 PS1": run("export PS1='$(FIRE)'", "true"),
  "S2 PS0": run("PS0='$(FIRE)'", "true"),
  "S2 PS4": run("PS4='$(FIRE)'; set -x", "true"),
  "S2 a trap": run("trap 'FIRE' DEBUG", "true"),
  "S2 arithmetic": run("x='a[$(FIRE)]'; echo $((x))"),
  "S2 a text that declare reads as an array": run("declare -a 'a=($(FIRE))'"),
  "S2 a reference to a subscript": run("declare -n r='a[$(FIRE)]'; echo $r"),
  "S2 arithmetic on a parameter": run("set -- 'a[$(FIRE)]'; echo $(( $1 ))"),
  "S2 arithmetic in a shell below": run("x='a[$(FIRE)]' bash -c 'echo $((x))'"),
  "S3 a second line for read": [{ command: "read x" }, { keys: "one\nFIRE\n" }],
  "S3 what head leaves": [{ command: "head -c1" }, { keys: "xFIRE\n" }],
  "S3 after the end of input": [{ command: "cat" }, { keys: "x\n\u0004FIRE\n" }],
  "S3 a disguised line end": [{ command: "read x" }, { keys: "one\u000fFIRE\r" }],
  "S4 less, in two writes": [{ command: "less /etc/passwd" }, { keys: "!" }, { keys: "FIRE\n" }],
  "S4 less, a pipe": [{ command: "less /etc/passwd" }, { keys: "|^FIRE\n" }],
  "S15 written and run": run("echo FIRE > written.sh; sh written.sh"),
  "S15 moved with its folder": run("mkdir d; echo FIRE > d/s; mv d e", "sh e/s"),
  "S15 by a here-document": run("sh <<< 'FIRE'"),
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
