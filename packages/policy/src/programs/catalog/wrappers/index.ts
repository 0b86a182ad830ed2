import { IDENTITIES } from "./identities.ts";
import { NIX } from "./nix.ts";
import { PLACES } from "./places.ts";
import { PREFIXES } from "./prefixes.ts";
import { REPEATING } from "./repeating.ts";
import { TRACING } from "./tracing.ts";

/** Programs whose arguments are another command. That command is judged separately; most wrappers add nothing. */
export const WRAPPERS = [...PREFIXES, ...TRACING, ...REPEATING, ...PLACES, ...NIX, ...IDENTITIES];
