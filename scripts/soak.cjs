require("./node-version.cjs").requireNode(() => import("./soak.mjs"));
