import { Command } from "commander";
import type { Settings } from "../../../env.ts";
import { printJson } from "../print.ts";

/** `belay migrate`: moves the data of a SQLite data folder into PostgreSQL. */
export function migrateCommand(settings: Settings): Command {
  return new Command("migrate")
    .description("Move the database of a stopped Belay from SQLite to PostgreSQL, with the record intact")
    .option("--to <url>", "postgres://…, an empty database (default: BELAY_DATABASE_URL)")
    .option("--dry-run", "copy and verify everything, then roll it back")
    .option("--json", "print JSON")
    .action(async (flags: { to?: string; dryRun?: boolean; json?: boolean }) => {
      const url = flags.to ?? settings.databaseUrl;
      if (!url || !/^postgres(ql)?:\/\//.test(url)) {
        throw new Error("Name the database: --to postgres://USER@HOST/DATABASE, or set BELAY_DATABASE_URL.");
      }
      const { moveToPostgres } = await import("../../../audit/move/move-to-postgres.ts");
      const report = await moveToPostgres({
        dataDir: settings.dataDir,
        url,
        isDryRun: flags.dryRun === true,
        now: () => Date.now(),
        onProgress: ({ table, rows }) => {
          if (!flags.json && rows > 0) process.stderr.write(`${table}: ${rows}\n`);
        },
      });
      if (flags.json) return printJson(report);
      const moved = `${report.rows} rows, of which ${report.recordRows} of the record, which verifies`;
      process.stdout.write(
        report.isDryRun
          ? `Everything can be moved to ${report.to}: ${moved}. Nothing was changed but the empty tables there.\n`
          : `Moved to ${report.to}: ${moved}. Set BELAY_DATABASE_URL to it and start Belay. The old file is ${report.keptFile}.\n`,
      );
    });
}
