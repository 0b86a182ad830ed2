/**
 * Which Host and Origin headers a request may carry.
 *
 * A page on another site can make a browser send requests to loopback, and a
 * DNS name can be pointed at it; both show in these two headers.
 */
export class AllowedHosts {
  readonly #publicUrl: URL | null;
  readonly #port: () => number;

  constructor(publicUrl: string | null, port: () => number) {
    this.#publicUrl = publicUrl ? new URL(publicUrl) : null;
    this.#port = port;
  }

  origins(): string[] {
    const loopback = ["127.0.0.1", "localhost", "[::1]"].map(
      (host) => new URL(`http://${host}:${this.#port()}`).origin,
    );
    return this.#publicUrl ? [this.#publicUrl.origin, ...loopback] : loopback;
  }

  allowsHost(host: string | undefined): boolean {
    return host !== undefined && this.origins().some((origin) => new URL(origin).host === host.toLowerCase());
  }

  /** Programs send no Origin; browsers always do where it matters. */
  allowsOrigin(origin: string | undefined): boolean {
    return origin === undefined || this.origins().includes(origin);
  }
}
