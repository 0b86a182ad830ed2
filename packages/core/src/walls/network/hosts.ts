/** Where a program wants to connect to. */
export interface Destination {
  host: string;
  port: number;
}

/**
 * Whether a list of hosts covers a destination. `example.com` is that name alone, `*.example.com` every name below it,
 * and a port behind a colon that port alone; without one, the ports of the web.
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

/** A name may end in a dot, an address may stand in brackets, and letters count the same in both sizes. */
export function normalise(host: string): string {
  return host
    .toLowerCase()
    .replace(/\.$/, "")
    .replace(/^\[(.*)\]$/, "$1");
}
