/** Only these spellings mean this machine: `127.0.0.1.nip.io` does not. */
const LOCAL_HOST = /^(localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\]|0\.0\.0\.0|host\.docker\.internal)$/i;

/** Ports through which another program on this machine can be made to run code. */
const CONTROL_PORTS = new Set(["2375", "2376", "10250", "6443", "2379", "9229"]);

/** Whether a request goes to this machine, also to a port that counts as another. */
export function isOnThisMachine(address: string): boolean {
  return LOCAL_HOST.test(hostOf(address).host);
}

export function isLocalAddress(text: string): boolean {
  const { bare, host, port } = hostOf(text);
  return LOCAL_HOST.test(host) && !CONTROL_PORTS.has(port) && !(port === "8001" && isOfCluster(bare));
}

/** An empty host if a name and a password stand before it, which some clients read differently. */
function hostOf(address: string): { bare: string; host: string; port: string } {
  const bare = address.replace(/^[a-z][a-z0-9+.-]*:\/\//i, "");
  const authority = bare.split(/[/?#]/, 1)[0] ?? "";
  const match = authority.includes("@") ? null : /^(\[[^\]]*\]|[^:]*)(?::(\d+))?$/.exec(authority);
  return { bare, host: match?.[1] ?? "", port: match?.[2] ?? "" };
}

/** Whether `kubectl proxy` serves this path. Many development servers use the same port. */
function isOfCluster(address: string): boolean {
  const path = address.slice(address.indexOf("/") + 1);
  return (
    !address.includes("/") ||
    /^(?:apis?|openapi|version|metrics|logs)?(?:[/?#]|$)/.test(path) ||
    /%2e|\.\.|\/\//i.test(path)
  );
}

/** Redis, Memcached, ZooKeeper, PostgreSQL, MySQL, MongoDB, NATS, and those that speak HTTP: text that is sent there is a command. */
const DATABASE_PORTS: ReadonlySet<string> = new Set(
  "6379 6380 11211 2181 5432 3306 27017 4222 9042 9200 5984 8123 8086 8500 8200 2379".split(" "),
);

export function isDatabasePort(port: string): boolean {
  return DATABASE_PORTS.has(port);
}

/** Questions that such servers answer without changing anything. */
export function isServerQuestion(line: string): boolean {
  return /^(?:ping|info(?: \w+)?|dbsize|time|stats(?: \w+)?|version|ruok|stat|srvr|mntr|isro|envi|quit|get [\w:.-]+|GET \S+ HTTP\/1\.[01]|Host: \S*|Connection: close|)$/i.test(
    line,
  );
}
