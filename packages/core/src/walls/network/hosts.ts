/** The destination of a connection. */
export interface Destination {
  host: string;
  port: number;
}

/**
 * Whether a list of hosts covers a destination. `example.com` is only that name, `*.example.com` every subdomain,
 * and a port after a colon only that port; without one, the ports of the web.
 */
export function isListed(hosts: readonly string[], { host, port }: Destination): boolean {
  const name = normalise(host);
  return hosts.some((pattern) => {
    const [, wanted = "", wantedPort] = /^(.*?)(?::(\d+|\*))?$/.exec(pattern.toLowerCase()) ?? [];
    const isPort =
      wantedPort === undefined ? port === 443 || port === 80 : wantedPort === "*" || Number(wantedPort) === port;
    return isPort && (wanted.startsWith("*.") ? name.endsWith(wanted.slice(1)) : name === wanted);
  });
}

/** Normalises a trailing dot, brackets around an address, and case. */
export function normalise(host: string): string {
  return host
    .toLowerCase()
    .replace(/\.$/, "")
    .replace(/^\[(.*)\]$/, "$1");
}
