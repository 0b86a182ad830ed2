// Plain old JavaScript up to here, so that a Node that is too old can still read the sentence that says so.
require("./node-version.cjs").requireNode(() => import("./start.mjs"));
