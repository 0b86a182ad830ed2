import { createPolicy, defaultPolicy, type Policy, SecuritySettings } from "@belay/policy";

/** In force where the last accepted policy cannot be read any more: nothing runs until an admin accepts the file. */
export const denyEverything: Policy = createPolicy(
  SecuritySettings.parse({
    profiles: Object.fromEntries(
      Object.keys(defaultPolicy.settings.profiles).map((name) => [
        name,
        { safe: "deny", unknown: "deny", dangerous: "deny" },
      ]),
    ),
  }),
);
