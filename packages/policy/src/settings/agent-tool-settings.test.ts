import { expect, it } from "vitest";
import { AgentToolSettings, withAgentSettings } from "./agent-tool-settings.ts";
import { defaultPolicy } from "./policy.ts";

const { toolDefaults } = defaultPolicy.settings;

it("C9 an agent's own settings change what they name and nothing else", () => {
  const own = AgentToolSettings.parse({ sessions: { cropOutputCharacters: 500 } });
  const merged = withAgentSettings(toolDefaults, own);
  expect(merged.sessions).toEqual({ ...toolDefaults.sessions, cropOutputCharacters: 500 });
  expect(merged.unified).toEqual(toolDefaults.unified);
  expect(AgentToolSettings.parse(JSON.parse(JSON.stringify(own)))).toEqual(own);
});

it("C9 an unknown key is an error that names it", () => {
  expect(() => AgentToolSettings.parse({ sessions: { cropOutput: 500 } })).toThrow("cropOutput");
  expect(() => AgentToolSettings.parse({ session: {} })).toThrow("session");
  expect(() => AgentToolSettings.parse({ unified: { idleMs: -1 } })).toThrow();
});
