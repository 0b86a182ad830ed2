import { BUN_AND_DENO } from "./bun-and-deno.ts";
import { MIGRATIONS } from "./migrations.ts";
import { NODE_ITSELF } from "./node.ts";
import { NPM } from "./npm.ts";
import { PNPM_AND_YARN } from "./pnpm-and-yarn.ts";
import { NODE_TOOLS } from "./tools.ts";

/** JavaScript: runtimes, package managers and tools. */
export const NODE = [...NPM, ...PNPM_AND_YARN, ...BUN_AND_DENO, ...NODE_ITSELF, ...NODE_TOOLS, ...MIGRATIONS];
