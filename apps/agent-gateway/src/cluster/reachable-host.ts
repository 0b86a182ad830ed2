import { networkInterfaces } from "node:os";

/** The address for other machines of a gateway that listens on `host`: for one that listens everywhere, its first address. */
export function reachableHost(host: string): string {
  if (host !== "0.0.0.0" && host !== "::") return host.includes(":") ? `[${host}]` : host;
  const addresses = Object.values(networkInterfaces()).flatMap((found) => found ?? []);
  const outside = addresses.find(({ internal, family }) => !internal && family === "IPv4");
  return outside?.address ?? "127.0.0.1";
}
