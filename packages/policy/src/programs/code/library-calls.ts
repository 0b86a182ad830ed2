import { destroysBySql } from "../names/grave-words.ts";
import type { CodeParts, LookLanguage } from "./code-text.ts";

/** How far code acts through a library on something besides the project's files. */
export type LibraryUse =
  /** It deletes, publishes or sends, by the name of a method or by a statement. */
  | "grave"
  /** It uses a library that changes other systems or loads code, in a way that is not visible. */
  | "acts"
  | null;

/** Packages whose purpose is to change other systems, other folders or other programs, or to run what they read. */
const JAVASCRIPT =
  /^(?:@(?:aws-sdk|azure|google-cloud|octokit|kubernetes|slack|sendgrid|supabase|vercel|netlify|elastic|opensearch-project|pulumi|discordjs|shopify|mailchimp)\/.+|aws-sdk|googleapis|firebase-admin|octokit|simple-git|isomorphic-git|nodegit|dockerode|kubernetes-client|stripe|twilio|plaid|discord\.js|telegraf|nodemailer|mailgun\S*|postmark|ioredis|memcached|knex|sequelize|mongoose|typeorm|kafkajs|amqplib|nats|mqtt|algoliasearch|cloudinary|tree-kill|fkill|kill-port|find-process|ps-node|node-pty|tar|tar-fs|adm-zip|unzipper|extract-zip|decompress|yauzl|del|trash|move-file|cpy|mv|ncp|recursive-\w+|download|needle|ky|phin|bent|wretch|gaxios|cross-fetch|isomorphic-fetch|open|opn|clipboardy|vm2|isolated-vm|esm|jiti|import-fresh|keytar|npm|pacote|gulp|gh-pages|node-ssh|basic-ftp|ftp|ssh2-\S+|robotjs|execa|shelljs|zx|cross-spawn|dotenv.*|redis|mongodb|pg|mysql2?|nut-js|@nut-tree\/.+)$/;

const PYTHON =
  /^(?:google|googleapiclient|elasticsearch\w*|opensearchpy|hvac|consul|etcd3?|pika|kafka|confluent_kafka|aiokafka|nats|paho|huggingface_hub|wandb|mlflow|twine|gitlab|pygit2|dulwich|executor|sarge|delegator|envoy|apt|dbus|pystemd|send2trash|asyncpg|aiomysql|aioredis|motor|aioboto3|cassandra|neo4j|pymssql|pyodbc|oracledb|cx_Oracle|ldap3?|scapy|nmap|pyperclip|tweepy|praw|telegram|telethon|discord|slack|slackclient|sendgrid|twilio|notion_client|jira|gspread|heroku3|digitalocean|openstack|libcloud|ansible|ansible_runner|salt|pyinfra|invoke|asyncssh|hcloud|linode_api4|cloudflare|IPython|jsonpickle|redis|git|docker|kubernetes|boto3|pymongo|psycopg2?|pymysql|MySQLdb|github|azure|stripe|pip|plumbum|sh|keyring|dotenv|netrc|secretstorage|fabric|paramiko|zipapp|crontab|requests_unixsocket|keyboard|mouse|uinput|bdb|pdb)$/;

/** Packages that delete or end what is given to them, or that hand out what a store of secrets keeps. */
const GRAVE_PACKAGES =
  /^(?:del|trash|rimraf|kill-port|fkill|tree-kill|keytar|dotenv\S*|hvac|keyring|netrc|secretstorage|send2trash|git|simple-git|isomorphic-git)$/;

