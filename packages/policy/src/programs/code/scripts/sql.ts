/** What a text for a database client does. */
export type SqlEffect = "read" | "code" | "secret" | "destroy";

type Dialect = "postgres" | "mysql" | "sqlite";

/**
 * A strict grammar instead of a parser for each dialect. A statement is read-only if it starts with a reading keyword,
 * contains no writing keyword, and calls only known pure functions. Everything else needs a person.
 */
export function sqlEffect(text: string, dialect: Dialect): SqlEffect {
  const trimmed = text.trim();
  if (trimmed === "") return "code";
  if (trimmed.startsWith("\\") || trimmed.startsWith(".")) return metaEffect(trimmed, dialect);
  // In mysql, `\\G` ends a statement and prints the result vertically.
  const tokens = tokenize(dialect === "mysql" ? trimmed.replace(/\\[Gg]\s*;?$/, ";") : trimmed);
  // The body of a block, or text that dialects read differently.
  if (tokens === null) return LOSING_TEXT.test(trimmed) ? "destroy" : "code";
  let worst: SqlEffect = "read";
  for (const statement of splitStatements(tokens)) {
    const effect = statementEffect(statement, dialect);
    if (effect === "destroy") return "destroy";
    if (effect === "code" && worst === "read") worst = "code";
    if (effect === "secret") worst = "secret";
  }
  return worst;
}

const LOSING_TEXT = /\b(?:drop|truncate|delete\s+from|alter\s+(?:table|user|role))\b/i;

