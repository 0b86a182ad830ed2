require("./node-version.cjs").requireNode(() => import("./conformance.mjs"));