/** Methods whose name leaves no doubt. A method of a list, a map or a table of data is not called like that. */
const DELETES =
  /\b(?:delete[A-Z]\w*|\w*_?delete_\w+|_raw_delete|destroy(?:All|Many|One|_all|_\w+)|drop(?:All|Database|Table|Collection|Index|Schema)|drop_(?:all|database|table|collection|index|schema)|purge\w*|\w+_purge|prune[A-Z]\w*|prune_\w+|truncate\w*|flush(?:all|db|_all|_db|All|Db)|remove(?:Sync|All|Many)|emptyDir\w*|emptydir\w*|terminate_\w+|wipe\w*|send2trash|upload_\w+|publish\w*|deploy\w*|send_?(?:mail|email)\w*|sendMail|sendEmail|reset_?hard)\s*\(/g;
const DELETES_JAVASCRIPT =
  /\.\s*(?:destroy\s*\(\s*\{|remove\s*\(\s*\{|(?:drop|delete|push)\s*\(\s*\))|\.\s*sync\s*\(\s*\{\s*force\b/;
/** With a library of the lists above, these names say that it changes something. */
const CHANGES =
  /\.\s*(?:push|reset|clean|main|upload\w*|create\w*|update\w*|insert\w*|post|put\w*|patch|commit|merge|send\w*|publish\w*|delete\w*|drop\w*|remove\w*|destroy\w*|purge\w*|kill\w*|flush\w*|set\w*|write\w*|execute\w*|exec\w*|run\w*|raw|query)\s*\(/;
/** Ruby needs no brackets: `User.destroy_all`. */
const DELETES_RUBY =
  /\.\s*(?:delete_\w+|destroy(?:_\w+)?!?|update_all|insert_all!?|drop_\w+|truncate\w*|flush(?:all|db|_all)|purge\w*)\b/;
const LOADS_RUBY = /\bunsafe_load\w*\b|\bpermitted_classes\b|\breopen\b/;
const DELETES_PHP = /->\s*flush\w+|""\s*\)?\s*\(/;
/** Packages of R and Julia with the same purposes. */
const R =
  /\b(?:fs|processx|callr|sys|gert|git2r|httr2?|curl|RCurl|reticulate|rstudioapi|DBI|RPostgres|RMySQL|RMariaDB|RSQLite|odbc|mongolite|redux|aws\.\w+|paws(?:\.\w+)?|googledrive|googlesheets4|bigrquery|AzureStor|pins|rsconnect|blastula|gmailr|slackr|keyring|renv|pak|ssh|V8|rJava)\s*(?:::|\)\s*(?:[;\n]|$))/;
/** They only report, or restore what the lock file of the project names. */
const R_LOOKS =
  /\b(?:renv::(?:status|diagnostics|dependencies|restore|paths\.\w+|project)|fs::(?:dir_ls|dir_tree|dir_info|file_exists|dir_exists|file_info|file_size|path\w*)|DBI::(?:dbListTables|dbGetQuery|dbReadTable|dbConnect|dbListFields)|RSQLite::SQLite|sys::(?:Sys\.\w+)|reticulate::py_(?:config|available|discover_config))\b/g;
const CHANGES_R =
  /\b(?:\w*delete\w*|\w*push\w*|\w*remove\w*|exec\w*|run\w*|dbExecute|dbSend\w*|py_run\w*|terminal\w*|put\w*|post|upload\w*|key_get|POST|PUT|DELETE|PATCH)\s*\(/;
const JULIA =
  /\b(?:LibGit2|Downloads|HTTP|PyCall|RCall|LibPQ|AWS\w*|Redis|Mongoc|FTPClient|SMTPClient|writedlm|jldsave)\b/;
const CHANGES_FILES = /\b(?:remove|move|copy|emptyDir|emptydir|unlink|rename)(?:Sync)?\s*\(/;

const STATEMENT_CALL =
  /(?:\b(?:execute\w*|exec|query|raw|run|text|sql|prepare|simple)|\$(?:execute|query)Raw\w*)\s*(?:\(|"")/;
const DESTROYS =
  /\b(?:drop\s+(?:table|view|index|database|schema|trigger)|delete\s+from|alter\s+table|update\s+\S+\s+set|replace\s+into)\b|^\s*(?:truncate|attach)\s/i;

/** Python modules that evaluate text that is given to them. */
const EVALUATORS = /^(?:timeit|cProfile|profile|trace|doctest|numexpr|pandas)$/;
const LOOKS_LIKE_CODE = /__import__|\b(?:os|subprocess|shutil)\s*\.\s*\w+\s*\(|\b(?:exec|eval)\s*\(/;

/** What code of one of these languages does through a library; null if it only computes, or in another language. */
export function libraryUse(language: LookLanguage, code: string, parts: CodeParts): LibraryUse {
  if (language === "javascript") return javascriptUse(parts, javascriptModules(code));
  if (language === "python") return pythonUse(parts, pythonModules(parts.bare));
  if (callsOf(parts.bare) || destroysByStatement(parts)) return "grave";
  if (language === "ruby" && (DELETES_RUBY.test(parts.bare) || LOADS_RUBY.test(parts.bare))) return "grave";
  if (language === "php" && DELETES_PHP.test(parts.bare)) return "grave";
  if (language === "r" && R.test(parts.bare.replace(R_LOOKS, ""))) return CHANGES_R.test(parts.bare) ? "grave" : "acts";
  if (language === "julia" && JULIA.test(parts.bare)) return CHANGES.test(parts.bare) ? "grave" : "acts";
  return null;
}

export const JAVASCRIPT_IMPORTS = /(?:\brequire\s*\(\s*|\bimport\s*\(\s*|\bfrom\s+|\bimport\s+)(["'`])([^"'`]*)\1/g;

/** The modules that JavaScript imports by a literal name. */
export function javascriptModules(code: string): string[] {
  return [...code.matchAll(JAVASCRIPT_IMPORTS)].map((match) => match[2] ?? "");
}

/** The first names of the imported modules. */
function pythonModules(bare: string): string[] {
  const imports = [...bare.matchAll(/(?:^|[\n;:])[ \t]*(?:import[ \t]+([\w., \t]+)|from[ \t]+(\w+))/g)];
  const names = imports.flatMap(
    ([, plain = "", from]) => from ?? plain.split(",").map((one) => one.trim().split(/[.\s]/, 1)[0] ?? ""),
  );
  return [...new Set(names)];
}

function javascriptUse(parts: CodeParts, modules: readonly string[]): LibraryUse {
  const { bare } = parts;
  const files = modules.some((name) => /^(?:fs-extra|graceful-fs|fs-jetpack)$/.test(name)) && CHANGES_FILES.test(bare);
  if (files || callsOf(bare) || DELETES_JAVASCRIPT.test(bare) || destroysByStatement(parts)) return "grave";
  if (!modules.some((name) => JAVASCRIPT.test(name)) || onlyLoads(bare)) return null;
  return CHANGES.test(bare) || modules.some((name) => GRAVE_PACKAGES.test(name)) ? "grave" : "acts";
}

function pythonUse(parts: CodeParts, modules: readonly string[]): LibraryUse {
  const { bare, strings } = parts;
  if (callsOf(bare) || destroysByStatement(parts)) return "grave";
  if (modules.some((name) => EVALUATORS.test(name)) && strings.some((text) => LOOKS_LIKE_CODE.test(text)))
    return "grave";
  const used = modules.filter((name) => PYTHON.test(name) && !onlyAsksVersion(bare, name));
  if (used.length === 0) return null;
  return CHANGES.test(bare) || used.some((name) => GRAVE_PACKAGES.test(name)) ? "grave" : "acts";
}

/** A call by one of those names, unless the code itself defines the function. */
function callsOf(bare: string): boolean {
  return [...bare.matchAll(DELETES)].some(({ 0: call, index }) => {
    const name = call.replace(/\s*\($/, "");
    if (/\b(?:def|function)\s+$/.test(bare.slice(Math.max(0, index - 20), index))) return false;
    return !new RegExp(String.raw`\b(?:def|function|const|let|var)\s+${name}\b`).test(bare);
  });
}

function destroysByStatement({ bare, strings }: CodeParts): boolean {
  return STATEMENT_CALL.test(bare) && strings.some((text) => DESTROYS.test(text) || destroysBySql(text));
}

/** `require("tar"); console.log("ok")`: whether a package can be loaded, and which version it has. */
function onlyLoads(bare: string): boolean {
  const rest = bare
    .replace(/(?<=^|[;\n{])\s*(?:await\s+)?(?:require|import)\s*\(\s*""\s*\)\s*(?=[;}\n]|$)/g, "")
    .replace(/\brequire\s*\(\s*""\s*\)\s*\.\s*(?:version|VERSION)\b/g, "")
    .replace(/\btypeof\s+require\s*\(\s*""\s*\)/g, "");
  return !/\b(?:require|import)\b/.test(rest);
}

/** `import wandb; print(wandb.__version__)`. */
function onlyAsksVersion(bare: string, name: string): boolean {
  if (new RegExp(String.raw`\bfrom\s+${name}\b|\b${name}(?:\.\w+)*\s+as\b`).test(bare)) return false;
  const rest = bare
    .replace(new RegExp(String.raw`(?<![.\w])${name}\s*\.\s*__(?:version|file|path|name|doc)__`, "g"), "")
    .replace(/(?<=(?:^|[\n;:])[ \t]*)import[ \t]+[\w, \t]+/g, "");
  return !new RegExp(String.raw`(?<![.\w])${name}\b`).test(rest);
}
