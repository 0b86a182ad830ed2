import type { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { createProxyServer } from "httpxy";
import { ENTER_PATH, type OpenedPort, type OpenedPorts } from "../../ports/opened-ports.ts";
import type { PortsAddress } from "../../ports/ports-address.ts";
import { cookieIn, towardsBrowser, towardsServer } from "./port-headers.ts";

/** Requests and sockets at once, for one opened port. */
const MAX_CONNECTIONS = 200;
/** Without a byte from the server. Pages that keep a stream open connect again. */
const SILENCE_MS = 5 * 60_000;
const START_MS = 30_000;

/**
 * The pages that agents serve, for the people who opened them. Requests come here by their host name, before anything of
 * the console sees them, and nothing of the console is reachable under such a name.
 */
export class PortsDoor {
  readonly #ports: OpenedPorts;
  readonly #address: PortsAddress;
  readonly #consoleUrl: () => string;
  readonly #proxy = createProxyServer({ xfwd: false, proxyTimeout: SILENCE_MS, upgradeTimeout: START_MS });
  readonly #connections = new Map<string, number>();
  readonly #opened = new WeakMap<IncomingMessage, OpenedPort>();

  constructor({ ports, address, consoleUrl }: { ports: OpenedPorts; address: PortsAddress; consoleUrl: () => string }) {
    this.#ports = ports;
    this.#address = address;
    this.#consoleUrl = consoleUrl;
    this.#proxy.on("proxyRes", (answer, request) => {
      const opened = this.#opened.get(request);
      if (opened) towardsBrowser(answer.headers, { origin: address.originOf(opened.name), port: opened.port });
    });
  }

  /** Whether this request is for an opened port, and not for the console. */
  owns({ headers }: Pick<IncomingMessage, "headers">): boolean {
    return this.#address.nameIn(headers.host) !== null;
  }

  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const name = this.#address.nameIn(request.headers.host) ?? "";
    const url = new URL(request.url ?? "/", "http://name.invalid");
    if (url.pathname === ENTER_PATH) return this.#enter(name, url.searchParams.get("ticket") ?? "", request, response);
    const opened = this.#find(name, request);
    if (!opened) return this.#say(response, 403, NOT_OPEN);
    const leave = this.#take(opened, response);
    if (!leave) return this.#say(response, 503, "Too many requests at once. Reload in a moment.");
    try {
      await this.#proxy.web(this.#prepare(request, opened), response, target(opened));
    } catch {
      if (response.headersSent) response.destroy();
      else this.#say(response, 502, `Nothing answers on port ${opened.port}. The program may have ended.`);
    } finally {
      leave();
    }
  }

  async upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const name = this.#address.nameIn(request.headers.host) ?? "";
    const opened = this.#find(name, request);
    const isOwnPage = request.headers.origin === this.#address.originOf(name);
    if (!opened || !isOwnPage || !(socket instanceof Socket)) {
      return void socket.end("HTTP/1.1 403 Forbidden\r\nConnection: close\r\n\r\n");
    }
    const leave = this.#take(opened, socket);
    if (!leave) return void socket.end("HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\n\r\n");
    socket.once("close", leave);
    await this.#proxy.ws(this.#prepare(request, opened), socket, target(opened), head).catch(() => socket.destroy());
  }

  /** A page of another origin sends no cookie that is strict, or says where it comes from. */
  #find(name: string, { headers }: IncomingMessage): OpenedPort | null {
    const { origin } = headers;
    const site = headers["sec-fetch-site"];
    if (origin !== undefined && origin !== this.#address.originOf(name)) return null;
    if (site !== undefined && site !== "same-origin" && site !== "none") return null;
    return this.#ports.find(name, cookieIn(headers.cookie, this.#cookieName));
  }

  #enter(name: string, ticket: string, { method }: IncomingMessage, response: ServerResponse): void {
    const entered = method === "GET" ? this.#ports.enter(name, ticket) : null;
    if (!entered) {
      this.#say(response, 403, "This link was used already, or is older than a minute.");
      return;
    }
    const seconds = Math.floor((entered.endsAt - Date.now()) / 1000);
    response.writeHead(200, {
      ...PLAIN_PAGE,
      "set-cookie": `${this.#cookieName}=${entered.cookie}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${seconds}${this.#address.isHttps ? "; Secure" : ""}`,
    });
    // Not a redirect: the browser would count it as a visit from the console, another site, and keep the cookie back.
    response.end(page('<meta http-equiv="refresh" content="0;url=/">', "<p>Opening …</p>"));
  }

  get #cookieName(): string {
    return this.#address.isHttps ? "__Host-belay-port" : "belay-port";
  }

  /** Counts it, and ends it when the port is closed. Null if there are too many. */
  #take(opened: OpenedPort, end: { destroy(): unknown }): (() => void) | null {
    const count = this.#connections.get(opened.name) ?? 0;
    if (count >= MAX_CONNECTIONS) return null;
    this.#connections.set(opened.name, count + 1);
    const onClosed = () => void end.destroy();
    opened.closed.addEventListener("abort", onClosed);
    return () => {
      opened.closed.removeEventListener("abort", onClosed);
      const left = (this.#connections.get(opened.name) ?? 1) - 1;
      if (left === 0) this.#connections.delete(opened.name);
      else this.#connections.set(opened.name, left);
    };
  }

  #prepare(request: IncomingMessage, opened: OpenedPort): IncomingMessage {
    this.#opened.set(request, opened);
    towardsServer(request.headers, { origin: this.#address.originOf(opened.name), port: opened.port });
    return request;
  }

  #say(response: ServerResponse, status: number, message: string): void {
    response.writeHead(status, PLAIN_PAGE);
    response.end(
      page("", `<p>${message}</p><p>Open it from its terminal in <a href="${this.#consoleUrl()}">Belay</a>.</p>`),
    );
  }
}

const NOT_OPEN = "This page is not open in this browser, or is not open any more.";

const PLAIN_PAGE = {
  "content-type": "text/html; charset=utf-8",
  "cache-control": "no-store",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
};

function target({ socketPath }: OpenedPort) {
  return { target: { socketPath, protocol: "http:" } };
}

function page(head: string, body: string): string {
  const style =
    "body{font:16px/1.5 system-ui,sans-serif;max-width:36rem;margin:15vh auto;padding:0 1rem;color-scheme:light dark}";
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Belay</title>${head}<style>${style}</style></head><body>${body}</body></html>`;
}
