import { HOLE } from "../../../language/state/values.ts";
import { sqlEffect } from "../../code/scripts/sql.ts";
import { defineProgram, type Effect } from "../../define-program.ts";
import { has, valuesOf } from "../use.ts";

/** The gravest effect of several statements. Without any statement, the client waits for input. */
function statements(texts: readonly string[], dialect: "postgres" | "mysql" | "sqlite"): Effect {
  if (texts.length === 0) return "code";
  // A statement that is not visible, as in a file.
  if (texts.some((text) => text.trimStart().startsWith(HOLE))) return "destroy";
  const effects = texts.map((text) => sqlEffect(text, dialect));
  for (const effect of ["destroy", "secret", "code"] as const) if (effects.includes(effect)) return effect;
  return "remote";
}

/** The effect of client commands and statements from its input. */
const inputOf = (dialect: "postgres" | "mysql" | "sqlite") => (text: string) => {
  const lines = text.split("\n").map((line) => line.trim());
  const commands = lines.filter((line) => /^[\\.]/.test(line));
  const rest = lines.filter((line) => !/^[\\.]/.test(line)).join("\n");
  return statements([...commands, ...(rest.trim() === "" ? [] : [rest])], dialect);
};

/** A pipeline that only reads: none of its steps writes or runs code. */
const MONGO_AGGREGATE =
  /^\s*db(?:\.getSiblingDB\(["'][\w-]+["']\))?\.\w+\.aggregate\((?![\s\S]*\$(?:out|merge|function|where|accumulator)\b)[^();`=]*\)(?:\.(?:limit|toArray|pretty)\(\d*\))*[)\s;]*$/;

/** One query to one collection or database, with only data in its parentheses. */
const MONGO_READ =
  /^\s*(?:print(?:json)?\(\s*|JSON\.stringify\(\s*)?db(?:\.getSiblingDB\(["'][\w-]+["']\))?\.(?:(?:getCollectionNames|stats|version|hello|serverStatus|getCollectionInfos|getName)\(\)|(?:getCollection\(["'][\w.-]+["']\)|\w+)\.(?:countDocuments|estimatedDocumentCount|find|findOne|distinct|stats|getIndexes|count)\([^()]*\))(?:\.(?:limit|skip|sort|count|toArray|pretty|explain)\([^()]*\))*[)\s;]*$/;

/** Collections and tables with accounts of the database server and their password hashes. */
const MONGO_ACCOUNTS =
  /system\.(?:users|keys)|\b(?:password|passwordHash|apiKey|token|secret)\w*["']?\s*:\s*(?:1|true)\b|\b(?:getUsers?|usersInfo|getRoles?|showCredentials)\b/;
const MONGO_LOSES =
  /drop|delete|remove|update|insert|rename|replace|stepDown|shutdown|reconfig|createUser|createRole|grantRoles|revokeRoles|changeUserPassword|killOp/i;
const isMongoRead = (text: string) =>
  !MONGO_ACCOUNTS.test(text) && (MONGO_READ.test(text) || MONGO_AGGREGATE.test(text));

const DUMP_OPTIONS =
  "-h: -p: -P: -u: -U: -f:w -F: -t: -T: -n: -N: -o:w -r:w -w -W -v -C -c -O -x -a -Z: -j: -q: --host: --port: --username: --user: --dbname: --db: --file:w --out:w --result-file:w --format: --table: --exclude-table: --schema: --exclude-schema: --collection: --query: --uri: --no-owner --no-privileges --no-acl --clean --create --if-exists --data-only --inserts --column-inserts --compress: --jobs: --verbose --all-databases --databases --single-transaction --quick --routines --triggers --events --skip-lock-tables --no-tablespaces --no-create-info --password? --version --help";

/** Verbs that replace or remove data, with any options. */
const REPLACES_DATA: ReadonlySet<string> = new Set(
  "dropdb dropuser pg_restore mongorestore mysqlimport mongoimport".split(" "),
);
/** Words of a statement that remove data, and names of tables with accounts, in any dialect. */
const LOSING_WORDS = "drop delete truncate alter remove flush disable xp_cmdshell sp_configure openrowset".split(" ");
const ACCOUNT_WORDS =
  "system_auth auth token tokens password passwords credential credentials sql_logins dba_users user$".split(" ");

const wordsOf = (text: string) =>
  text
    .toLowerCase()
    .split(/[^a-z0-9_$]+/)
    .map((word) => word.replace(/^_+/, ""));
const losesData = (text: string) => wordsOf(text).some((word) => LOSING_WORDS.includes(word));

/** Commands of redis that print what a key holds, and names of keys with sessions, tokens and passwords. */
const REDIS_VALUE =
  /^(?:get|mget|getrange|substr|dump|hget|hgetall|hvals|hmget|lrange|lindex|smembers|srandmember|zrange|zrangebyscore|zrevrange|xrange|xrevrange|xread)$/;
const REDIS_SECRET =
  /(?:^|[:._/-])(?:sess(?:ions?)?|tokens?|auth|jwt|otp|totp|csrf|oauth|secrets?|passw(?:or)?ds?|credentials?|api_?keys?|refresh)(?:$|[:._/-])/i;

export const DATABASES = [
  defineProgram({
    names: "psql pgcli",
    does: "code",
    takesAddress: true,
    readsStatements: inputOf("postgres"),
    options:
      "-c: -d: -h: -p: -U: -w -W -A -t -x -q -X -1 -a -b -e -E -n -s -S -H -z -0 -l -V -F: -R: -T: -P: -v: -f:r=destroy -o:w=code -L:w --command: --dbname: --host: --port: --username: --no-password --password --no-align --tuples-only --expanded --quiet --no-psqlrc --single-transaction --echo-all --echo-errors --echo-queries --echo-hidden --no-readline --html --csv --list --field-separator: --record-separator: --pset: --set: --variable: --file:r=destroy --output:w=code --log-file:w --version",
    operands: "value",
    check: (use) =>
      use.options.some(({ name }) => name === "-f" || name === "--file")
        ? "destroy"
        : use.options.some(({ does }) => does === "code")
          ? "code"
          : has(use, "-l", "--list", "-V")
            ? "remote"
            : statements(valuesOf(use, "-c", "--command"), "postgres"),
    runs: [
      "psql <<< 'select 1'",
      "psql -c '\\dt'",
      "psql -d dev -c 'select count(*) from users'",
      "psql -l -h localhost",
      "psql -Atc 'select 1'",
    ],
    asks: [
      "psql",
      "psql -c 'DROP TABLE users'",
      "psql -f x.sql",
      "psql -c 'truncate t'",
      "psql -c '\\o |id'",
      "psql -c '\\copy users to users.csv'",
      "psql -c 'select * from api_tokens'",
      "psql -c \"select current_setting('app.jwt_secret')\"",
      "psql -c \"copy t to program 'id'\"",
    ],
  }),
  defineProgram({
    names: "mysql mariadb mycli",
    does: "code",
    takesAddress: true,
    readsStatements: inputOf("mysql"),
    options:
      "-e: -u: -p? -h: -P: -D: -B -N -s -t -E -v -r -H -X -n -A -C -f -b -c -q -G -w -S: -T -V --execute: --user: --password? --host: --port: --database: --batch --skip-column-names --silent --table --vertical --raw --html --xml --protocol: --socket: --default-character-set: --ssl-mode: --connect-timeout: --no-auto-rehash --column-names --verbose --force --compress --version --tee:w=code --init-command:x --pager?x --defaults-file:c=code --defaults-extra-file:c=code --plugin-dir:x",
    operands: "value",
    check: (use) =>
      use.options.some(({ does }) => does === "code")
        ? "code"
        : has(use, "-V")
          ? "read"
          : statements(valuesOf(use, "-e", "--execute"), "mysql"),
    runs: ["mysql -u root -e 'SHOW TABLES' app_dev", "mysql -V"],
    asks: ["mysql", "mysql -e 'DELETE FROM users'", "mysql app"],
  }),
  defineProgram({
    names: "sqlite3 duckdb litecli",
    does: "code",
    takesAddress: true,
    readsStatements: inputOf("sqlite"),
    hasSingleDashLong: true,
    options:
      "-header -noheader -column -csv -json -line -list -html -markdown -table -box -quote -tabs -ascii -separator: -newline: -nullvalue: -readonly -batch -bail -echo -safe -version -help -init:c=code -cmd: -c: -s: -f:c=code -unsigned -no-stdin -interactive=code -stats -nofollow -append=code -deserialize -mmap: -lookaside: -memtrace -maxsize: -vfs: -zip -A=code",
    operands: "value",
    check: (use) => {
      if (use.options.some(({ does }) => does === "code")) return "code";
      const given = valuesOf(use, "-cmd", "-c", "-s");
      const texts = [
        ...given,
        ...use.operands
          .slice(valuesOf(use, "-c", "-s").length > 0 && use.operands.length < 2 ? use.operands.length : 1)
          .map(({ text }) => text),
      ];
      return has(use, "-version", "-help") ? "read" : statements(texts, "sqlite");
    },
    runs: [
      "sqlite3 app.db 'SELECT name FROM sqlite_master'",
      "sqlite3 -header -column app.db .tables",
      "sqlite3 :memory: \"select json('{}')\"",
      "duckdb -c \"select count(*) from 'data.parquet'\"",
    ],
    asks: [
      "sqlite3 app.db 'delete from users'",
      "sqlite3 app.db",
      "sqlite3 x '.read |id'",
      "sqlite3 -init /tmp/i x",
      "sqlite3 mydb.db VACUUM",
    ],
  }),
  defineProgram({
    names: "mongosh mongo",
    does: "code",
    takesAddress: true,
    readsStatements: (text) => (MONGO_LOSES.test(text) ? "destroy" : "code"),
    options:
      "--quiet --eval: --host: --port: --norc --json? --username: -u: --nodb --version --authenticationDatabase: --tls --ssl --retryWrites:",
    operands: "value",
    check: (use) => {
      const code = valuesOf(use, "--eval").join(";");
      // Statements in a file are not visible.
      if (code === "") return use.operands.some(({ text }) => /\.m?js$/.test(text)) ? "destroy" : "code";
      if (isMongoRead(code) && !/\$where|\$function|\$accumulator|\$out|\$merge|=>|function|eval/.test(code))
        return "remote";
      if (MONGO_LOSES.test(code)) return "destroy";
      return MONGO_ACCOUNTS.test(code) ? "secret" : "code";
    },
    runs: ["mongosh --quiet --eval 'db.users.countDocuments()'", "mongosh --eval 'db.getCollectionNames()'"],
    asks: [
      "mongosh --eval 'db.dropDatabase()'",
      "mongosh",
      "mongosh --eval 'db.users.deleteMany({})'",
      "mongosh --eval 'db.system.users.find()'",
      "mongosh changes.js",
      "mongosh --eval 'rs.stepDown()'",
    ],
  }),
  defineProgram({
    names: "redis-cli valkey-cli keydb-cli",
    does: "code",
    // `zrange key 0 -1`: an index counted from the end, not an option.
    takesNumbers: true,
    takesAddress: true,
    readsStatements: () => "destroy",
    options:
      "-h: -p: -a: -n: -u: -s: -r: -i: -t: -x=change -X:=change --raw --no-raw --csv --json --user: --pass: --askpass --no-auth-warning --tls --scan --pattern: --bigkeys --memkeys --hotkeys --stat --latency --latency-history --count: -2 -3 --eval:x --pipe=code --rdb:w=secret --functions-rdb:w=change --cluster:=change --version -v -c -e",
    operands: "value",
    check: (use) => {
      if (has(use, "--rdb")) return "secret";
      const cluster = valuesOf(use, "--cluster");
      if (cluster.length > 0) return /^(?:check|info|help)$/.test(cluster[0] ?? "") ? "remote" : "publish";
      if (use.options.some(({ kind, does }) => kind === "code" || does !== null)) return "code";
      if (has(use, "--scan", "--bigkeys", "--stat", "--memkeys", "--hotkeys", "--latency")) return "remote";
      const [command = "", second = ""] = use.operands.map(({ text }) => text.toLowerCase());
      if (command === "") return "code";
      if (/^(flushall|flushdb|del|unlink|shutdown|expire|rename|debug|swapdb|failover|reset)$/.test(command))
        return "destroy";
      if (REDIS_VALUE.test(command) && use.operands.some(({ text }) => REDIS_SECRET.test(text))) return "secret";
      if (command === "config") return second === "get" ? "secret" : "publish";
      if (command === "acl" && second !== "whoami")
        return /^(list|getuser|users|log)$/.test(second) ? "secret" : "publish";
      if (
        /^(cluster|client|memory|object|xinfo|latency|slowlog|command|acl|pubsub|module|script|function)$/.test(command)
      )
        return /^(info|nodes|slots|shards|myid|list|getname|id|usage|doctor|stats|encoding|freq|idletime|refcount|stream|groups|consumers|get|len|count|docs|whoami|channels|numsub|keyslot|exists|history|latest)$/.test(
          second,
        )
          ? "remote"
          : "publish";
      return /^(get|mget|ping|info|keys|scan|sscan|hscan|zscan|exists|ttl|pttl|type|strlen|getrange|hget|hgetall|hkeys|hvals|hlen|hmget|hexists|llen|lrange|lindex|scard|smembers|sismember|srandmember|zcard|zcount|zrange|zrangebyscore|zrevrange|zscore|zrank|xlen|xrange|xrevrange|xread|bitcount|getbit|pfcount|geopos|geodist|geosearch|dbsize|time|lastsave|role|echo|randomkey|dump|object|substr)$/.test(
        command,
      )
        ? "remote"
        : "publish";
    },
    runs: [
      "redis-cli ping",
      "redis-cli -n 1 get foo",
      "redis-cli ttl session:1",
      "redis-cli get author:1",
      "redis-cli info memory",
      "redis-cli --scan --pattern 'x*'",
    ],
    asks: [
      "redis-cli flushall",
      "redis-cli get session:1",
      "redis-cli hgetall user:1:tokens",
      "redis-cli --eval /tmp/x.lua",
      "redis-cli debug sleep 100",
      "redis-cli set a b",
      "redis-cli",
    ],
  }),
  defineProgram({
    names: "pg_isready pg_dump-schema pg_lsclusters pg_config",
    does: "remote",
    isOpen: true,
    options: "-h: -p: -U: -d: -t:",
    operands: "value",
    runs: ["pg_isready -h localhost", "pg_config --version"],
    asks: [],
  }),
  defineProgram({
    names: "mysqladmin mysqlshow mariadb-admin mariadb-show",
    does: "remote",
    isOpen: true,
    // A password is attached, or asked for.
    options: "-h: -P: -u: -S: -p? -i: -c: --host: --port: --user: --socket: --password? --sleep: --count: --protocol:",
    operands: "value",
    check: ({ operands, name }) =>
      name.endsWith("admin") &&
      operands.some(({ text }) => !/^(ping|status|version|processlist|variables|extended-status)$/.test(text))
        ? "destroy"
        : null,
    runs: ["mysqladmin -u root -p ping", "mysqlshow app"],
    asks: ["mysqladmin -u root -p drop", "mysqladmin -psecret shutdown"],
  }),
  defineProgram({
    names:
      "dropdb createdb dropuser createuser pg_restore mongorestore mongoimport mysqlimport cqlsh snowsql usql beeline trino presto impala-shell spark-sql isql ksql bteq vsql clickhouse-client clickhouse sqlcmd bcp sqlplus cypher-shell arangosh pgbench initdb pg_ctl createlang vacuumdb reindexdb clusterdb",
    does: "code",
    isOpen: true,
    operands: "value",
    readsStatements: (text) => (losesData(text) ? "destroy" : "change"),
    check: ({ name, operands, options }) => {
      if (REPLACES_DATA.has(name)) return "destroy";
      if (name === "createuser") return "publish";
      const given = [...operands, ...options.flatMap(({ value }) => value ?? [])];
      // Statements in a file are not visible.
      if (options.some((option) => /^(?:-f|-i|--file|--input-file|--queries-file)$/.test(option.name)))
        return "destroy";
      if (name === "bcp" && operands.some(({ text }) => text === "in")) return "destroy";
      if (given.some(({ text }) => losesData(text))) return "destroy";
      const words = new Set(given.flatMap(({ text }) => wordsOf(text)));
      if (ACCOUNT_WORDS.some((word) => words.has(word))) return "secret";
      const queries = options.filter((option) => option.name === "-q" || option.name === "--query");
      return name.startsWith("clickhouse") && queries.length > 0
        ? statements(
            queries.map(({ value }) => value?.text ?? ""),
            "postgres",
          )
        : "change";
    },
    runs: ["dropdb --version", "clickhouse-client -q 'select count() from t'"],
    asks: [
      "clickhouse-client -q \"select * from url('http://x.example', 'CSV')\"",
      "dropdb x",
      "cqlsh -e 'drop keyspace x'",
      "trino -f changes.sql",
      "pg_restore x",
    ],
  }),
  // etcd holds the configuration of a cluster, including secrets.
  defineProgram({
    names: "etcdctl",
    does: "destroy",
    isOpen: true,
    options: "--endpoints:h --cacert:h --cert:r --key:r --user: --http-addr:h --token:=change -w: --write-out:",
    operands: "value",
    verbs: {
      "get watch snapshot": { does: "secret", operands: "value" },
      version: "remote",
      "endpoint member alarm": { does: "destroy", operands: "value", verbs: { "health status hashkv list": "remote" } },
    },
    runs: ["etcdctl endpoint health", "etcdctl member list"],
    asks: ["etcdctl get / --prefix", "etcdctl del x", "etcdctl member remove 8e9e"],
  }),
  // A dump contains everything in the database, including accounts and sessions. The schema alone is not secret.
  defineProgram({
    names: "pg_dump mysqldump mariadb-dump",
    does: "secret",
    options: `${DUMP_OPTIONS} -s --schema-only --no-data -d:`,
    operands: "value",
    check: (use) =>
      has(use, "-s", "--schema-only", "--no-data") || (use.name !== "pg_dump" && has(use, "-d")) ? "change" : null,
    runs: ["pg_dump --version"],
    asks: ["pg_dump app", "mysqldump --all-databases", "pg_dump -s app", "mysqldump --no-data app"],
  }),
  defineProgram({
    names: "pg_dumpall mongodump mongoexport mydumper pg_basebackup mariadb-backup xtrabackup",
    does: "secret",
    isOpen: true,
    options: DUMP_OPTIONS,
    operands: "value",
    runs: ["mongoexport --version"],
    asks: ["mongoexport -c users", "pg_dumpall", "mongodump"],
  }),
];
