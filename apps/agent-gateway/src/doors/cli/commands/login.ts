import { text } from "node:stream/consumers";
import { Command } from "commander";
import type { Settings } from "../../../env.ts";
import { COMMAND_LINE_LIFE_MS } from "../../../people/command-line-sessions.ts";
import { askPerson } from "../../control/ask-person.ts";
import { withConnection } from "../../control/client.ts";
import { printJson } from "../print.ts";

/** `belay login` and `belay logout`: signs a person in at this terminal. */
export function loginCommands(settings: Settings): Command[] {
  const minutes = COMMAND_LINE_LIFE_MS / 60_000;
  const login = new Command("login")
    .description(`Sign in at this terminal for ${minutes} minutes: commands that need a role need a person`)
    .argument("[email]", "your address; asked for if left out")
    .option("--password-stdin", "read the password from standard input instead of the terminal")
    .option("--json", "print JSON")
    .action(async (email: string | undefined, options: { passwordStdin?: boolean; json?: boolean }) => {
      const credentials = await readCredentials(email, options);
      const reply = await withConnection(settings, (connection) => connection.signIn(credentials));
      if (options.json) return printJson(reply);
      const until = reply.isRemembered
        ? `for ${minutes} minutes, in this terminal`
        : "but this system cannot tell terminals apart, so each command asks for your password";
      process.stdout.write(`Signed in as ${reply.email} (${reply.role}), ${until}.\n`);
    });
  const logout = new Command("logout")
    .description("Sign out in this terminal")
    .option("--json", "print JSON")
    .action(async (options: { json?: boolean }) => {
      const reply = await withConnection(settings, (connection) => connection.signOut());
      if (options.json) return printJson(reply);
      process.stdout.write(reply.wasSignedIn ? "Signed out.\n" : "No one was signed in at this terminal.\n");
    });
  return [login, logout];
}

async function readCredentials(email: string | undefined, { passwordStdin }: { passwordStdin?: boolean }) {
  if (passwordStdin) {
    if (email === undefined) throw new Error("--password-stdin needs your address: belay login you@example.org …");
    return { email, password: (await text(process.stdin)).replace(/\r?\n$/, "") };
  }
  const asked = await askPerson(email === undefined ? {} : { email });
  if (!asked) throw new Error("There is no terminal to ask for a password. Use --password-stdin.");
  return asked;
}
