import type { IncomingHttpHeaders } from "node:http";

/** Everything that Belay itself sets in a browser. */
const IS_OURS = /^(__Host-|__Secure-)?belay\b/i;
/** Added by proxies on the way, about people and places that an agent's server need not know. */
const FROM_PROXIES = /^(x-forwarded-.*|forwarded|x-real-ip|via|cf-.*|true-client-ip|x-belay-.*|x-client-ip)$/i;
/** Would bind a browser beyond this page, or make it report to somewhere else. */
const NOT_PASSED_ON = [
  "strict-transport-security",
  "public-key-pins",
  "alt-svc",
  "nel",
  "report-to",
  "reporting-endpoints",
  "content-security-policy-report-only",
  "x-dns-prefetch-control",
];

/** Of the cookies in a header, ours has the value; the others are the server's. */
export function cookieIn(header: string | undefined, name: string): string | null {
  for (const part of (header ?? "").split(";")) {
    const at = part.indexOf("=");
    if (part.slice(0, at).trim() === name) return part.slice(at + 1).trim();
  }
  return null;
}

/**
 * The request as the server would get it from a browser beside it: it is `localhost`, and nothing of Belay's is in it.
 * Servers check Host and Origin against what they listen on, so both are replaced together.
 */
export function towardsServer(headers: IncomingHttpHeaders, { origin, port }: { origin: string; port: number }): void {
  for (const name of Object.keys(headers)) if (FROM_PROXIES.test(name)) delete headers[name];
  const cookies = (headers.cookie ?? "").split(";").filter((part) => !IS_OURS.test(part.trim()));
  if (cookies.join("").trim() === "") delete headers.cookie;
  else headers.cookie = cookies.join(";").trim();
  const beside = `http://localhost:${port}`;
  headers.host = `localhost:${port}`;
  if (headers.origin === origin) headers.origin = beside;
  if (headers.referer?.startsWith(`${origin}/`)) headers.referer = `${beside}${headers.referer.slice(origin.length)}`;
}

/** The answer as it may reach the person's browser. */
export function towardsBrowser(headers: IncomingHttpHeaders, { origin, port }: { origin: string; port: number }): void {
  for (const name of NOT_PASSED_ON) delete headers[name];
  const cookies = headers["set-cookie"]?.filter((cookie) => !IS_OURS.test(cookie.trim()));
  // For this host name only, whatever the server says.
  if (cookies) headers["set-cookie"] = cookies.map((cookie) => cookie.replace(/;\s*domain=[^;]*/gi, ""));
  const { location } = headers;
  if (location !== undefined) {
    const path = new RegExp(`^https?://(?:localhost|127\\.0\\.0\\.1|\\[::1\\]):${port}(?=[/?#]|$)`, "i");
    headers.location = path.test(location) ? `${origin}${location.replace(path, "")}` : location;
  }
  const given = headers["content-security-policy"];
  const withoutReports = [given ?? []].flat().map((text) => text.replace(/(^|;|,)\s*report-(uri|to)\b[^;,]*/gi, "$1"));
  headers["content-security-policy"] = [...withoutReports, contained(origin)].join(", ");
  headers["x-dns-prefetch-control"] = "off";
  headers["cross-origin-resource-policy"] = "same-origin";
  headers["referrer-policy"] ??= "same-origin";
}

/**
 * A page of an agent behind a wall must not become its way out: it loads from and sends to its own server only. Code in
 * the page is the agent's anyway, so inline scripts change nothing.
 */
function contained(origin: string): string {
  const socket = origin.replace(/^http/, "ws");
  return [
    "default-src 'self' data: blob: 'unsafe-inline' 'unsafe-eval'",
    `connect-src 'self' ${socket} data: blob:`,
    "form-action 'self'",
    "frame-ancestors 'self'",
    "base-uri 'self'",
    "object-src 'none'",
  ].join("; ");
}
