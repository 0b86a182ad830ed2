import { BlockList, isIP } from "node:net";

/** Addresses of this machine, and cloud metadata addresses: the proxy never connects to them. */
const OWN = new BlockList();
for (const [network, bits] of [
  ["0.0.0.0", 8],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["224.0.0.0", 4],
  ["240.0.0.0", 4],
] as const) {
  OWN.addSubnet(network, bits, "ipv4");
}
for (const [network, bits] of [
  ["::", 128],
  ["::1", 128],
  ["fe80::", 10],
  ["ff00::", 8],
  ["64:ff9b::", 96],
] as const) {
  OWN.addSubnet(network, bits, "ipv6");
}
// Amazon's metadata over IPv6.
OWN.addAddress("fd00:ec2::254", "ipv6");

/** Addresses of private networks. */
const PRIVATE = new BlockList();
for (const [network, bits] of [
  ["10.0.0.0", 8],
  ["172.16.0.0", 12],
  ["192.168.0.0", 16],
  ["100.64.0.0", 10],
] as const) {
  PRIVATE.addSubnet(network, bits, "ipv4");
}
PRIVATE.addSubnet("fc00::", 7, "ipv6");

export type AddressKind = "public" | "private" | "own";

/** An invalid address counts as the machine's own, so it is never reached. */
export function kindOfAddress(address: string): AddressKind {
  const family = isIP(address);
  if (family === 0) return "own";
  // An IPv4-mapped IPv6 address; a block list handles those itself.
  const type = family === 4 ? "ipv4" : "ipv6";
  if (OWN.check(address, type)) return "own";
  return PRIVATE.check(address, type) ? "private" : "public";
}
