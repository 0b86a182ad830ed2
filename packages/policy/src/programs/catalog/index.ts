import type { Program } from "../define-program.ts";
import { ARCHIVES } from "./archives.ts";
import { CLOUDS } from "./clouds.ts";
import { CONTAINERS } from "./containers.ts";
import { DATABASES } from "./databases.ts";
import { DEVELOPER_TOOLS } from "./developer-tools.ts";
import { FILES } from "./files.ts";
import { FORGES } from "./forges.ts";
import { GIT } from "./git.ts";
import { INFRA, INFRA_READERS } from "./infra.ts";
import { INTERPRETERS } from "./interpreters.ts";
import { KUBERNETES } from "./kubernetes.ts";
import { NETWORK } from "./network.ts";
import { NODE } from "./node.ts";
import { NODE_TOOLS } from "./node-tools.ts";
import { OTHERS } from "./others.ts";
import { PYTHON } from "./python.ts";
import { READERS } from "./readers.ts";
import { SYSTEM } from "./system.ts";
import { TOOLCHAINS } from "./toolchains.ts";
import { WRAPPERS } from "./wrappers.ts";

/** Every program that has a table. */
export const CATALOG: readonly Program[] = [
  ...READERS,
  ...FILES,
  ...ARCHIVES,
  ...SYSTEM,
  ...NETWORK,
  ...GIT,
  ...FORGES,
  ...NODE,
  ...NODE_TOOLS,
  ...PYTHON,
  ...TOOLCHAINS,
  ...CONTAINERS,
  ...KUBERNETES,
  ...CLOUDS,
  ...INFRA,
  ...INFRA_READERS,
  ...DATABASES,
  ...INTERPRETERS,
  ...WRAPPERS,
  ...OTHERS,
  ...DEVELOPER_TOOLS,
];

const byName = new Map<string, Program>();
for (const program of CATALOG) for (const name of program.names) if (!byName.has(name)) byName.set(name, program);

export function programNamed(name: string): Program | undefined {
  return byName.get(name);
}
