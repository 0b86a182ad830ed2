import { z } from "zod";
import { ToolDefaults } from "./defaults/tool-defaults.ts";
import type { SecuritySettings } from "./schema.ts";

type Defaults = SecuritySettings["toolDefaults"];

/** One agent's overrides of the policy's tool defaults. */
export type AgentToolSettings = { [Toolset in keyof Defaults]?: Partial<Defaults[Toolset]> };

/** Strict on every level: an unknown key is an error that names it. */
export const AgentToolSettings: z.ZodType<AgentToolSettings> = optionalObject(
  Object.fromEntries(
    Object.entries(ToolDefaults.unwrap().shape).map(([toolset, settings]) => [
      toolset,
      optionalObject(settings.unwrap().shape),
    ]),
  ),
) as z.ZodType<AgentToolSettings>;

export function withAgentSettings(defaults: Defaults, own: AgentToolSettings): Defaults {
  return {
    deep: { ...defaults.deep, ...own.deep },
    sessions: { ...defaults.sessions, ...own.sessions },
    unified: { ...defaults.unified, ...own.unified },
  };
}

function optionalObject(shape: Record<string, z.ZodType>): z.ZodType {
  const fields = Object.entries(shape).map(([key, field]) => [key, withoutDefault(field).optional()]);
  return z.strictObject(Object.fromEntries(fields));
}

function withoutDefault(field: z.ZodType): z.ZodType {
  return field instanceof z.ZodDefault ? (field.unwrap() as z.ZodType) : field;
}
