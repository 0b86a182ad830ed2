import postgres, { type Sql } from "postgres";

const CONNECT_TIMEOUT_S = 5;
/** A statement that takes longer is given up, so that no command waits for it forever. */
const STATEMENT_TIMEOUT_MS = 30_000;
/** Waits between attempts to connect again stay short: commands are refused meanwhile. */
const LONGEST_RETRY_S = 1;

export function connect(url: string, max: number, onclose?: () => void): Sql {
  return postgres(url, {
    max,
    connect_timeout: CONNECT_TIMEOUT_S,
    backoff: (attempt) => Math.min(LONGEST_RETRY_S, 0.05 * 2 ** attempt),
    onnotice: () => {},
    ...(onclose ? { onclose } : {}),
    connection: {
      application_name: "belay",
      statement_timeout: STATEMENT_TIMEOUT_MS,
      idle_in_transaction_session_timeout: STATEMENT_TIMEOUT_MS,
    },
  });
}
