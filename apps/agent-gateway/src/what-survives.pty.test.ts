import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { SurvivalScene } from "./testing/survival-scene.ts";

// The built program and real kills. The results are the table in the documents, word for word:
// after a change, `UPDATE_DOCS=1 vitest run --project pty what-survives` updates it.
const PAGE = fileURLToPath(new URL("../../../docs/what-survives.md", import.meta.url));
const HEADINGS = ["", "Shells and programs", "Output", "A running command", "Viewers", "The record"];

const rows = new Map<string, string>();

/** One row: what is observed afterwards, following a restart if necessary. */
async function observe(event: string, scene: SurvivalScene): Promise<void> {
  const processes = await scene.seeProcesses();
  const viewers = await scene.seeViewers();
  const command = await scene.seeCommand();
  const cells = [event, processes, await scene.seeOutput(), command, viewers, await scene.seeRecord()];
  const row = `| ${cells.join(" | ")} |`;
  rows.set(event, row);
  if (process.env.UPDATE_DOCS === undefined) expect(readFileSync(PAGE, "utf8")).toContain(`\n${row}\n`);
}

describe("G6 what survives", () => {
  afterAll(() => {
    if (process.env.UPDATE_DOCS === undefined) return;
    const lines = [`| ${HEADINGS.join(" | ")} |`, `|${" --- |".repeat(HEADINGS.length)}`, ...rows.values()];
    const page = readFileSync(PAGE, "utf8").replace(/^\|[\s\S]*?\|$(?!\n\|)/m, lines.join("\n"));
    writeFileSync(PAGE, page);
  });

  it("G6 the gateway is killed", async () => {
    const scene = new SurvivalScene();
    await scene.start();
    await scene.begin();

    await scene.end("SIGKILL");
    await scene.start();

    await observe("The gateway is killed (`kill -9`)", scene);
    await scene.seeNewTerminal();
  });

  it("G6 the gateway is replaced", async () => {
    const scene = new SurvivalScene();
    await scene.start("--keep-terminals");
    await scene.begin();

    const said = await scene.end("SIGTERM");
    await scene.start("--keep-terminals");

    expect(said).toMatch(/SIGTERM: stopping, keeping 1 terminal …\nStopped\.\n$/);
    await observe("The gateway is stopped, started with `--keep-terminals`", scene);
  });

  it("G6 C10 the gateway is stopped", async () => {
    const scene = new SurvivalScene();
    await scene.start();
    await scene.begin();

    const said = await scene.end("SIGTERM");
    await scene.start();

    expect(said).toMatch(/SIGTERM: stopping, ending 1 terminal …\nStopped\.\n$/);
    await observe("The gateway is stopped (Ctrl-C, SIGTERM)", scene);
  });

  it("G6 C10 the host is killed", async () => {
    const scene = new SurvivalScene();
    await scene.start();
    await scene.begin();

    scene.killHost();
    await scene.seeToldAtOnce();

    await scene.seeNewTerminal();
    await observe("The host is killed (`kill -9`)", scene);
  });

  it("G6 C10 both are killed", async () => {
    const scene = new SurvivalScene();
    await scene.start();
    await scene.begin();

    await scene.end("SIGKILL");
    scene.killHost();
    await scene.start();

    await observe("Both are killed", scene);
  });
});
