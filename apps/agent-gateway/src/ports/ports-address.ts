import { getDomain } from "tldts";
import { isLoopback, type Settings, SettingsError } from "../env.ts";

const NAME = /^[a-z0-9]{26}$/;

/**
 * Where people see what agents serve: each opened port under a host name of its own, so that its pages share no cookie,
 * storage or right with the console, nor with each other.
 *
 * Browsers resolve every name below `localhost` to their own machine, so this works without any setting if the console is
 * opened there too. A public console needs a domain for it.
 */
export class PortsAddress {
  readonly #scheme: string;
  /** With the port; null if there is no address for them. */
  readonly #parent: () => string | null;
  readonly #isShared: boolean;

  constructor(
    { publicUrl, portsUrl, cluster }: Pick<Settings, "publicUrl" | "portsUrl"> & Partial<Pick<Settings, "cluster">>,
    port: () => number,
  ) {
    this.#isShared = Boolean(cluster);
    const own = publicUrl === null ? null : new URL(publicUrl);
    const given = portsUrl === null ? null : new URL(portsUrl);
    this.#scheme = (given ?? own)?.protocol ?? "http:";
    if (given) {
      requireOtherSite(given, own);
      this.#parent = () => given.host.slice("*.".length);
    } else if (own === null) this.#parent = () => `localhost:${port()}`;
    else this.#parent = () => (isLoopback(own.hostname) ? `localhost${own.port ? `:${own.port}` : ""}` : null);
  }

  get isHttps(): boolean {
    return this.#scheme === "https:";
  }

  /** Why nothing can be opened, in a sentence for people; null if it can. */
  get missing(): string | null {
    // The page of a port is asked for by its host name, which does not name the gateway that has it.
    if (this.#isShared) return "Pages of agents are not offered yet where several gateways share a database.";
    return this.#parent() === null
      ? "Pages of agents need an address of their own, apart from the console’s: an admin sets BELAY_PORTS_URL."
      : null;
  }

  originOf(name: string): string {
    return `${this.#scheme}//${name}.${this.#parent()}`;
  }

  /** The name in a Host header; null if the request is not for an opened port. */
  nameIn(host: string | undefined): string | null {
    const parent = this.#parent();
    const text = host?.toLowerCase() ?? "";
    if (parent === null || !text.endsWith(`.${parent}`)) return null;
    const name = text.slice(0, -parent.length - 1);
    return NAME.test(name) ? name : null;
  }
}

/** A page could set cookies for every host of its registrable domain, the console's among them. */
function requireOtherSite(ports: URL, own: URL | null): void {
  if (own === null) {
    throw new SettingsError("BELAY_PORTS_URL is for a public address: set BELAY_PUBLIC_URL too, or remove it.");
  }
  if (own.protocol === "https:" && ports.protocol !== "https:") {
    throw new SettingsError("BELAY_PORTS_URL has to be https, like BELAY_PUBLIC_URL.");
  }
  const siteOf = ({ hostname }: URL) => getDomain(hostname, { allowPrivateDomains: true }) ?? hostname;
  const site = siteOf(new URL(ports.href.replace("*.", "name.")));
  if (site !== siteOf(own)) return;
  throw new SettingsError(
    `BELAY_PORTS_URL and BELAY_PUBLIC_URL are both below ${site}, so pages of agents could set cookies for the console. Use another domain for one of them.`,
  );
}
