import postgres, { type Sql } from "postgres";

const CONNECT_TIMEOUT_S = 5;
/** A statement that takes longer is given up, so that no command waits for it forever. */
const STATEMENT_TIMEOUT_MS = 30_000;
/** After about this much silence from a gateway, the server closes its connections, which releases its locks. */
const SILENCE_S = 10;
/** Waits between attempts to connect again stay short: commands are refused meanwhile. */
const LONGEST_RETRY_S = 1;

export function connect(url: string, max: number, onclose?: () => void): Sql {
  return postgres(url, {
    max,
    connect_timeout: CONNECT_TIMEOUT_S,
    backoff: (attempt) => Math.min(LONGEST_RETRY_S, 0.05 * 2 ** attempt),
    onnotice: () => {},
    // The driver would replace a connection after a while, and what it holds would be lost.
    ...(onclose ? { onclose, max_lifetime: null } : {}),
    connection: {
      application_name: "belay",
      statement_timeout: STATEMENT_TIMEOUT_MS,
      // A search is planned for its own words and times, though its statement is prepared.
      plan_cache_mode: "force_custom_plan",
      tcp_keepalives_idle: SILENCE_S / 2,
      tcp_keepalives_interval: 1,
      tcp_keepalives_count: SILENCE_S / 2,
      tcp_user_timeout: SILENCE_S * 1000,
      idle_in_transaction_session_timeout: STATEMENT_TIMEOUT_MS,
    },
  });
}
