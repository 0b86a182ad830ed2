import { execFileSync, spawn } from "node:child_process";
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import postgres from "postgres";
import { freePort } from "./free-port.ts";

/** A PostgreSQL server on loopback that tests may stop and start. */
export interface PostgresServer {
  port: number;
  /** A new, empty database, and its address for the gateway's role. */
  createDatabase(): Promise<string>;
  /** The path of a file on the server's small disk, if it has one. */
  onDisk(name: string): string;
  /** SQL as the administrator of the server, in a database of `createDatabase`. */
  asAdmin<Result>(url: string, work: (sql: postgres.Sql) => Promise<Result>): Promise<Result>;
  /** Without saying goodbye: at once (`pg_ctl stop -m immediate`), or like kill -9. */
  kill(how?: "immediate" | "kill -9"): Promise<void>;
  start(): Promise<void>;
  /** Whether it can write. */
  answers(): Promise<boolean>;
  close(): Promise<void>;
}

/** Where Debian and others install it; null if it is missing. */
export function findPostgres(): string | null {
  const root = "/usr/lib/postgresql";
  const versions = existsSync(root) ? readdirSync(root).sort((a, b) => Number(b) - Number(a)) : [];
  const folder = versions.map((version) => join(root, version, "bin")).find((bin) => existsSync(join(bin, "initdb")));
  return folder ?? null;
}

interface ServerOptions {
  /** For measuring. Tests are not about power failures of the machine, and many of them run beside each other. */
  isDurable?: boolean;
  /** Puts its data on a small disk in memory, which only this server sees. Needs root. */
  diskMb?: number;
  /** The folder that its data is put into. */
  parent?: string;
}

export async function startPostgres(
  bin: string,
  { isDurable = false, diskMb, parent = tmpdir() }: ServerOptions = {},
): Promise<PostgresServer> {
  const folder = mkdtempSync(join(parent, "belay-postgres-"));
  // The server refuses to run as root.
  const isRoot = userInfo().uid === 0;
  const account = isRoot ? accountOf("postgres") : null;
  if (account) chownSync(folder, account.uid, account.gid);
  const as = {
    ...(account ?? {}),
    cwd: folder,
    stdio: "ignore" as const,
    env: { PATH: "/usr/bin:/bin", LC_ALL: "C.UTF-8" },
  };
  const data = join(folder, "data");
  const disk = join(folder, "disk");
  execFileSync(join(bin, "initdb"), ["-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--no-sync"], as);
  const port = await freePort();
  const admin = `postgres://postgres@127.0.0.1:${port}`;
  let server: ReturnType<typeof spawn> | null = null;
  let databases = 0;

  const start = async () => {
    const flags = ["-p", String(port), "-k", folder, "-c", "listen_addresses=127.0.0.1"];
    const sync = isDurable ? "fsync=on" : "fsync=off";
    const command = [join(bin, "postgres"), ...flags, "-c", sync, "-c", "max_connections=500"];
    server =
      diskMb === undefined
        ? spawn(String(command[0]), [...command.slice(1), "-D", data], as)
        : spawn("unshare", onSmallDisk({ data, disk, diskMb, account }, command), { stdio: "ignore" });
    await untilReady(admin, server);
  };
  const end = async (signal: NodeJS.Signals) => {
    const ending = server;
    server = null;
    if (!ending || ending.exitCode !== null) return;
    const ended = new Promise((resolve) => ending.once("exit", resolve));
    ending.kill(signal);
    await ended;
  };
  const asAdmin: PostgresServer["asAdmin"] = async (url, work) => {
    const sql = postgres(`${admin}${new URL(url).pathname}`, { max: 1, onnotice: () => {} });
    return work(sql).finally(() => sql.end({ timeout: 1 }));
  };
  await start();
  await asAdmin(`${admin}/postgres`, async (sql) => {
    await sql.unsafe("CREATE ROLE belay LOGIN; CREATE ROLE belay_retention NOLOGIN; GRANT belay_retention TO belay");
  });
  return {
    port,
    onDisk: (name) => join(`/proc/${server?.pid}/root`, disk, name),
    asAdmin,
    start,
    answers: () =>
      asAdmin(`${admin}/postgres`, (sql) => sql`SELECT txid_current()`).then(
        () => true,
        () => false,
      ),
    kill: (how = "immediate") => end(how === "immediate" ? "SIGQUIT" : "SIGKILL"),
    createDatabase: async () => {
      databases += 1;
      const name = `belay_${process.pid}_${databases}`;
      await asAdmin(`${admin}/postgres`, (sql) => sql.unsafe(`CREATE DATABASE ${name} OWNER belay`));
      return `postgres://belay@127.0.0.1:${port}/${name}`;
    },
    close: async () => {
      await end("SIGINT");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The arguments of `unshare` that copy the data to a new disk and start the server there, as its own account. */
function onSmallDisk(
  place: { data: string; disk: string; diskMb: number; account: { uid: number; gid: number } | null },
  command: string[],
): string[] {
  const { data, disk, diskMb, account } = place;
  const { uid, gid } = account ?? { uid: 0, gid: 0 };
  const script = [
    `mkdir -p ${disk}`,
    `mount -t tmpfs -o size=${diskMb}m,mode=0700,uid=${uid},gid=${gid} none ${disk}`,
    `cp -a ${data}/. ${disk}/`,
    `exec setpriv --reuid ${uid} --regid ${gid} --clear-groups -- "$@" -D ${disk}`,
  ];
  return ["-m", "sh", "-c", script.join(" && "), "sh", ...command];
}

function accountOf(name: string): { uid: number; gid: number } {
  const id = (flag: string) => Number(execFileSync("id", [flag, name], { encoding: "utf8" }));
  return { uid: id("-u"), gid: id("-g") };
}

async function untilReady(admin: string, server: ReturnType<typeof spawn>): Promise<void> {
  const deadline = Date.now() + 30_000;
  for (;;) {
    const sql = postgres(`${admin}/postgres`, { max: 1, connect_timeout: 2, onnotice: () => {} });
    try {
      await sql`SELECT 1`;
      return;
    } catch (error) {
      if (server.exitCode !== null || Date.now() > deadline) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    } finally {
      await sql.end({ timeout: 1 });
    }
  }
}
