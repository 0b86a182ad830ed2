#!/usr/bin/env node
import { existsSync } from "node:fs";

if (existsSync(new URL("../dist/cli.js", import.meta.url))) await import("../dist/cli.js");
else {
  console.error("belay: not set up yet. Run npm start once in the project's folder.");
  process.exit(1);
}
