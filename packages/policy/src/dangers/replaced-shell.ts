import { asks } from "./rule.ts";

/** They start a shell of their own, whatever their arguments are. */
const MULTIPLEXERS = "tmux screen zellij byobu script".split(" ");
/** Without a script they read the keyboard: interpreters, and shells whose language is not read. */
const INTERPRETERS = "pwsh powershell nu xonsh elvish osh python python3 ipython node irb".split(" ");

/** `exec tmux`: the terminal's own shell is gone, and with it the markers that report each command. */
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
