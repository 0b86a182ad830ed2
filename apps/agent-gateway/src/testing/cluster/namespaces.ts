import { execFileSync, spawnSync } from "node:child_process";
import { userInfo } from "node:os";

/** A network between this machine and others that exist only in namespaces, each with a cable that can be pulled. */
export interface Namespaces {
  /** This machine, as the others see it. */
  address: string;
  /** Another machine on the network. */
  add(): Namespace;
  close(): void;
}

export interface Namespace {
  /** What a program is started with so that it runs there. */
  prefix: string[];
  /** Packets get lost from now on, and neither end is told. */
  cut(): void;
  heal(): void;
}

const MOST = 200;

/** Null if this needs rights that the user does not have. */
export function openNamespaces(): Namespaces | null {
  if (userInfo().uid !== 0 || spawnSync("ip", ["netns", "list"]).status !== 0) return null;
  const subnet = `10.213.${process.pid % 256}`;
  const bridge = `blb${process.pid}`;
  if (spawnSync("ip", ["link", "add", bridge, "type", "bridge"]).status !== 0) return null;
  ip(`addr add ${subnet}.1/24 dev ${bridge}`);
  ip(`link set ${bridge} up`);
  const names: string[] = [];
  return {
    address: `${subnet}.1`,
    add: () => {
      const number = names.length + 2;
      if (number > MOST) throw new Error(`At most ${MOST} machines fit into this network.`);
      const name = `belay-${process.pid}-${number}`;
      const cable = `bl${number}x${process.pid}`;
      names.push(name);
      ip(`netns add ${name}`);
      ip(`link add ${cable} type veth peer name eth0 netns ${name}`);
      ip(`link set ${cable} master ${bridge} up`);
      ip(`-n ${name} addr add ${subnet}.${number}/24 dev eth0`);
      ip(`-n ${name} link set lo up`);
      ip(`-n ${name} link set eth0 up`);
      return {
        prefix: ["ip", "netns", "exec", name],
        cut: () => ip(`link set ${cable} down`),
        heal: () => ip(`link set ${cable} up`),
      };
    },
    close: () => {
      // The cables disappear with them.
      for (const name of names) spawnSync("ip", ["netns", "del", name]);
      spawnSync("ip", ["link", "del", bridge]);
    },
  };
}

function ip(words: string): void {
  execFileSync("ip", words.split(" "), { stdio: ["ignore", "ignore", "pipe"] });
}
