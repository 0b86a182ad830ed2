import { randomBytes } from "node:crypto";
import { text } from "node:stream/consumers";
import { Command, Option } from "commander";
import type { Settings } from "../../../env.ts";
import { BELAY_START } from "../../../paths.ts";
import type { Role } from "../../../people/person.ts";
import { withControl } from "../../control/client.ts";
import { printJson, printTable } from "../print.ts";

interface PasswordOptions {
  passwordStdin?: boolean;
  json?: boolean;
}

const roleOption = () => new Option("--role <role>", "what they may do").choices(["viewer", "operator", "admin"]);

/** `belay user …`: manages people. */
export function userCommand(settings: Settings): Command {
  const user = new Command("user").description("People who may sign in");

  user
    .command("add <email>")
    .description("Add a person; without --password-stdin a password is generated and printed once")
    .addOption(roleOption().default("viewer"))
    .option("--name <name>", "their name in the console (default: the address)")
    .option("--password-stdin", "read the password from standard input")
    .option("--json", "print JSON")
    .action(async (email: string, options: PasswordOptions & { role: Role; name?: string }) => {
      const { password, isMadeUp } = await choosePassword(options);
      const person = { email, name: options.name ?? email, role: options.role, password };
      const added = await withControl(settings, (client) => client.people.add.mutate(person));
      if (options.json) return printJson(isMadeUp ? { ...added, password } : added);
      process.stdout.write(`${added.email} may sign in as ${added.role}.\n${passwordNotice(password, isMadeUp)}`);
    });

  user
    .command("list")
    .description("List the people")
    .option("--json", "print JSON")
    .action(async (options: { json?: boolean }) => {
      const people = await withControl(settings, (client) => client.people.list.query());
      if (options.json) return printJson(people);
      if (people.length === 0)
        return void process.stdout.write(`There are no people yet. Use the link that ${BELAY_START} prints.\n`);
      printTable(
        ["EMAIL", "NAME", "ROLE"],
        people.map(({ email, name, role }) => [email, name, role]),
      );
    });

  user
    .command("role <email> <role>")
    .description("Change a person's role: viewer, operator or admin")
    .option("--json", "print JSON")
    .action(async (email: string, role: Role, options: { json?: boolean }) => {
      const changed = await withControl(settings, (client) => client.people.setRole.mutate({ email, role }));
      if (options.json) return printJson(changed);
      process.stdout.write(`${changed.email} is ${changed.role} now.\n`);
    });

  user
    .command("password <email>")
    .description("Set a new password and sign the person out everywhere")
    .option("--password-stdin", "read it from standard input instead of generating one")
    .option("--json", "print JSON")
    .action(async (email: string, options: PasswordOptions) => {
      const { password, isMadeUp } = await choosePassword(options);
      const changed = await withControl(settings, (client) => client.people.setPassword.mutate({ email, password }));
      if (options.json) return printJson(isMadeUp ? { ...changed, password } : changed);
      process.stdout.write(`${changed.email} has a new password.\n${passwordNotice(password, isMadeUp)}`);
    });

  user
    .command("remove <email>")
    .description("Remove a person and sign them out everywhere; their actions stay on record")
    .option("--json", "print JSON")
    .action(async (email: string, options: { json?: boolean }) => {
      const removed = await withControl(settings, (client) => client.people.remove.mutate({ email }));
      if (options.json) return printJson(removed);
      process.stdout.write(`${removed.email} may no longer sign in.\n`);
    });

  user
    .command("invite [email]")
    .description("Make a link with which a person can create their own account, once")
    .addOption(roleOption().default("viewer"))
    .option("--days <days>", "how long it works", "7")
    .option("--json", "print JSON")
    .action(async (email: string | undefined, options: { role: Role; days: string; json?: boolean }) => {
      const invitation = { email: email ?? null, role: options.role, days: Number(options.days) };
      const made = await withControl(settings, (client) => client.people.invite.mutate(invitation));
      if (options.json) return printJson(made);
      process.stdout.write(
        `The person who opens this link becomes ${made.role}. It works once, and is shown only now:\n\n  ${made.link}\n`,
      );
    });

  user
    .command("sessions <email>")
    .description("List a person's sessions")
    .option("--end", "sign them out everywhere")
    .option("--json", "print JSON")
    .action(async (email: string, options: { end?: boolean; json?: boolean }) => {
      const sessions = await withControl(settings, async (client) => {
        const person = (await client.people.list.query()).find((someone) => someone.email === email.toLowerCase());
        if (!person) throw new Error(`No person has the address ${email}. belay user list shows all addresses.`);
        const found = await client.people.sessions.query({ personId: person.id });
        if (options.end) for (const { id } of found) await client.people.endSession.mutate({ id });
        return found;
      });
      if (options.json) return printJson(sessions);
      if (options.end) return void process.stdout.write(`${sessions.length} sessions ended.\n`);
      const rows = sessions.map(({ id, createdAt, address, client }) => {
        return [id, new Date(createdAt).toISOString(), address ?? "", client ?? ""];
      });
      printTable(["ID", "SINCE", "FROM", "WITH"], rows);
    });

  return user;
}

/** Never as an argument: other users can see those, and the shell's history keeps them. */
async function choosePassword({ passwordStdin }: PasswordOptions): Promise<{ password: string; isMadeUp: boolean }> {
  if (!passwordStdin) return { password: randomBytes(12).toString("base64url"), isMadeUp: true };
  return { password: (await text(process.stdin)).replace(/\r?\n$/, ""), isMadeUp: false };
}

function passwordNotice(password: string, isMadeUp: boolean): string {
  return isMadeUp ? `The password, shown only now:\n\n  ${password}\n` : "";
}
