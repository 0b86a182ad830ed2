import { GatewayError } from "../../errors.ts";

/** What an administrator can do about a database that cannot be used; null for errors that are not about the connection. */
export function explainConnection(error: unknown, url: string): GatewayError | null {
  if (error instanceof GatewayError) return null;
  const { code, message } = error as { code?: string; message?: string };
  const place = describeUrl(url);
  const fail = (text: string) => new GatewayError("database-not-usable", text, { cause: error });
  switch (code) {
    case "ECONNREFUSED":
    case "ENOTFOUND":
    case "EAI_AGAIN":
    case "EHOSTUNREACH":
    case "ENOENT":
    case "CONNECT_TIMEOUT":
      return fail(`PostgreSQL does not answer at ${place} (${code}). Start it, or correct BELAY_DATABASE_URL.`);
    case "28P01":
    case "28000":
      return fail(`PostgreSQL at ${place} refuses this user or password. Correct BELAY_DATABASE_URL.`);
    case "3D000":
      return fail(`There is no such database at ${place}. Create it, or correct BELAY_DATABASE_URL.`);
    case "42501":
      return fail(
        `The role of BELAY_DATABASE_URL may not create its tables at ${place} (${message}). Make it the owner of the database.`,
      );
    default:
      return null;
  }
}

/** Without the password. */
export function describeUrl(url: string): string {
  try {
    const { host, pathname } = new URL(url);
    return `${host || "the local socket"}${pathname}`;
  } catch {
    return "the address in BELAY_DATABASE_URL";
  }
}