/** `\dt`, `.tables`: read-only client commands. */
function metaEffect(text: string, dialect: Dialect): SqlEffect {
  // Rows leave the database for a file, or come from one; or the client starts a program.
  if (/^\\copy\b/i.test(text)) return /\bto\s+(?!program\b)[^\s]+/i.test(text) ? "secret" : "destroy";
  if (
    /^\\!|^\.(?:shell|system|restore|import|load|recover|archive|clone|save|backup)\b|^\\lo_|^\.(?:once|output)\s+["']?\||^\\(?:o|g|w)\s*\|/.test(
      text,
    )
  )
    return "destroy";
  if (/[\n|`!]/.test(text)) return "code";
  const pattern =
    dialect === "sqlite"
      ? /^\.(tables|schema|fullschema|databases|indexes|indices|dbinfo|show|stats|headers? (on|off)|mode \w+|width [\d ]+|timer (on|off)|dump)( [\w%_."']+)?$/
      : /^\\(d[a-zA-Z]*[S+]*|l\+?|conninfo|z|sf\+?|sv\+?|encoding|timing|x|du\+?|dp)( [\w*."]+)?$/;
  return pattern.test(text) ? "read" : "code";
}

interface Token {
  readonly type: "word" | "string" | "name" | "other";
  readonly text: string;
}

function tokenize(text: string): Token[] | null {
  const tokens: Token[] = [];
  const pattern =
    /\s+|--[^\n]*|\/\*(?!!)[^*]*\*+(?:[^/*][^*]*\*+)*\/|'((?:[^'\\]|'')*)'|"((?:[^"]|"")*)"|`([^`]*)`|\[([\w .]+)\]|([A-Za-z_][\w]*)|(\d[\w.]*)|([(),.;*+<>=%?:|&^~@#![\]/{}-])/gy;
  let at = 0;
  while (at < text.length) {
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    // A backslash in a string, a dollar quote, or something else that dialects parse differently.
    if (match === null) return null;
    at = pattern.lastIndex;
    const [, string, double, backtick, bracket, word, , other] = match;
    if (string !== undefined) tokens.push({ type: "string", text: string });
    else if (double !== undefined || backtick !== undefined || bracket !== undefined)
      tokens.push({ type: "name", text: double ?? backtick ?? bracket ?? "" });
    else if (word !== undefined) tokens.push({ type: "word", text: word.toLowerCase() });
    else if (other !== undefined) tokens.push({ type: "other", text: other });
  }
  return tokens;
}

function splitStatements(tokens: readonly Token[]): Token[][] {
  const statements: Token[][] = [[]];
  for (const token of tokens) {
    if (token.type === "other" && token.text === ";") statements.push([]);
    else statements.at(-1)?.push(token);
  }
  return statements.filter((statement) => statement.length > 0);
}

const READERS = new Set([
  "select",
  "with",
  "values",
  "table",
  "show",
  "describe",
  "desc",
  "explain",
  "from",
  "summarize",
]);
const DESTROYERS = new Set("drop truncate delete update alter replace grant revoke rename merge".split(" "));
const WRITERS = new Set(
  "insert update delete merge into drop create alter truncate grant revoke copy call do execute lock load import export attach detach install vacuum reindex cluster outfile dumpfile program handler prepare deallocate listen notify comment refresh reset set begin commit rollback savepoint kill shutdown replace unload".split(
    " ",
  ),
);
/** Keywords before a bracket that are not functions. */
const KEYWORDS = new Set(
  "in values exists and or not as on from where over using any all some select union except intersect join when then else case end having limit offset by with filter within partition order distinct between like ilike is null lateral natural inner left right full outer cross recursive materialized explain analyze verbose costs buffers format timing group numeric decimal varchar char character time timestamp interval bit text array row interval".split(
    " ",
  ),
);
const FUNCTIONS = new Set(
  (
    "count sum avg min max coalesce ifnull nullif nvl lower upper length char_length octet_length substr substring trim ltrim rtrim btrim round floor ceil ceiling abs mod power sqrt sign exp ln log greatest least " +
    "now date datetime time julianday strftime unixepoch to_char to_date to_timestamp date_trunc date_part date_format datediff date_add date_sub dateadd extract age year month day hour minute second week quarter dayofweek current_date current_timestamp current_time localtime localtimestamp " +
    "concat concat_ws group_concat string_agg array_agg json_agg jsonb_agg json_object_agg listagg replace left right lpad rpad position strpos instr split_part regexp_replace regexp_matches regexp_match regexp_like reverse repeat initcap quote hex md5 ascii chr printf format translate " +
    "json json_array json_object json_extract json_extract_string json_type json_valid json_array_length json_each json_tree json_group_array json_group_object json_keys json_build_object json_build_array jsonb_build_object json_typeof jsonb_typeof jsonb_array_elements json_array_elements jsonb_array_elements_text jsonb_each jsonb_each_text jsonb_object_keys jsonb_array_length jsonb_extract_path jsonb_pretty row_to_json to_json to_jsonb json_unquote " +
    "cast convert try_cast typeof iif if random total changes last_insert_rowid sqlite_version version current_database current_schema current_user database user schema pg_size_pretty pg_total_relation_size pg_relation_size pg_table_size pg_indexes_size pg_database_size pg_get_constraintdef pg_get_viewdef pg_get_indexdef pg_get_functiondef pg_get_expr pg_stat_get_live_tuples pg_is_in_recovery pg_backend_pid pg_postmaster_start_time has_table_privilege obj_description col_description format_type to_regclass current_setting inet_server_addr " +
    "row_number rank dense_rank ntile lag lead first_value last_value nth_value percent_rank cume_dist percentile_cont percentile_disc mode stddev stddev_pop variance var_pop var_samp corr median quantile approx_count_distinct bool_and bool_or every bit_and bit_or " +
    "unnest generate_series array_length array_to_string string_to_array cardinality array_position array_agg any_value list len range epoch strlen contains starts_with ends_with read_csv read_csv_auto read_parquet read_json read_json_auto parquet_metadata parquet_schema pragma_table_info"
  ).split(" "),
);
/** Functions that end other sessions, write files on the server, or run statements or programs. */
const ADMIN_FUNCTIONS = new Set(
  "pg_terminate_backend pg_cancel_backend pg_reload_conf pg_rotate_logfile pg_switch_wal pg_promote pg_drop_replication_slot pg_replication_origin_drop pg_file_write pg_file_unlink pg_file_rename lo_export lo_unlink lo_put lo_from_bytea setval dblink dblink_exec query_to_xml cursor_to_xml table_to_xml xp_cmdshell sp_executesql sys_exec sys_eval load_extension writefile edit".split(
    " ",
  ),
);
const PRAGMAS =
  /^(table_info|table_xinfo|table_list|index_list|index_info|index_xinfo|foreign_key_list|foreign_key_check|database_list|collation_list|function_list|pragma_list|compile_options|integrity_check|quick_check|schema_version|user_version|page_count|page_size|freelist_count|encoding|journal_mode|foreign_keys|application_id)$/;

/** Tables with passwords and credentials for other systems, and functions that return any file of the server. */
const SECRET_TABLES =
  /^(pg_shadow|pg_authid|(?:pg_)?user_mappings?|user_mapping_options|pg_hba_file_rules|rolpassword|passwd|authentication_string|sql_logins|syslogins|password_hash|duckdb_secrets|encrypted_password|pg_read_file|pg_read_binary_file|lo_import|load_file)$/;

/** Names of columns and tables that hold credentials, and names of settings that do. */
const SECRET_COLUMN =
  /^(?:\w+_)?(?:api_?keys?|api_?tokens?|access_?tokens?|refresh_?tokens?|auth_?tokens?|session_?tokens?|reset_?tokens?|oauth_\w*tokens?|secrets?|secret_?keys?|client_?secrets?|credentials?|passwords?|token|password_?digest|hashed_password|user_pass|private_?keys?|moz_cookies)$/i;

function statementEffect(tokens: readonly Token[], dialect: Dialect): SqlEffect {
  const first = tokens[0];
  const head = first?.type === "other" && first.text === "(" ? "select" : first?.type === "word" ? first.text : "";
  if (DESTROYERS.has(head)) return "destroy";
  // The server runs a program with the rows, or takes its output for rows.
  if (head === "copy" && tokens.some(({ type, text }) => type === "word" && text === "program")) return "destroy";
  // Rows leave the database for a file of the server, or for the terminal.
  if (head === "copy" && dialect === "postgres" && tokens.some(({ type, text }) => type === "word" && text === "to"))
    return "secret";
  // The file is on another machine, or on the server.
  if (head === "copy" && tokens.some(({ type, text }) => type === "string" && /^\w+:\/\//.test(text))) return "destroy";
  if (head === "set" && /^(?:password|global|persist)$/.test(tokens[1]?.text ?? "")) return "destroy";
  // A new way in.
  if (head === "create" && /^(?:user|role|login)$/.test(tokens[1]?.text ?? "")) return "destroy";
  if (tokens.some(({ type, text }) => type === "word" && /^(?:outfile|dumpfile)$/.test(text))) return "destroy";
  if (head === "pragma")
    return dialect === "sqlite" &&
      PRAGMAS.test(tokens[1]?.text ?? "") &&
      !tokens.some(({ text, type }) => type === "other" && text === "=")
      ? "read"
      : "code";
  if (!READERS.has(head)) return "code";
  if (
    head === "explain" &&
    tokens.some(({ type, text }) => type === "word" && DESTROYERS.has(text) && text !== "replace")
  )
    return "destroy";
  const counts = isCount(tokens);
  for (const [at, token] of tokens.entries()) {
    if (!counts && token.type !== "other" && SECRET_COLUMN.test(token.text)) return "secret";
    if (token.type === "string") {
      // `current_setting('app.jwt_secret')`
      if (
        tokens[at - 2]?.text === "current_setting" &&
        SECRET_COLUMN.test(token.text.slice(token.text.lastIndexOf(".") + 1))
      )
        return "secret";
      if (dialect === "sqlite" && /^(\/|~|\.\.|https?:|s3:|gs:|file:)|\.env/.test(token.text)) return "code";
      continue;
    }
    if (SECRET_TABLES.test(token.text) || (token.text === "user" && tokens[at - 2]?.text === "mysql")) return "secret";
    if (token.type === "other" && (token.text === "@" || token.text === "{")) return "code";
    if (token.type !== "word" && token.type !== "name") continue;
    const opens = tokens[at + 1]?.type === "other" && tokens[at + 1]?.text === "(";
    const follows = tokens[at - 1]?.type === "other" && tokens[at - 1]?.text === ".";
    if (
      token.type === "word" &&
      WRITERS.has(token.text) &&
      !opens &&
      !follows &&
      !(head === "show" && /^(create|grants?)$/.test(token.text))
    ) {
      return DESTROYERS.has(token.text) ? "destroy" : "code";
    }
    if (opens && ADMIN_FUNCTIONS.has(token.text)) return "destroy";
    if (opens && !KEYWORDS.has(token.text) && !FUNCTIONS.has(token.text) && !isColumnList(tokens, at)) return "code";
  }
  return "read";
}

/** `select count(*) from api_keys`: a number, and no row. */
function isCount(tokens: readonly Token[]): boolean {
  const from = tokens.findIndex(({ text }) => text === "from");
  return (
    tokens[1]?.text === "count" && tokens[2]?.text === "(" && tokens.slice(3, from).every(({ text }) => text !== ",")
  );
}

/** `with t(a, b) as (…)`: these are column names, not a call. */
function isColumnList(tokens: readonly Token[], at: number): boolean {
  const before = tokens[at - 1];
  const isNamed = before?.type === "word" && /^(with|recursive|as)$/.test(before.text);
  const close = tokens.findIndex((token, index) => index > at && token.type === "other" && token.text === ")");
  return isNamed && tokens[close + 1]?.type === "word" && tokens[close + 1]?.text === "as";
}
