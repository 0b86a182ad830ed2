import { reachableHost } from "./cluster/reachable-host.ts";
import { AllowedHosts } from "./doors/http/allowed-hosts.ts";
import type { Settings } from "./env.ts";
import { PortsAddress } from "./ports/ports-address.ts";

/** Where this gateway is reached. With port 0 its port is known only once it listens. */
export class OwnAddress {
  readonly hosts: AllowedHosts;
  readonly ports: PortsAddress;
  readonly #settings: Settings;
  #port: number;

  constructor(settings: Settings) {
    this.#settings = settings;
    this.#port = settings.port;
    this.hosts = new AllowedHosts(settings.publicUrl, () => this.#port);
    this.ports = new PortsAddress(settings, () => this.#port);
  }

  listensOn(port: number): void {
    this.#port = port;
  }

  /** The address that people open. */
  url(): string {
    return this.#settings.publicUrl ?? `http://${hostForUrl(this.#settings.host)}:${this.#port}`;
  }

  /** The address that other gateways use. */
  urlForGateways(): string {
    const { cluster, host } = this.#settings;
    return cluster?.url ?? `http://${reachableHost(host)}:${this.#port}`;
  }
}

function hostForUrl(host: string): string {
  if (host === "0.0.0.0" || host === "::") return "127.0.0.1";
  return host.includes(":") ? `[${host}]` : host;
}
