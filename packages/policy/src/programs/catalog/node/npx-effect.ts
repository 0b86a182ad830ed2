import type { Effect, ProgramUse } from "../../define-program.ts";
import { NODE_TOOLS } from "./tools.ts";

/** Programs that come with most projects: what `npx` finds there is the project's own. Others are fetched and run unseen. */
export function npxEffect({ operands, options }: ProgramUse): Effect {
  if (options.some(({ name }) => /^(-c|--call)$/.test(name))) return "code";
  if (options.some(({ does }) => does === "install")) return "install";
  const name = operands[0]?.text ?? "";
  return PROJECT_TOOLS.has(name.replace(/@(latest|\^?\d+(\.\d+)*(\.x)?)$/, "")) ? "work" : "install";
}

/** Tools of JavaScript projects, by the name that `npx` takes. Each has its own table, which judges what follows. */
const PROJECT_TOOLS: ReadonlySet<string> = new Set([
  ...NODE_TOOLS.flatMap(({ names }) => names),
  ..."tsx ts-node newman lighthouse concurrently nodemon cross-env dotenv wrangler vercel netlify firebase serverless cdk sst expo eas zx".split(
    " ",
  ),
]);
