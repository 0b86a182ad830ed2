import { CONTRACTS } from "./contracts.ts";
import { EMBEDDED } from "./embedded.ts";
import { ENGINES } from "./engines.ts";
import { HARDWARE } from "./hardware.ts";
import { SCIENCE } from "./science.ts";

/** Programs of particular fields: boards, circuits, games, laboratories, chains. */
export const FIELDS = [...EMBEDDED, ...HARDWARE, ...ENGINES, ...SCIENCE, ...CONTRACTS];
