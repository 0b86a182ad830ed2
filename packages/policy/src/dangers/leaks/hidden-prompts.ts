import type { Invocation } from "../../language/commands/invocation.ts";
import { parseOptions } from "../../programs/options.ts";
import { asks, hasFlag } from "../rule.ts";

/** Words of a prompt that asks for a password. */
const PASSWORD_PROMPT = /pass(?:word|phrase|code)|secret|credential|one-time code|verification code|\botp\b|\bpin\b/i;

function hidesInput(invocation: Invocation): boolean {
  if (invocation.program !== "read") return hasFlag(invocation, /^(-echo|--password.*|--passwordbox|--insecure)$/);
  const { options } = parseOptions(invocation.args, { short: "adeiknNptuU" });
  const prompts = [...(options.get("-p") ?? []), ...invocation.args.filter(({ text }) => text.includes("?"))];
  return options.has("-s") || prompts.some(({ text }) => PASSWORD_PROMPT.test(text));
}

/** A command that shows a password prompt of the agent's own: the agent would get what a person types there. */
export const HIDDEN_PROMPTS = [
  asks({
    id: "hidden-prompt",
    level: "dangerous",
    reason: "Reads what a person types at the terminal, and the agent gets it.",
    needsEffects: true,
    fires: (invocation) => invocation.effects.some(({ type, paths }) => type === "read" && paths.includes("/dev/tty")),
  }),
  asks({
    id: "hidden-prompt",
    level: "dangerous",
    reason: "Asks the person at the terminal for a password, and the agent gets it.",
    programs: ["read", "stty", "zenity", "kdialog", "dialog", "whiptail"],
    fires: hidesInput,
  }),
  asks({
    id: "hidden-prompt",
    level: "dangerous",
    reason: "Asks the person at the terminal for a password, and the agent gets it.",
    programs: ["systemd-ask-password", "ssh-askpass", "ksshaskpass", "pinentry", "gum"],
    fires: (invocation) => invocation.program !== "gum" || hasFlag(invocation, /^--password$/),
  }),
];
