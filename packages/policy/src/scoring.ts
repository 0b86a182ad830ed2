export { freshWall } from "./behind-wall/openings.ts";
export { type Outcome, parseLabelled, type ScoredLine, scoreLine, tally } from "./corpus/score.ts";
export { defaultPolicy } from "./settings/policy.ts";
