import { spawn } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, chmodSync, cpSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { copyProgram, makeBareRoot } from "../../release/empty-root.mjs";

/** Where Debian has the programs of each version of PostgreSQL. */
const POSTGRES = "/usr/lib/postgresql";
const POSTGRES_ID = 999;

/**
 * What PostgreSQL's own image does when it starts: makes a database in an empty folder, with the password of the
 * environment, runs the scripts in /docker-entrypoint-initdb.d, and listens. As the user postgres.
 */
const START_POSTGRES = `#!/bin/bash
set -eu
export PGDATA="\${PGDATA:-/var/lib/postgresql/data}" POSTGRES_USER="\${POSTGRES_USER:-postgres}"
if [ "$(id -u)" = 0 ]; then
  mkdir -p "$PGDATA" /var/run/postgresql
  chown -R postgres:postgres "$PGDATA" /var/run/postgresql
  exec setpriv --reuid=postgres --regid=postgres --clear-groups "$0" "$@"
fi
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  initdb --username "$POSTGRES_USER" --pwfile <(printf '%s\\n' "$POSTGRES_PASSWORD") --auth-host scram-sha-256 --auth-local trust
  echo "host all all all scram-sha-256" >> "$PGDATA/pg_hba.conf"
  pg_ctl -w -o "-c listen_addresses=" start
  for file in /docker-entrypoint-initdb.d/*.sh; do sh "$file"; done
  pg_ctl -w -m fast stop
fi
exec postgres -c listen_addresses='*' "$@"
`;

/** Images with the programs of this machine that start as the well-known ones do, so that no registry is needed. */
const STAND_INS = {
  postgres: {
    make: makePostgres,
    changes: [
      'ENTRYPOINT ["/usr/local/bin/start-postgres"]',
      `ENV PATH=/usr/local/bin:/usr/bin:${postgresFolder()}/bin`,
      "ENV LANG=C.UTF-8",
      "STOPSIGNAL SIGINT",
    ],
  },
  nats: {
    make: (root) => copyProgram(root, "/usr/sbin/nats-server", "/usr/local/bin/nats-server"),
    changes: ['ENTRYPOINT ["/usr/local/bin/nats-server"]'],
  },
  caddy: {
    make: (root) => copyProgram(root, "/usr/bin/caddy", "/usr/bin/caddy"),
    changes: [
      'CMD ["caddy", "run", "--config", "/etc/caddy/Caddyfile", "--adapter", "caddyfile"]',
      ...["HOME=/root", "XDG_CONFIG_HOME=/config", "XDG_DATA_HOME=/data"].map((setting) => `ENV ${setting}`),
    ],
  },
};

/** Imports one of them under a name of its own: an image that the machine already has is left alone. */
export async function importStandIn(dir, kind, name) {
  const { make, changes } = STAND_INS[kind];
  const root = join(dir, kind);
  mkdirSync(root);
  await makeBareRoot(root);
  await make(root);
  const tar = spawn("tar", ["-C", root, "-c", "."], { stdio: ["ignore", "pipe", "inherit"] });
  const options = changes.flatMap((change) => ["--change", change]);
  const imported = spawn("podman", ["import", "--quiet", ...options, "-", name], {
    stdio: [tar.stdout, "ignore", "inherit"],
  });
  const [code] = await once(imported, "exit");
  rmSync(root, { recursive: true, force: true });
  if (code !== 0) throw new Error(`podman import of ${name} failed`);
}

async function makePostgres(root) {
  const folder = postgresFolder();
  for (const name of ["initdb", "pg_ctl", "postgres", "psql"])
    await copyProgram(root, `${folder}/bin/${name}`, `${folder}/bin/${name}`);
  for (const name of ["plpgsql.so", "pg_trgm.so", "dict_snowball.so", "libpqwalreceiver.so"])
    await copyProgram(root, `${folder}/lib/${name}`, `${folder}/lib/${name}`);
  const share = folder.replace("/usr/lib/", "/usr/share/");
  for (const path of [share, "/usr/share/zoneinfo/Etc", "/usr/lib/locale/C.utf8"])
    if (existsSync(path)) cpSync(path, join(root, path), { recursive: true, dereference: true });
  for (const name of ["chown", "setpriv", "locale"]) await copyProgram(root, `/usr/bin/${name}`, `/usr/bin/${name}`);
  const account = `postgres:x:${POSTGRES_ID}:`;
  appendFileSync(join(root, "etc/passwd"), `${account}${POSTGRES_ID}::/var/lib/postgresql:/bin/bash\n`);
  appendFileSync(join(root, "etc/group"), `${account}\n`);
  for (const path of ["var/lib/postgresql", "var/run", "docker-entrypoint-initdb.d"])
    mkdirSync(join(root, path), { recursive: true });
  const start = join(root, "usr/local/bin/start-postgres");
  writeFileSync(start, START_POSTGRES);
  chmodSync(start, 0o755);
}

/** The newest version that is installed; null if there is none. */
export function findPostgresVersion() {
  const versions = existsSync(POSTGRES) ? readdirSync(POSTGRES).map(Number).filter(Boolean) : [];
  return versions.length === 0 ? null : Math.max(...versions);
}

function postgresFolder() {
  return join(POSTGRES, String(findPostgresVersion()));
}
