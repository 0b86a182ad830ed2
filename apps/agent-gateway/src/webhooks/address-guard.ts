import { lookup as resolveName } from "node:dns/promises";
import { BlockList, isIP, type LookupFunction } from "node:net";

/**
 * Keeps webhooks from reaching the gateway's own network (SSRF).
 *
 * A name is resolved here, every resulting address is checked, and the
 * connection is made only to those addresses: a name that resolves
 * differently a moment later (DNS rebinding) has no effect.
 */
export class AddressGuard {
  readonly #internalHosts: ReadonlySet<string>;

  /** Hosts (with their port, if given) that the administrator trusts although they are internal. */
  constructor(internalHosts: readonly string[]) {
    this.#internalHosts = new Set(internalHosts.map((host) => host.toLowerCase()));
  }

  /** Why this address is refused; null if it is acceptable as far as can be known without resolving its name. */
  objectionTo(url: URL): string | null {
    if (url.protocol !== "https:" && url.protocol !== "http:") return "Only http and https addresses can be used.";
    if (url.username !== "" || url.password !== "") return "A name or password in the address is not supported.";
    if (this.#isTrusted(url)) return null;
    const address = addressIn(url);
    if (address !== null && isInternal(address)) return internalMessage(url.hostname);
    return null;
  }

  /** The resolver for one connection to this address. Fails if a name resolves to an internal address. */
  lookupFor(url: URL): LookupFunction {
    const isTrusted = this.#isTrusted(url);
    return (hostname, options, callback) => {
      resolveName(hostname, { all: true, family: Number(options.family ?? 0) }).then(
        (addresses) => {
          const inside = isTrusted ? undefined : addresses.find(({ address }) => isInternal(address));
          if (inside) return callback(new Error(internalMessage(hostname)), "", 0);
          const first = addresses[0];
          if (!first) return callback(new Error(`${hostname} has no address.`), "", 0);
          if (options.all) callback(null, addresses);
          else callback(null, first.address, first.family);
        },
        (error: NodeJS.ErrnoException) => callback(error, "", 0),
      );
    };
  }

  #isTrusted({ host, hostname }: URL): boolean {
    return this.#internalHosts.has(host.toLowerCase()) || this.#internalHosts.has(hostname.toLowerCase());
  }
}

const INTERNAL = new BlockList();
for (const [network, prefix] of [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 3],
] as const)
  INTERNAL.addSubnet(network, prefix, "ipv4");
// Only global unicast (2000::/3) is external, without ranges that embed an IPv4 address or are for documentation.
const GLOBAL = new BlockList();
GLOBAL.addSubnet("2000::", 3, "ipv6");
for (const [network, prefix] of [
  ["2001::", 32],
  ["2001:db8::", 32],
  ["2002::", 16],
] as const)
  INTERNAL.addSubnet(network, prefix, "ipv6");

export function isInternal(address: string): boolean {
  const version = isIP(address);
  if (version === 4) return INTERNAL.check(address, "ipv4");
  if (version !== 6) return true; // not an IP address: treat it as internal
  return !GLOBAL.check(address, "ipv6") || INTERNAL.check(address, "ipv6");
}

function addressIn({ hostname }: URL): string | null {
  const bare = hostname.startsWith("[") ? hostname.slice(1, -1) : hostname;
  return isIP(bare) ? bare : null;
}

function internalMessage(host: string): string {
  return `${host} is inside this machine's own network. If that is intended, name it in BELAY_WEBHOOK_INTERNAL_HOSTS.`;
}
