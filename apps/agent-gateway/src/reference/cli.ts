import type { Argument, Command, Option } from "commander";
import { createProgram } from "../doors/cli/program.ts";
import { loadSettings } from "../env.ts";

/** Every command with its arguments and options, from the program itself. */
export function cliPage(): string {
  const program = createProgram(loadSettings({ HOME: "/" }, "/"));
  const parts = leavesOf(program, "belay").map(([name, command]) => describeCommand(name, command));
  return `# The command line

Generated from the program. In a clone it is \`npx belay …\`, installed \`belay …\`. It works whether or not the gateway is running, and refuses to work inside one of Belay's own terminals.

${parts.join("\n")}`;
}

/** Commands that do something; groups such as \`belay audit\` only contain them. */
function leavesOf(command: Command, name: string): [string, Command][] {
  if (command.commands.length === 0) return [[name, command]];
  return command.commands.flatMap((child) => leavesOf(child, `${name} ${child.name()}`));
}

function describeCommand(name: string, command: Command): string {
  const words = command.registeredArguments.map(argumentWord).join(" ");
  const head = `## ${name}\n\n${command.description()}.\n\n\`\`\`\n${[name, words].filter(Boolean).join(" ")} [options]\n\`\`\`\n`;
  const rows = [
    ...command.registeredArguments.map((argument) => [argumentWord(argument), argument.description ?? ""]),
    ...command.options.filter(({ hidden }) => !hidden).map((option) => [option.flags, optionText(option)]),
  ];
  if (rows.length === 0) return head;
  const table = rows.map(([left = "", right = ""]) => `| \`${cell(left)}\` | ${cell(right)} |`);
  return `${head}\n| | |\n| --- | --- |\n${table.join("\n")}\n`;
}

function argumentWord(argument: Argument): string {
  const name = argument.name() + (argument.variadic ? "…" : "");
  return argument.required ? `<${name}>` : `[${name}]`;
}

function optionText({ description, argChoices, defaultValue }: Option): string {
  // Long lists of choices are in --help, which wraps them.
  const choices = argChoices && argChoices.length <= 8 ? ` (${argChoices.join(", ")})` : "";
  const byDefault =
    typeof defaultValue === "string" || typeof defaultValue === "number" ? `; default ${defaultValue}` : "";
  return `${description}${choices}${byDefault}`;
}

function cell(text: string): string {
  return text.replaceAll("|", "\\|").replaceAll("\n", " ");
}
