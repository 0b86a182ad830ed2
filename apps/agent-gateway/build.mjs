import { rm, writeFile } from "node:fs/promises";
import { build } from "esbuild";
import { BUNDLE } from "./bundle.mjs";
import { buildDocs } from "./docs-site/build-docs.mjs";
import { listLicences } from "./licences.mjs";

// One bundle with its dependencies starts much faster; native modules stay outside.
await rm(new URL("dist", import.meta.url), { recursive: true, force: true });
const { metafile } = await build({
  ...BUNDLE,
  metafile: true,
  entryPoints: { ...BUNDLE.entryPoints, cli: "src/cli.ts", library: "src/doors/library/index.ts" },
  outdir: "dist",
  sourcemap: true,
});

// A separate bundle that shares no chunk with the large ones: a client waits for it before every command.
await build({
  absWorkingDir: import.meta.dirname,
  entryPoints: ["src/hook.ts"],
  outdir: "dist",
  bundle: true,
  splitting: true,
  format: "esm",
  platform: "node",
  target: "node20",
  sourcemap: true,
  logLevel: "warning",
});
await buildDocs(new URL("dist/docs/", import.meta.url));

await writeFile(
  new URL("dist/licences.json", import.meta.url),
  JSON.stringify(await listLicences(Object.keys(metafile.inputs))),
);
