import { readFileSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { Command } from "commander";
import type { Settings } from "../../../env.ts";
import { BELAY_START } from "../../../paths.ts";
import { VERSION } from "../../../version.ts";
import { askSecret } from "../../control/ask-person.ts";
import { printJson } from "../print.ts";

const MIN_PASSPHRASE = 12;

interface BackupFlags {
  encrypt?: boolean;
  passphraseFile?: string;
  recordings: boolean;
  trash: boolean;
  json?: boolean;
}

/** `belay backup` and `belay restore`: all of Belay's data in one file. */
export function backupCommands(settings: Settings): Command[] {
  const backup = new Command("backup")
    .description("Copy all of Belay's data into one file; the gateway can keep running")
    .argument("<to>", "the file to write, or a folder, for a file name with the current time")
    .option("--encrypt", "encrypt with a passphrase, which it asks for")
    .option("--passphrase-file <file>", "encrypt with the passphrase in this file")
    .option("--no-recordings", "leave out the recordings of terminals, often the larger part")
    .option("--no-trash", "leave out the trash")
    .option("--json", "print JSON")
    .action(async (to: string, flags: BackupFlags) => {
      if (settings.databaseUrl !== null) {
        throw new Error(
          `The database is in PostgreSQL, which this does not copy. Copy it with pg_dump, and then the folder ${settings.dataDir}, in this order.`,
        );
      }
      const { backUp } = await import("../../../backup/back-up.ts");
      const passphrase = await passphraseOf(flags);
      const now = Date.now();
      const { dataDir, securityFile } = settings;
      const { recordings, trash } = flags;
      const target = targetOf(to, now, passphrase !== null);
      const options = { dataDir, securityFile, target, passphrase, recordings, trash, version: VERSION, now };
      const report = await backUp(options);
      if (flags.json) return printJson(report);
      const size = `${(report.bytes / 1e6).toFixed(1)} MB, ${report.files} files, the record up to row ${report.lastRow}`;
      process.stdout.write(`${report.file}: ${size}${report.isEncrypted ? "" : ". It holds keys: keep it safe"}.\n`);
    });

  const restoring = new Command("restore")
    .description("Unpack a backup into an empty data folder (BELAY_DATA_DIR), and verify its record")
    .argument("<file>", "the backup file")
    .option("--passphrase-file <file>", "the file with the passphrase, if it is encrypted")
    .option("--json", "print JSON")
    .action(async (file: string, flags: { passphraseFile?: string; json?: boolean }) => {
      if (settings.databaseUrl !== null) {
        throw new Error(
          "A backup holds a SQLite database. Unset BELAY_DATABASE_URL, restore it, and then move it with belay migrate.",
        );
      }
      const { restore } = await import("../../../backup/restore.ts");
      const askPassphrase = () => passphraseFor(flags.passphraseFile, "Passphrase of the backup: ");
      const options = { file: resolve(file), dataDir: settings.dataDir, askPassphrase, now: () => Date.now() };
      const report = await restore(options);
      if (flags.json) return printJson(report);
      const made = `made ${new Date(report.createdAt).toISOString()} by Belay ${report.madeBy}`;
      process.stdout.write(
        `${report.files} files are in ${report.dataDir} (${made}). The record is intact: ${report.rows} rows. Start it: ${BELAY_START}\n`,
      );
    });

  return [backup, restoring];
}

function targetOf(to: string, now: number, isEncrypted: boolean): string {
  const path = resolve(to);
  if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) return path;
  const time = new Date(now).toISOString().replaceAll(/[-:]|\..*$/g, "");
  return join(path, `belay-${time}.tar.gz${isEncrypted ? ".enc" : ""}`);
}

async function passphraseOf({ encrypt, passphraseFile }: BackupFlags): Promise<string | null> {
  if (!encrypt && passphraseFile === undefined) return null;
  const passphrase = await passphraseFor(passphraseFile, "Passphrase for the backup: ");
  if (passphrase.length < MIN_PASSPHRASE) {
    throw new Error(`The passphrase must have at least ${MIN_PASSPHRASE} characters.`);
  }
  if (passphraseFile === undefined && (await askSecret("The same again: ")) !== passphrase) {
    throw new Error("The two passphrases differ. Nothing was written.");
  }
  return passphrase;
}

async function passphraseFor(file: string | undefined, question: string): Promise<string> {
  if (file !== undefined) return readFileSync(file, "utf8").replace(/\r?\n$/, "");
  const typed = await askSecret(question);
  if (typed === null) throw new Error("There is no terminal to ask for the passphrase. Use --passphrase-file.");
  return typed;
}
