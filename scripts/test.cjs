require("./node-version.cjs").requireNode(() => import("./test.mjs"));
