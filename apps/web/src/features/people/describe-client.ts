const BROWSERS: readonly [pattern: RegExp, name: string][] = [
  [/Edg\//, "Edge"],
  [/OPR\//, "Opera"],
  [/Firefox\//, "Firefox"],
  [/Chrome\//, "Chrome"],
  [/Safari\//, "Safari"],
];
const SYSTEMS: readonly [pattern: RegExp, name: string][] = [
  [/iPhone|iPad/, "iOS"],
  [/Android/, "Android"],
  [/Mac OS X/, "macOS"],
  [/Windows/, "Windows"],
  [/Linux/, "Linux"],
];

/** A user agent string in two words. Clients that are not browsers are shown as they identify themselves. */
export function describeClient(client: string | null): string {
  if (!client) return "Unknown client";
  const browser = BROWSERS.find(([pattern]) => pattern.test(client))?.[1];
  const system = SYSTEMS.find(([pattern]) => pattern.test(client))?.[1];
  if (!browser) return client.slice(0, 60);
  return system ? `${browser} on ${system}` : browser;
}
