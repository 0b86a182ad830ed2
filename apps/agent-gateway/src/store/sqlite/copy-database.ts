import Database from "better-sqlite3";

/**
 * Copies a database that may be in use, as it was at one moment, without blocking writers.
 * Returns the number of the last row of the record in the copy.
 */
export async function copyDatabase(file: string, target: string): Promise<{ lastRow: number }> {
  const client = new Database(file, { readonly: true, fileMustExist: true, timeout: 5000 });
  try {
    // Holds one snapshot of the database for this connection. Without it the copy would restart with each write.
    client.exec("BEGIN");
    const { last } = client.prepare("SELECT coalesce(max(seq), 0) AS last FROM audit_events").get() as { last: number };
    await client.backup(target);
    client.exec("COMMIT");
    return { lastRow: last };
  } finally {
    client.close();
  }
}
