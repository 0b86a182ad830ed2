import { asks } from "./rule.ts";

export const PRODUCTION_DATA = [
  asks({
    id: "production-data",
    level: "dangerous",
    reason: "Works on the data of an application in production.",
    fires: ({ inProduction }) => inProduction,
  }),
];
