/** The site's contents, in the order in which a newcomer needs them. Pages not listed here come last. */
export const CHAPTERS = [
  ["Start", ["quick-start", "connect", "hooks", "approve-from-a-phone"]],
  ["What agents may do", ["policy", "walls", "preview", "undo", "threat-model", "security-attacks"]],
  ["Run it", ["self-host", "machines", "back-up", "upgrade", "what-survives", "platforms", "troubleshooting"]],
  ["The record", ["record"]],
  ["Reference", ["reference/settings", "reference/policy", "reference/cli", "reference/api", "toolsets/README"]],
];
/** For people who work on Belay itself. */
export const INSIDE = /^(decisions\/|where-is-what|features|design|mcp-conformance)/;
