import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { startTestGateway, type TestGateway } from "../testing/start-test-gateway.ts";

const SECURITY = { commandDenyPatterns: ["invented-ban"] };
const TIGHTER = { commandDenyPatterns: ["invented-ban", "another-ban"] };
const LOOSER = { profiles: { standard: { safe: "allow", unknown: "allow", dangerous: "allow" } } };

test("S6 an external edit that may allow more waits for an admin, and the old policy stays active", async () => {
  const gateway = await startTestGateway({ security: SECURITY });
  const admin = await gateway.asPerson("admin");
  const operator = await gateway.asPerson("operator");
  write(gateway, LOOSER);

  const edit = await waitingEdit(gateway);
  const judged = await admin.policy.check.query({ command: "invented-ban" });
  const ready = await (await fetch(`${gateway.url()}/readyz`)).json();
  await expect(operator.policy.settleEdit.mutate({ version: edit.version, decision: "accept" })).rejects.toThrow(
    "admin",
  );
  await expect(admin.policy.save.mutate({ text: "{}", basedOn: gateway.policy.current.version })).rejects.toThrow(
    "waits",
  );
  await admin.policy.settleEdit.mutate({ version: edit.version, decision: "accept" });
  const [changed] = (await admin.audit.search.query({ types: ["policy.changed"], limit: 1 })).events;

  expect(edit.diff).toContain("+{");
  expect(judged.decision).toBe("deny");
  expect(ready).toMatchObject({ status: "ready", notices: [{ part: "policy" }] });
  expect(gateway.policy.waiting).toBeNull();
  expect(gateway.policy.settings.profiles.standard?.dangerous).toBe("allow");
  expect(changed?.actor.type).toBe("person");
});

test("S6 an edit that provably only tightens applies at once", async () => {
  const gateway = await startTestGateway({ security: SECURITY });
  write(gateway, TIGHTER);

  await vi.waitFor(() => expect(gateway.policy.settings.commandDenyPatterns).toHaveLength(2), 10_000);

  expect(gateway.policy.waiting).toBeNull();
});

test("S6 discarding an edit restores the file and keeps a copy; a removed file and a swapped edit wait too", async () => {
  const gateway = await startTestGateway({ security: SECURITY });
  const admin = await gateway.asPerson("admin");
  const file = join(gateway.dataDir, "security.json");
  write(gateway, LOOSER);
  const edit = await waitingEdit(gateway);
  write(gateway, { ...LOOSER, rewrites: "run" });
  // The text is swapped after the admin has read it.
  await expect(admin.policy.settleEdit.mutate({ version: edit.version, decision: "accept" })).rejects.toThrow(
    "changed",
  );
  await vi.waitFor(() => expect(gateway.policy.waiting?.version).not.toBe(edit.version), 10_000);
  const swapped = await waitingEdit(gateway);

  await admin.policy.settleEdit.mutate({ version: swapped.version, decision: "discard" });
  const afterDiscard = JSON.parse(readFileSync(file, "utf8"));
  rmSync(file);
  await waitingEdit(gateway);

  expect(afterDiscard).toEqual(SECURITY);
  expect(JSON.parse(readFileSync(`${file}.discarded`, "utf8"))).toMatchObject({ rewrites: "run" });
  expect(gateway.policy.settings.commandDenyPatterns).toEqual(["invented-ban"]);
});

test("S6 an edit made while Belay was down waits as well", async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "belay-edited-"));
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  const first = await startTestGateway({ dataDir, security: SECURITY });
  await first.close();

  const second = await startTestGateway({ dataDir, security: LOOSER });
  const inForce = second.policy.settings.commandDenyPatterns;
  const waiting = second.policyChanges.waitingEdit();
  await second.close();
  const third = await startTestGateway({ dataDir, security: TIGHTER });

  expect(inForce).toEqual(["invented-ban"]);
  expect(waiting?.diff).toContain("invented-ban");
  expect(third.policy.waiting).toBeNull();
  expect(third.policy.settings.commandDenyPatterns).toHaveLength(2);
});

test("A8 an external edit of the file becomes a version; a broken one changes nothing", async () => {
  const gateway = await startTestGateway({ security: {} });
  const admin = await gateway.asPerson("admin");
  const file = join(gateway.dataDir, "security.json");
  const before = await admin.policy.get.query();

  const noticed = nextPolicyEvent(gateway);
  await writeFile(file, JSON.stringify({ commandDenyPatterns: ["some-unknown-program"] }));
  await noticed;
  const changed = await admin.policy.get.query();
  await writeFile(file, '{ "comandDenyPatterns": [] }');
  await gateway.policy.reload();
  const broken = await admin.policy.get.query();

  expect(changed.version).not.toBe(before.version);
  expect((await admin.policy.check.query({ command: "some-unknown-program" })).decision).toBe("deny");
  expect(broken).toMatchObject({ version: changed.version, health: { status: "broken" } });
  expect(JSON.stringify(broken.health)).toContain("comandDenyPatterns");

  const [, first] = await admin.policy.versions.query();
  expect(await admin.policy.diff.query({ from: first?.seq ?? 0 })).toContain('+{"commandDenyPatterns"');
  const save = admin.policy.save.mutate({ text: "{}", basedOn: broken.version });
  await expect(save).rejects.toThrow("cannot be used");
  await admin.policy.rollBack.mutate({ seq: first?.seq ?? 0 });
  expect(await readFile(`${file}.broken`, "utf8")).toContain("comandDenyPatterns");
  expect(await admin.policy.get.query()).toMatchObject({ version: before.version, health: { status: "ok" } });
  const types = (await gateway.audit.list(50)).map(({ type }) => type);
  expect(types).toEqual(expect.arrayContaining(["policy.changed", "policy.broken"]));
});

function write(gateway: TestGateway, security: object): void {
  writeFileSync(join(gateway.dataDir, "security.json"), JSON.stringify(security));
}

function waitingEdit(gateway: TestGateway) {
  return vi.waitFor(() => {
    const edit = gateway.policyChanges.waitingEdit();
    if (!edit) throw new Error("No edit waits yet.");
    return edit;
  }, 10_000);
}

async function nextPolicyEvent(gateway: TestGateway): Promise<void> {
  for await (const { event } of gateway.events.follow(null, new AbortController().signal))
    if (event.type === "policy") return;
}
