import { readFileSync } from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { type Actor, type AuditEvent, AuditEventType, formatRow } from "@belay/protocol";
import { Command, InvalidArgumentError, Option } from "commander";
import { exportRecord } from "../../../audit/export.ts";
import type { ExportFormat } from "../../../audit/export-format.ts";
import { AuditFilter } from "../../../audit/search/filter.ts";
import type { ChainReport } from "../../../audit/verify.ts";
import type { Settings } from "../../../env.ts";
import { withControl } from "../../control/client.ts";
import { parseDays, parseTime } from "../parse-time.ts";
import { printJson, printTable } from "../print.ts";

const MAX_COPIED_CHECKPOINTS = 5000;

interface FilterOptions {
  from?: number;
  to?: number;
  agent?: string;
  person?: string;
  terminal?: string;
  command?: string;
  machine?: string;
  type?: string[];
  verdict?: string;
}

/** `belay audit …`: the record, and its verification. */
export function auditCommand(settings: Settings): Command {
  const audit = new Command("audit").description("The record of everything that happened");

  audit
    .command("verify")
    .description("Check that the record has not been altered; exit code 1 if it has")
    .option("--against <file>", "also against a copy of audit-checkpoints.jsonl that was kept elsewhere")
    .option("--json", "print JSON")
    .action(async (options: { against?: string; json?: boolean }) => {
      const checkpoints = options.against === undefined ? null : readCopy(options.against);
      const result = await withControl(settings, (client) =>
        checkpoints ? client.audit.verifyAgainst.mutate({ checkpoints }) : client.audit.verify.query(),
      );
      if (!result.ok) process.exitCode = 1;
      if (options.json) return printJson(result);
      process.stdout.write(
        result.ok
          ? `The record is intact: ${result.rows} rows, ${result.checkpoints} signed checkpoints${extras(result)}.\n`
          : `The record has been ALTERED. ${result.problem}\n`,
      );
      if (result.chains)
        printTable(["GATEWAY", "NAME", "ROWS", "DELETED", "NOT SIGNED", "STATE"], result.chains.map(toChain));
    });

  audit
    .command("tail")
    .description("The newest rows, oldest first")
    .option("-n, --lines <count>", "how many", parseCount, 20)
    .option("--json", "print JSON")
    .action(async (options: { lines: number; json?: boolean }) => {
      const { events } = await withControl(settings, (client) => client.audit.search.query({ limit: options.lines }));
      print(events.reverse(), options.json);
    });

  withFilters(audit.command("search [words...]"))
    .description("Rows that contain all these words, newest first")
    .option("-n, --limit <count>", "how many", parseCount, 50)
    .option("--json", "print JSON")
    .action(async (words: string[], options: FilterOptions & { limit: number; json?: boolean }) => {
      const query = { ...toFilter(options, words), limit: options.limit };
      const page = await withControl(settings, (client) => client.audit.search.query(query));
      if (page.events.length === 0 && !options.json) return void process.stdout.write("Nothing matches.\n");
      print(page.events, options.json);
    });

  withFilters(audit.command("export [words...]"))
    .description("Write the matching rows to standard output, oldest first; without a filter, all rows")
    .addOption(
      new Option("--format <format>", "one JSON object per line, or a table")
        .choices(["jsonl", "csv"])
        .default("jsonl"),
    )
    .option("--json", "the same as --format jsonl")
    .action(async (words: string[], options: FilterOptions & { format: ExportFormat; json?: boolean }) => {
      const format = options.json ? "jsonl" : options.format;
      const filter = toFilter(options, words);
      await withControl(settings, async (client) => {
        await client.audit.noteExport.mutate({ format, filter });
        const rows = exportRecord((page) => client.audit.search.query({ ...filter, ...page }), format);
        await pipeline(Readable.from(rows), process.stdout, { end: false });
      });
    });

  audit
    .command("prune")
    .description(
      "Delete rows older than the policy keeps; a signed seal takes their place, so that verify still passes",
    )
    .option("--older-than <days>", "rows of the record, e.g. 90d", parseDays)
    .option("--recordings-older-than <days>", "recordings of terminals, e.g. 30d", parseDays)
    .option("--json", "print JSON")
    .action(async (options: { olderThan?: number; recordingsOlderThan?: number; json?: boolean }) => {
      const days = { auditDays: options.olderThan, recordingDays: options.recordingsOlderThan };
      const report = await withControl(settings, (client) => client.audit.prune.mutate(days));
      if (options.json) return printJson(report);
      process.stdout.write(`Removed ${report.rows} rows and ${report.recordings} recordings.\n`);
    });

  return audit;
}

function withFilters(command: Command): Command {
  return command
    .option("--from <time>", "since then: 2026-01-31, 2026-01-31T12:00Z, or 7d, 12h, 30m ago", parseTime)
    .option("--to <time>", "before then", parseTime)
    .option("--agent <id>", "actions by this agent, and on it")
    .option("--person <id>", "actions by this person, and on them")
    .option("--terminal <id>", "in this terminal")
    .option("--command <id>", "about this command")
    .option("--machine <name>", "on this machine; gateway is the gateway's own")
    .addOption(new Option("--type <types...>", "of these types").choices(AuditEventType.options))
    .addOption(new Option("--verdict <decision>", "commands with this verdict").choices(["allow", "ask", "deny"]));
}

function toFilter(options: FilterOptions, words: string[]): AuditFilter {
  const { from, to, agent, person, terminal, command, machine, type, verdict } = options;
  const text = words.length === 0 ? undefined : words.join(" ");
  const filter = { from, to, agentId: agent, personId: person, terminalId: terminal, commandId: command, types: type };
  const parsed = AuditFilter.safeParse({ ...filter, machine, verdict, text });
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new Error(`${issue?.path.join(".")}: ${issue?.message}. belay audit search --help shows the filters.`);
}

/** The newest checkpoints, each of which covers everything before it. */
function readCopy(file: string): string[] {
  const lines = readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line !== "");
  if (lines.length === 0) throw new Error(`${file} has no checkpoints.`);
  return lines.slice(-MAX_COPIED_CHECKPOINTS);
}

function extras({ removed, unsigned }: { removed: number; unsigned: number }): string {
  const sealed = removed === 0 ? "" : `, ${removed} older rows deleted and sealed`;
  return unsigned === 0 ? sealed : `${sealed}, the last ${unsigned} rows not signed yet`;
}

function toChain({ gateway, name, rows, removed, unsigned, problem }: ChainReport): string[] {
  if (problem !== null) return [String(gateway), name, "", "", "", problem];
  return [String(gateway), name, String(rows), String(removed), String(unsigned), "intact"];
}

function print(events: AuditEvent[], asJson: boolean | undefined): void {
  if (asJson) printJson(events);
  else printTable(["SEQ", "TIME", "WHAT", "WHO", "ABOUT"], events.map(toRow));
}

function toRow(event: AuditEvent): string[] {
  const about = event.detail.line ?? event.commandId ?? event.terminalId ?? event.detail.name ?? "";
  return [formatRow(event.seq), new Date(event.at).toISOString(), event.type, who(event.actor), JSON.stringify(about)];
}

function who(actor: Actor): string {
  return "id" in actor ? actor.id : actor.type;
}

function parseCount(value: string): number {
  const count = Number(value);
  if (Number.isInteger(count) && count >= 1 && count <= 500) return count;
  throw new InvalidArgumentError("A number from 1 to 500.");
}
