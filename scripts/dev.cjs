require("./node-version.cjs").requireNode(() => import("./dev.mjs"));
