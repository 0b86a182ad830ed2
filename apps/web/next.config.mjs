import { join } from "node:path";

/** @type {import("next").NextConfig} */
const config = {
  // Static files that the gateway serves: no second server to run, secure or proxy.
  output: "export",
  // Types are checked by a separate task, so a build need not check them again.
  typescript: { ignoreBuildErrors: true },
  images: { unoptimized: true },
  turbopack: { root: join(import.meta.dirname, "../..") },
  // In development the console is reached through the gateway's port.
  allowedDevOrigins: ["127.0.0.1", "localhost"],
};

export default config;
