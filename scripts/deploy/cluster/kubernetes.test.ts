import { readFileSync } from "node:fs";
import { Deployment, StatefulSet } from "kubernetes-models/apps/v1";
import { Service } from "kubernetes-models/v1";
import { describe, expect, test } from "vitest";
import { parseAllDocuments } from "yaml";

const FILE = new URL("../../../deploy/kubernetes/belay.yaml", import.meta.url);
const KINDS = { Deployment, Service, StatefulSet };

interface Manifest {
  kind: keyof typeof KINDS;
  metadata: { name: string };
}

const manifests = parseAllDocuments(readFileSync(FILE, "utf8")).map((document) => document.toJS() as Manifest);

// No cluster is started here: this is what the API's own schema says about the file.
describe.each(manifests.map((manifest) => [`${manifest.kind} ${manifest.metadata.name}`, manifest] as const))(
  "the Kubernetes %s",
  (_, manifest) => {
    test("G1 G7 has the form that the API requires", () => {
      expect(problemOf(manifest)).toBeNull();
    });

    test("G1 G7 has no field that the API does not know", () => {
      // The schema ignores unknown fields. A known one is noticed as soon as its value is of the wrong type.
      const unknown = pathsIn(manifest).filter((path) => problemOf(withNonsense(manifest, path)) === null);
      expect(unknown).toEqual([]);
    });
  },
);

type Path = (string | number)[];

function problemOf(manifest: Manifest): string | null {
  const Kind = KINDS[manifest.kind] as unknown as new (data: Manifest) => { validate(): void };
  try {
    new Kind(manifest).validate();
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}

/** Every field below `value`, except the two that say what it is. */
function pathsIn(value: unknown, above: Path = []): Path[] {
  if (value === null || typeof value !== "object") return [];
  return Object.entries(value)
    .filter(([name]) => above.length > 0 || (name !== "kind" && name !== "apiVersion"))
    .flatMap(([name, inside]) => [[...above, name], ...pathsIn(inside, [...above, name])]);
}

function withNonsense(manifest: Manifest, path: Path): Manifest {
  const copy = structuredClone(manifest);
  const parent = path
    .slice(0, -1)
    .reduce<Record<string, unknown>>(
      (value, name) => value[name] as Record<string, unknown>,
      copy as unknown as Record<string, unknown>,
    );
  const last = path.at(-1) as string;
  const isPlain = parent[last] === null || typeof parent[last] !== "object";
  parent[last] = isPlain ? { nonsense: { nonsense: true } } : "nonsense";
  return copy;
}
