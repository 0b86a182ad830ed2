import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { SurvivalScene } from "./testing/survival-scene.ts";

// The built program and real kills. What is seen here is the table in the documents, word for word:
// after a change, `UPDATE_DOCS=1 vitest run --project pty what-survives` writes it anew.
const PAGE = fileURLToPath(new URL("../../../docs/what-survives.md", import.meta.url));
const HEADINGS = ["", "Shells and programs", "Output", "A command at work", "Who watches", "The record"];

const rows = new Map<string, string>();

/** One row: what is seen after it happened, and after a start where that takes one. */
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

  it("G6 a gateway that is killed", async () => {
    const scene = new SurvivalScene();
    await scene.start();
    await scene.begin();

    await scene.end("SIGKILL");
    await scene.start();

    await observe("The gateway is killed (`kill -9`)", scene);
    await scene.seeNewTerminal();
  });

  it("G6 a gateway that is replaced", async () => {
    const scene = new SurvivalScene();
    await scene.start("--keep-terminals");
    await scene.begin();

    const said = await scene.end("SIGTERM");
    await scene.start("--keep-terminals");

    expect(said).toMatch(/SIGTERM: stopping, keeping 1 terminal …\nStopped\.\n$/);
    await observe("The gateway is stopped, started with `--keep-terminals`", scene);
  });

  it("G6 C10 a gateway that is stopped", async () => {
    const scene = new SurvivalScene();
    await scene.start();
    await scene.begin();

    const said = await scene.end("SIGTERM");
    await scene.start();

    expect(said).toMatch(/SIGTERM: stopping, ending 1 terminal …\nStopped\.\n$/);
    await observe("The gateway is stopped (Ctrl-C, SIGTERM)", scene);
  });

  it("G6 C10 a host that is killed", async () => {
    const scene = new SurvivalScene();
    await scene.start();
    await scene.begin();

    scene.killHost();
    await scene.seeToldAtOnce();

    await scene.seeNewTerminal();
    await observe("The host is killed (`kill -9`)", scene);
  });

  it("G6 C10 both of them killed", async () => {
    const scene = new SurvivalScene();
    await scene.start();
    await scene.begin();

    await scene.end("SIGKILL");
    scene.killHost();
    await scene.start();

    await observe("Both are killed", scene);
  });
});
