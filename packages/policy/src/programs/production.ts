import { isThisMachine } from "../dangers/belay/own-port.ts";
import type { Shell } from "../language/grammar/shell.ts";
import type { Field } from "../language/state/values.ts";

/**
 * Tasks that work on the data of an application: what is ordinary in development needs a person where people rely on
 * it. Building for production touches no data.
 */
const DATA_TASK =
  /(?:^|[:./_-])(?:db|database|migrat(?:e|ion|ions)|upgrade|seeds?|schema|runner|console|dbconsole|shell|tinker|ecto|fixtures|backfill|loaddata|createsuperuser)(?:[:._-]|$)/;

/** Variables that name the environment in which an application runs. */
const ENVIRONMENT =
  /^(?:(?:RAILS|RACK|NODE|APP|MIX|FLASK|DJANGO|LARAVEL|SYMFONY|HANAMI|PHOENIX|CRAFT|DEPLOY|TARGET|GO|KNEX)_ENV|(?:ASPNETCORE|DOTNET|CRAFT)_ENVIRONMENT|SPRING_PROFILES_ACTIVE|DJANGO_SETTINGS_MODULE|ENV|ENVIRONMENT|STAGE)$/;
const PRODUCTION = /(?:^|[._-])(?:prod|production|prd|live)(?:$|[._-])/i;
const ENVIRONMENT_OPTION = /^(?:-e|--env|--environment|--stage|--profile)$/;

/** `RAILS_ENV=production rails db:migrate`, `knex migrate:latest --env production` */
export function worksOnProduction(
  { state }: Shell,
  program: string,
  args: readonly Field[],
  env: ReadonlyMap<string, Field>,
): boolean {
  const words = args.map(({ text }) => text);
  if (![program, ...words].some((word) => DATA_TASK.test(word))) return false;
  const named = words.some((word, at) => {
    const [name = "", value = ""] = word.split("=", 2);
    if (value !== "") return (ENVIRONMENT.test(name) || ENVIRONMENT_OPTION.test(name)) && PRODUCTION.test(value);
    return ENVIRONMENT_OPTION.test(word) && PRODUCTION.test(words[at + 1] ?? "");
  });
  return (
    named ||
    // Laravel refuses to migrate in production, unless it is told so.
    (words.includes("--force") && words.some((word) => /^(?:migrate|db:seed)$/.test(word))) ||
    [...env].some(([name, { text }]) => ENVIRONMENT.test(name) && PRODUCTION.test(text)) ||
    [...state.variables].some(
      ([name, { items, isExported }]) =>
        isExported === true && ENVIRONMENT.test(name) && items.some((item) => PRODUCTION.test(item)),
    )
  );
}

const DATABASE =
  /^(?:postgres(?:ql)?|mysql|mariadb|mongodb|rediss?|mssql|sqlserver|cockroachdb|clickhouse|amqps?)(?:\+\w+)?:\/\//;

/**
 * Whether it is the address of a database on another machine. A name without a dot is a container or a machine nearby.
 */
export function isRemoteDatabase(value: string): boolean {
  if (!DATABASE.test(value)) return false;
  const authority = value.slice(value.indexOf("://") + 3).split(/[/?#]/, 1)[0] ?? "";
  const hosts = authority.slice(authority.lastIndexOf("@") + 1).split(",");
  return hosts.some((written) => {
    const host = written.replace(/:\d*$/, "");
    return /[.[]/.test(host) && !isThisMachine(host) && host !== "host.docker.internal";
  });
}
