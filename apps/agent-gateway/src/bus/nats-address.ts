import type { ConnectionOptions } from "@nats-io/transport-node";

/** Where the NATS server is, and how to sign in there. */
export interface NatsAddress {
  servers: string[];
  isTls: boolean;
  user: string | null;
  password: string | null;
  token: string | null;
  /** Without user, password and token, for people and logs. */
  shown: string;
}

/** Reads `nats://user:password@host:4222`, `tls://token@host`, or several of them with commas. Null if it is not one. */
export function parseNatsUrl(text: string): NatsAddress | null {
  const urls = text.split(",").map((part) => (URL.canParse(part.trim()) ? new URL(part.trim()) : null));
  const [first] = urls;
  if (!first) return null;
  const isOne = (url: URL | null): url is URL =>
    url !== null &&
    url.protocol === first.protocol &&
    (url.protocol === "nats:" || url.protocol === "tls:") &&
    url.hostname !== "" &&
    (url.pathname === "" || url.pathname === "/") &&
    url.search === "";
  if (!urls.every(isOne)) return null;
  const servers = urls.map((url) => `${url.hostname}:${url.port || "4222"}`);
  const withUser = urls.find(({ username }) => username !== "");
  const user = withUser ? decodeURIComponent(withUser.username) : null;
  const password = withUser?.password ? decodeURIComponent(withUser.password) : null;
  return {
    servers,
    isTls: first.protocol === "tls:",
    // NATS' own clients read a name without a password as a token.
    user: password === null ? null : user,
    password,
    token: password === null ? user : null,
    shown: servers.map((server) => `${first.protocol}//${server}`).join(","),
  };
}

export function natsOptions({ servers, isTls, user, password, token }: NatsAddress): ConnectionOptions {
  return {
    servers,
    ...(user !== null && password !== null ? { user, pass: password } : {}),
    ...(token === null ? {} : { token }),
    ...(isTls ? { tls: {} } : {}),
  };
}
