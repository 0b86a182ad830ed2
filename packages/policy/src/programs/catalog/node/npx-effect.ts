import type { Effect, ProgramUse } from "../../define-program.ts";
import { MIGRATIONS } from "./migrations.ts";
import { NODE_TOOLS } from "./tools.ts";

/** Common project tools, which `npx` finds in the project. Any other would be downloaded and run unseen. */
export function npxEffect({ operands, options }: ProgramUse): Effect {
  if (options.some(({ name }) => /^(-c|--call)$/.test(name))) return "code";
  if (options.some(({ does }) => does === "install")) return "install";
  const name = operands[0]?.text ?? "";
  return PROJECT_TOOLS.has(name.replace(/@(latest|\^?\d+(\.\d+)*(\.x)?)$/, "")) ? "work" : "install";
}

/** Tools of JavaScript projects by their `npx` name. Each has its own table, which judges the rest. */
const PROJECT_TOOLS: ReadonlySet<string> = new Set([
  ...[...NODE_TOOLS, ...MIGRATIONS].flatMap(({ names }) => names),
  ..."hardhat truffle tsx vite-node esno swagger-cli ajv jsonlint jscodeshift envinfo ts-node newman lighthouse concurrently nodemon cross-env dotenv wrangler vercel netlify firebase serverless cdk sst expo eas zx autocannon".split(
    " ",
  ),
]);
