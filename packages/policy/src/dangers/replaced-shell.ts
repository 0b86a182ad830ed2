import { asks } from "./rule.ts";

/** Programs that start a shell of their own, with any arguments. */
const MULTIPLEXERS = "tmux screen zellij byobu script".split(" ");
/**
 * Programs that read commands from the keyboard if no script is given: interpreters, and shells whose language Belay
 * does not parse.
 */
const INTERPRETERS = "pwsh powershell nu xonsh elvish osh python python3 ipython node irb".split(" ");

/** `exec tmux` replaces the terminal's shell, and with it the markers that report each command. */
export const REPLACED_SHELL = [
  asks({
    id: "session-state",
    level: "dangerous",
    reason: "Replaces the terminal's shell by a program that does not report its commands to Belay.",
    programs: [...MULTIPLEXERS, ...INTERPRETERS],
    fires: ({ program, wrappers, args }) =>
      wrappers.includes("exec") &&
      (MULTIPLEXERS.includes(program) || args.every(({ text }) => text.startsWith("-") && text !== "-c")),
  }),
];
