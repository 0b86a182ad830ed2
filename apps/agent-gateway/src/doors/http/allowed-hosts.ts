/**
 * Which Host and Origin headers a request may carry.
 *
 * A page on another site can make a browser send requests to loopback, and a
 * DNS name can be pointed at it; both show in these two headers.
 */
export class AllowedHosts {
  readonly #publicUrl: URL | null;
  readonly #port: () => number;
  /** For the port that they were made for: it is not known before the server listens. */
  #known: { port: number; origins: string[]; hosts: string[] } | null = null;

  constructor(publicUrl: string | null, port: () => number) {
    this.#publicUrl = publicUrl ? new URL(publicUrl) : null;
    this.#port = port;
  }

  origins(): string[] {
    return this.#addresses().origins;
  }

  allowsHost(host: string | undefined): boolean {
    return host !== undefined && this.#addresses().hosts.includes(host.toLowerCase());
  }

  /** Programs send no Origin; browsers always do where it matters. */
  allowsOrigin(origin: string | undefined): boolean {
    return origin === undefined || this.origins().includes(origin);
  }

  #addresses() {
    const port = this.#port();
    if (this.#known?.port === port) return this.#known;
    const loopback = ["127.0.0.1", "localhost", "[::1]"].map((host) => new URL(`http://${host}:${port}`));
    const urls = this.#publicUrl ? [this.#publicUrl, ...loopback] : loopback;
    this.#known = { port, origins: urls.map(({ origin }) => origin), hosts: urls.map(({ host }) => host) };
    return this.#known;
  }
}
