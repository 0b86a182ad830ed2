import { z } from "zod";
import { SecuritySettings } from "./schema.ts";

/** The schema of `security.json` for editors: completion, hints and red lines while one types. */
export function securityFileSchema(): Record<string, unknown> {
  const schema = z.toJSONSchema(SecuritySettings, { io: "input", unrepresentable: "any" });
  return { ...schema, title: "Belay security.json", allowComments: true, allowTrailingCommas: true };
}
