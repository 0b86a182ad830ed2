import { and, type Column, eq, inArray, type SQL } from "drizzle-orm";
import type { AuditFilter } from "./filter.ts";
import { isOnMachine } from "./on-machine.ts";

type Columns = Omit<Parameters<typeof isOnMachine>[1], "rows"> & {
  rows: { type: Column; terminalId: Column; commandId: Column };
  /** Whether a judged command runs a program. */
  runsProgram: (program: string) => SQL;
};

/** What both databases search in the same way. Times, verdicts and words depend on their indexes. */
export function conditionsOn(filter: AuditFilter, { runsProgram, ...columns }: Columns): (SQL | undefined)[] {
  const { rows } = columns;
  return [
    filter.terminalId && eq(rows.terminalId, filter.terminalId),
    filter.commandId && eq(rows.commandId, filter.commandId),
    filter.machine === undefined ? undefined : isOnMachine(filter.machine, columns),
    filter.types && inArray(rows.type, filter.types),
    filter.program === undefined ? undefined : and(eq(rows.type, "command.judged"), runsProgram(filter.program)),
  ];
}
