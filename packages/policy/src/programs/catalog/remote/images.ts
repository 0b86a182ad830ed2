import { defineProgram } from "../../define-program.ts";

/** Tools that look into images, copy them between registries or sign them. */
export const IMAGES = [
  defineProgram({
    names: "syft grype",
    does: "work",
    options:
      "-o: --output: --file:w -c:c --config:c -q -v --scope: --fail-on: --only-fixed --only-notfixed --exclude: --select-catalogers: --template:r -t:r --by-cve --add-cpes-if-none",
    operands: "value",
    verbs: {
      "version cataloger": "read",
      db: { does: "change", operands: "value", verbs: { "status list check": "read" } },
    },
    runs: ["syft . -o table", "grype dir:. -q"],
    asks: ["syft . --file ~/.bashrc", "grype dir:. -o json=/home/agent/x", "grype db delete"],
  }),
  defineProgram({
    names: "dive crane skopeo oras cosign trivy buildah lima limactl colima",
    does: "change",
    isOpen: true,
    operands: "value",
    verbs: {
      "ls list inspect manifest digest config catalog version validate status list-tags verify tree fs scan image repo":
        {
          does: "remote",
          operands: "value",
          options:
            "-o:w --output:w -f: --format: -c:c --config:c --server:h --cache-dir:w --template:r --db-repository:h",
        },
      "push copy cp sync append mutate tag delete sign attest start stop rm run exec shell login": {
        does: "publish",
        operands: "value",
      },
    },
    runs: ["crane digest alpine", "trivy fs .", "skopeo inspect docker://alpine"],
    asks: [
      "crane push x y",
      "cosign sign x",
      "skopeo copy a b",
      "trivy fs -o ~/.bashrc .",
      "trivy fs --server https://x.example.net .",
    ],
  }),
];
