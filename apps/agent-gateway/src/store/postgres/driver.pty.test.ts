import postgres from "postgres";
import { expect, onTestFinished, test } from "vitest";
import { findPostgres, startPostgres } from "../../testing/database/postgres-server.ts";

const bin = findPostgres();

// The driver is patched for it (patches/): without the patch, the process ends with an uncaught TypeError.
test.skipIf(bin === null)(
  "G7 a query on a connection that the server has closed fails, and the process goes on",
  async () => {
    const server = await startPostgres(String(bin));
    onTestFinished(() => server.close());
    const url = await server.createDatabase();
    let closed = () => {};
    const wasClosed = new Promise<void>((resolve) => {
      closed = resolve;
    });
    const sql = postgres(url, { max: 2, onnotice: () => {}, onclose: () => closed() });
    onTestFinished(() => sql.end({ timeout: 1 }));
    const held = await sql.reserve();
    const [row] = await held`SELECT pg_backend_pid() AS pid`;

    await server.asAdmin(url, (admin) => admin`SELECT pg_terminate_backend(${row?.pid})`);
    await wasClosed;

    await expect(held`SELECT 1`).rejects.toMatchObject({ code: "CONNECTION_CLOSED" });
    expect(await sql`SELECT 1 AS one`).toMatchObject([{ one: 1 }]);
  },
);
