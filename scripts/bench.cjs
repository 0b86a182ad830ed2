require("./node-version.cjs").requireNode(() => import("./bench.mjs"));
