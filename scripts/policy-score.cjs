require("./node-version.cjs").requireNode(() => import("./policy-score.mjs"));
