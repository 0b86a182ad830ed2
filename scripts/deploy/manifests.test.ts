import { existsSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";

// The files with which others start Belay name its settings, ports, paths and users. Each must exist here.
const root = new URL("../../", import.meta.url);
const read = (path: string) => readFileSync(new URL(path, root), "utf8");
const all = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map((match) => match[1] as string);

const COMPOSE = ["compose.yaml", "compose.cluster.yaml"];
const KUBERNETES = "deploy/kubernetes/belay.yaml";
const dockerfile = read("Dockerfile");
const settings = new Set(all(read("apps/agent-gateway/src/env.ts"), /^ {2}(BELAY_[A-Z_]+):/gm));
const isSetting = (name: string) => settings.has(name) || settings.has(name.replace(/_FILE$/, ""));

describe.each(COMPOSE)("%s", (file) => {
  const text = read(file);
  const mounted = all(text, /\.\/(deploy\/[\w./-]+):/g);

  test("G1 every setting of a container is one of Belay's, or read by a file that is mounted", () => {
    const readThere = new Set(mounted.flatMap((path) => all(read(path), /\$\{?(BELAY_[A-Z_]+)/g)));
    const named = all(text, /^ +(BELAY_[A-Z_]+):/gm);

    expect(named.length).toBeGreaterThan(0);
    expect(named.filter((name) => !isSetting(name) && !readThere.has(name))).toEqual([]);
  });

  test("G1 every file that is mounted is there, and every folder of the image is the image's", () => {
    expect(mounted.filter((path) => !existsSync(new URL(path, root)))).toEqual([]);
    const volumes = all(text, /"?(?:data|workspace)(?:-\d)?\}?:(\/\w+)"?/g);
    expect(new Set(volumes)).toEqual(new Set(["/data", "/workspace"]));
    expect(dockerfile).toContain('VOLUME ["/data", "/workspace"]');
  });

  test("G1 gateways are reached at the port that they listen on", () => {
    const ports = all(text, /(?:gateway-\d|belay):(\d{4})\b/g);
    expect(ports.filter((port) => port !== defaultPort())).toEqual([]);
  });
});

describe(KUBERNETES, () => {
  const text = read(KUBERNETES);

  test("G1 every setting is one of Belay's, and is used if it is not", () => {
    const named = all(text, /- name: ([A-Z_]+)/g);
    const used = (name: string) => isSetting(name) || text.includes(`$(${name})`);
    expect(named.length).toBeGreaterThan(0);
    expect(named.filter((name) => !used(name))).toEqual([]);
  });

  test("G1 what a value refers to is set before it", () => {
    for (const name of all(text, /value: .*\$\(([A-Z_]+)\)/g))
      expect(text.indexOf(`- name: ${name}`)).toBeLessThan(text.indexOf(`$(${name})`, text.indexOf("StatefulSet")));
  });

  test("G1 every key of the secret is made by the command above", () => {
    const made = new Set(all(text, /--from-literal=([a-z-]+)=/g));
    const keys = new Set(all(text, /secretKeyRef: \{ name: belay, key: ([a-z-]+)/g));
    expect(keys).toEqual(made);
  });

  test("G1 probes ask what Belay answers, at its port", () => {
    const routes = read("apps/agent-gateway/src/doors/http/health-routes.ts");
    const probes = all(text, /httpGet: \{ path: (\/\w+)/g);
    expect(probes).toEqual(["/healthz", "/readyz"]);
    for (const path of probes) expect(routes).toContain(`app.get("${path}"`);
    const ports = all(text, /(?:containerPort|targetPort|port): (7\d{3})/g);
    expect(new Set(ports)).toEqual(new Set([defaultPort()]));
    expect(dockerfile).toContain(`EXPOSE ${defaultPort()}`);
  });

  test("G1 it runs as the image's user, with the image's folders", () => {
    const [user] = all(dockerfile, /^USER (\d+):/gm);
    for (const name of ["runAsUser", "runAsGroup", "fsGroup"]) expect(text).toContain(`${name}: ${user}`);
    expect(all(text, /mountPath: (\/\w+)/g)).toEqual(["/data", "/workspace"]);
  });

  test("G1 services select pods that exist, and gateways reach each other by the service of their set", () => {
    const labels = new Set(all(text, /labels: \{ app: ([\w-]+)/g));
    expect(all(text, /selector: \{ app: ([\w-]+)/g).filter((app) => !labels.has(app))).toEqual([]);
    const [service] = all(text, /serviceName: (\w+)/g);
    expect(text).toMatch(new RegExp(`kind: Service\\nmetadata:\\n {2}name: ${service}\\n`));
    expect(text).toContain(`http://$(BELAY_GATEWAY_NAME).${service}:${defaultPort()}`);
  });
});

test("G1 Caddy asks whether a gateway is ready where Belay says so", () => {
  expect(read("deploy/caddy/Caddyfile.cluster")).toContain("health_uri /readyz");
});

function defaultPort(): string {
  return all(read("apps/agent-gateway/src/env.ts"), /BELAY_PORT:.*default\((\d+)\)/g)[0] ?? "";
}
