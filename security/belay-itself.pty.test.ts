import { readFileSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { basename, dirname, join } from "node:path";
import { expect, test, vi } from "vitest";
import { openTarget } from "./attack.ts";

test("S6 an agent cannot write the policy, and an edit by other means does not apply", async () => {
  const { gateway, attack } = await openTarget();
  const file = join(gateway.dataDir, "security.json");
  const loose = '{"profiles":{"standard":{"safe":"allow","unknown":"allow","dangerous":"allow"}}}';
  const spellings = [
    `awk 'BEGIN { print "{}" > "${file}" }'`,
    `sed -n 'w ${file}' /dev/null`,
    `echo '${loose}' | tee ${file}`,
    `perl -e 'open(F, ">", "${file}")'`,
    `cp /dev/null ${file}`,
    `cd ${gateway.dataDir} && echo x > security.json`,
    `ln -s ${file} here.json && echo x > here.json`,
    `dd if=/dev/null of=${file}`,
  ];

  for (const [index, command] of spellings.entries()) await attack(`writer-${index}`, [{ command }]);
  const written = () => readFileSync(file, "utf8");
  expect(written).toThrow("ENOENT");
  writeFileSync(file, loose);
  await vi.waitFor(() => expect(gateway.policy.waiting).not.toBeNull(), 10_000);

  expect(gateway.policy.settings.profiles.standard?.dangerous).toBe("ask");
});

test("S7 neither keys nor sessions nor environments are shown to an agent", async () => {
  const { gateway, attack } = await openTarget();
  const secret = readFileSync(join(gateway.dataDir, "keys", "session-secret"), "utf8");
  const control = readFileSync(join(gateway.dataDir, "keys", "control-token"), "utf8");
  const { dataDir } = gateway;
  const [parent, name] = [dirname(dataDir), basename(dataDir)];
  const spellings = [
    `cat ${dataDir}/keys/session-secret`,
    `cat ${dataDir}/keys/*`,
    `cat ${parent}/${name.slice(0, -2)}*/keys/*`,
    `cat /proc/self/root${dataDir}/keys/session-secret`,
    `cat /proc/self/cwd/../..${dataDir}/keys/session-secret`,
    `grep -r . ${dataDir}`,
    `find ${dataDir} -name '*secret*' -exec cat {} +`,
    `cd ${parent} && cat ${name}/keys/session-secret`,
    `sed -n 'r ${dataDir}/keys/session-secret' /etc/hostname`,
    `tar c ${dataDir} | strings`,
    `cat /proc/${process.pid}/environ`,
    "ps auxeww",
    `strings ${dataDir}/belay.db`,
    `find ${parent} -maxdepth 3 -path '*${name}*' -name 'session*' | while read -r f; do cat "$f"; done`,
    `mapfile -t L < <(find ${dataDir} -name '*-*'); cat "\${L[@]}"`,
    `x=(${parent}/${name.slice(0, -2)}*/keys/*); cat "\${x[3]}" "\${x[2]}"`,
    `cat "$(realpath ${parent})/${name}/keys/session-secret"`,
    `tar -C ${parent} -cf - ${name}/keys | strings`,
  ];

  const told = [];
  for (const [index, command] of spellings.entries()) told.push(await attack(`reader-${index}`, [{ command }]));

  expect(spellings.filter((_, index) => told[index]?.includes(secret) || told[index]?.includes(control))).toEqual([]);
});

test("S8 a connection to the control socket has no identity by itself", async () => {
  const { gateway } = await openTarget();
  const post = (path: string, input: object) =>
    new Promise<number>((resolve, reject) => {
      const outgoing = request(
        {
          socketPath: join(gateway.dataDir, "control.sock"),
          path,
          method: "POST",
          headers: { "content-type": "application/json" },
        },
        (incoming) => resolve(incoming.resume().statusCode ?? 0),
      );
      outgoing.on("error", reject).end(JSON.stringify(input));
    });

  const statuses = await Promise.all([
    post("/approvals.decide", { id: "apr-0000000000000000", decision: "approve" }),
    post("/policy.save", { text: "{}", basedOn: "default" }),
    post("/people.add", { email: "eve@belay.test", name: "Eve", role: "admin", password: "correct horse battery" }),
    post("/agents.add", { name: "eve" }),
    post("/mcp?agent=tester", {}),
  ]);

  expect(statuses).toEqual([401, 401, 401, 401, 401]);
});
