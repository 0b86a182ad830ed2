import { defineProgram } from "../../define-program.ts";
import { placesIn } from "../../effects/places.ts";
import { CLUSTER_OPTIONS } from "./kubernetes.ts";

/** Packages for Kubernetes. */
export const HELM = [
  defineProgram({
    names: "helm",
    does: "publish",
    options: `${CLUSTER_OPTIONS} --kube-context: --kube-apiserver:h --kube-token:=change --kube-ca-file:h --kube-insecure-skip-tls-verify?h --debug --burst-limit: --qps: --registry-config:c --repository-cache:w --repository-config:c`,
    verbs: {
      "list ls status history hist version env completion help verify": {
        does: "remote",
        operands: "value",
        options:
          "-a -A -o: -q -m: -f: -l: -d -r --all --all-namespaces --output: --deployed --failed --filter: --max: --offset: --pending --superseded --uninstalled --uninstalling --selector: --short --date --reverse --time-format: --no-headers --revision: --show-desc --show-resources --client -c --template: --keyring:r --no-descriptions",
      },
      get: {
        does: "remote",
        operands: "value",
        options: "-o: -a --all --output: --revision: --template:",
        verbs: {
          "notes hooks metadata": { does: "remote", operands: "value" },
          // A manifest includes the chart's secrets.
          "all values manifest": { does: "secret", operands: "value" },
        },
      },
      "show inspect": {
        does: "remote",
        operands: "value",
        options: "--version: --devel --jsonpath: --repo:h --verify --untardir:w",
        verbs: { "all chart crds readme values": { does: "remote", operands: "value" } },
      },
      // A plugin that tests charts without a cluster.
      unittest: {
        does: "work",
        operands: "read",
        options: "-f: -q -s -u -v:r --file: --strict --color --output-file:w --output-type: --with-subchart?",
      },
      "template lint": {
        does: "work",
        operands: "read",
        options:
          "-f:r -s: -g -a: -n: --values:r --set: --set-string: --set-file:r --set-json: --set-literal: --show-only: --include-crds --skip-crds --skip-tests --no-hooks --version: --devel --name-template: --namespace: --validate --kube-version: --api-versions: --output-dir:w --strict --with-subcharts --quiet --release-name --is-upgrade --dependency-update=change --post-renderer:x --repo:h --dry-run? --debug --atomic --timeout: --generate-name --skip-schema-validation --create-namespace --wait",
      },
      // A plugin that compares with the cluster.
      diff: {
        does: "remote",
        operands: "value",
        isOpen: true,
        options: "-f:r --values:r --set: --set-string: --post-renderer:x --show-secrets=secret --repo:h",
        verbs: {
          "upgrade release revision rollback version": {
            does: "remote",
            operands: "value",
            isOpen: true,
            check: ({ operands }) =>
              operands.some((operand) => placesIn(operand).addresses.length > 0) ? "network" : null,
          },
        },
      },
      search: {
        does: "remote",
        operands: "value",
        verbs: {
          "hub repo": {
            does: "remote",
            operands: "value",
            options:
              "-o: -l -r --output: --version: --versions --devel --regexp --max-col-width: --list-repo-url --endpoint:h --fail-on-no-result",
          },
        },
      },
      "dependency dep dependencies": {
        does: "change",
        operands: "value",
        verbs: {
          "list ls": { does: "read", operands: "read", options: "--max-col-width:" },
          build: { does: "restore", operands: "read" },
        },
      },
      repo: {
        does: "change",
        operands: "value",
        isOpen: true,
        verbs: { "list ls": { does: "read", options: "-o: --output:" } },
      },
      plugin: { does: "install", operands: "value", isOpen: true, verbs: { "list ls": "read" } },
      registry: { does: "change", operands: "value", isOpen: true },
      "install upgrade rollback test push package pull fetch create": {
        does: "publish",
        operands: "value",
        isOpen: true,
      },
      "uninstall delete del un": { does: "destroy", operands: "value", isOpen: true },
    },
    runs: [
      "helm list -A",
      "helm template app charts/app",
      "helm lint ./c",
      "helm show values x/y",
      "helm --kube-context dev list",
      "helm diff upgrade api charts/api -n prod",
    ],
    asks: [
      "helm diff upgrade api charts/api --show-secrets",
      "helm upgrade --install app charts/app",
      "helm uninstall x",
      "helm uninstall x --help=false",
      "helm get values x",
      "helm get manifest x",
      "helm repo add a https://x",
      "helm template --post-renderer ./x a b",
      "helm template . --set-file a=.env",
      "helm template https://x.example.net/c.tgz",
    ],
  }),
];
