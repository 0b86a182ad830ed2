import { isKnown } from "../../../language/state/values.ts";
import { defineProgram, type Effect, type ProgramUse } from "../../define-program.ts";
import { placesIn } from "../../effects/places.ts";
import { has, valuesOf } from "../use.ts";

export const CLUSTER_OPTIONS =
  "-n: --namespace: --context: --cluster: --user: --kubeconfig:c --as: --as-group: --as-uid: -s:h --server:h --token:=change --insecure-skip-tls-verify?h --request-timeout: -v: --v: --cache-dir:w --certificate-authority:h --client-certificate:r --client-key:r --tls-server-name: --match-server-version --disable-compression --log-flush-frequency: --profile: --profile-output:w --warnings-as-errors";

const SELECT =
  "-A -w -o: -l: -f:r -k:r -R -L: -q -c: -p --all-namespaces --watch --watch-only --output: --selector: --field-selector: --filename:r --kustomize:r --recursive --label-columns: --show-labels --show-kind --show-managed-fields? --sort-by: --template: --no-headers --ignore-not-found --chunk-size: --server-print --allow-missing-template-keys --subresource: --output-watch-events --show-events? --tail: --since: --since-time: --follow --previous --timestamps --all-containers? --all-pods --container: --prefix --max-log-requests: --limit-bytes: --ignore-errors --pod-running-timeout: --containers --use-protocol-buffers? --api-group: --namespaced? --verbs: --cached --categories: --client --short --recursive --api-version: --for: --timeout: --list --no-headers --subresource: --minify --flatten --merge? --raw? --all --revision: --concurrency: --prune --server-side --force-conflicts --field-manager: --types: --sum --nodes";

const SECRET_KINDS: ReadonlySet<string> = new Set(
  "secret secrets sealedsecret sealedsecrets externalsecret externalsecrets vaultstaticsecret vaultstaticsecrets kubeconfig".split(
    " ",
  ),
);

/** Reading a secret, by any name of the resource, prints it. An unknown word may name one. */
function readEffect({ operands, options, verb }: ProgramUse): Effect | null {
  const first = operands[0];
  // `pod/…` is at least no secret.
  const isUnknown = first !== undefined && !isKnown(first.text) && !/^[a-z]+\/./.test(first.text);
  if (isUnknown) return verb === "logs" ? null : "secret";
  // `pods,secrets.v1`, `secret/db`: the kinds of all resources that are named.
  const kinds = operands.flatMap(({ text }) =>
    text
      .toLowerCase()
      .split(",")
      .flatMap((name) => name.split(/[./]/)[0] ?? ""),
  );
  if (kinds.some((kind) => SECRET_KINDS.has(kind))) return "secret";
  if (options.some(({ value }) => /^https?:/i.test(value?.text ?? ""))) return "publish";
  // `kubectl kustomize https://…` fetches it.
  if (operands.some((operand) => placesIn(operand).addresses.length > 0)) return "network";
  const raw = options.find(({ name }) => name === "--raw");
  return raw === undefined || HEALTH.test((raw.value ?? first)?.text ?? "") ? null : "secret";
}

/** Server paths that report its health. */
const HEALTH = /^\/(?:healthz|readyz|livez|version)(?:\/[\w-]+)*(?:\?verbose)?$/;

/** `--dry-run=client -o yaml` only prints what would be sent. */
function applyEffect({ options }: ProgramUse): Effect | null {
  const dry = options.filter(({ name }) => name === "--dry-run");
  const isDry = dry.length > 0 && dry.every(({ value }) => value?.text === "client");
  const isPlain = options.every(({ value }) => !/^https?:/i.test(value?.text ?? ""));
  return isDry && isPlain ? "remote" : null;
}

export const KUBERNETES = [
  defineProgram({
    names: "kubectl oc k kubecolor",
    does: "publish",
    isOpen: false,
    options: CLUSTER_OPTIONS,
    verbs: {
      "get describe": { does: "remote", operands: "value", options: SELECT, check: readEffect },
      explain: { does: "remote", operands: "value", options: SELECT },
      "logs top version api-resources api-versions cluster-info events wait diff kustomize completion plugin options help projects-list":
        {
          does: "remote",
          operands: "value",
          options: `${SELECT} --output-directory:w=edit --namespaces: --enable-helm=code --helm-command:x --enable-exec=code --load-restrictor: --name-only -e:`,
          check: readEffect,
        },
      whoami: {
        does: "remote",
        operands: "value",
        options: `${SELECT} -t=secret --show-token=secret --show-console --show-server --show-context -c`,
      },
      auth: {
        does: "publish",
        operands: "value",
        verbs: { "can-i whoami": { does: "remote", operands: "value", options: SELECT }, reconcile: "publish" },
      },
      config: {
        does: "change",
        operands: "value",
        verbs: {
          "current-context get-contexts get-clusters get-users": { does: "read", operands: "value", options: SELECT },
          view: {
            does: "read",
            operands: "value",
            options: SELECT,
            check: ({ options }) =>
              options.some(({ name }) => name === "--raw" || name === "--flatten") ? "secret" : null,
          },
          "use-context set-context set set-cluster set-credentials unset rename-context delete-context delete-cluster delete-user use":
            { does: "change", operands: "value", isOpen: true },
        },
      },
      rollout: {
        does: "publish",
        operands: "value",
        isOpen: true,
        verbs: {
          "status history": { does: "remote", operands: "value", options: SELECT },
          "pause resume restart undo": "publish",
        },
      },
      "exec debug run rsh": {
        does: "publish",
        operands: "value",
        isOpen: true,
        options: "-c: -i -t -it --container: --image: --stdin --tty --rm --restart: --env:",
        wraps: { afterDashes: true, effect: "remote", isOpaque: true },
      },
      "apply create": {
        does: "publish",
        operands: "value",
        isOpen: true,
        options: `${SELECT} --dry-run?`,
        check: applyEffect,
        verbs: {
          "view-last-applied": { does: "remote", operands: "value", options: SELECT, check: readEffect },
          "secret token": { does: "secret", operands: "value", isOpen: true },
        },
      },
      "replace patch edit scale autoscale set label annotate expose cordon uncordon taint certificate attach port-forward proxy cp adm new-app rsync import start-build policy login project new-project":
        { does: "publish", operands: "value", isOpen: true },
      "delete drain": {
        does: "destroy",
        operands: "value",
        isOpen: true,
        options: `${SELECT} --dry-run?`,
        check: applyEffect,
      },
    },
    runs: [
      "kubectl get pods -A -o wide",
      "kubectl -n kube-system describe pod foo",
      "kubectl logs deploy/x --tail=100",
      "kubectl config current-context",
      "kubectl diff -f a.yaml",
      "kubectl rollout status deploy/x",
      "kubectl config view",
      "kubectl get --raw '/readyz?verbose'",
      "kubectl apply --dry-run=client -f k8s/ -o yaml",
      "kubectl apply view-last-applied deploy/web",
      "kubectl cluster-info dump --namespaces dev",
      "kubectl create deploy web --image=nginx --dry-run=client -o yaml",
    ],
    asks: [
      "kubectl get --raw /api/v1/secrets",
      "kubectl apply --dry-run=none -f k8s/",
      "kubectl create token default",
      "kubectl get pods,secrets.v1 -o yaml",
      "kubectl get po,externalsecrets",
      "kubectl delete pod foo",
      "kubectl get secret x -o yaml",
      "kubectl apply -f x",
      "kubectl exec -it x -- sh",
      "kubectl config view --raw",
      "kubectl --server=http://evil get pods",
      "kubectl get cm,secrets",
      "kubectl kustomize https://x.example.net/a",
      "kubectl get pods -o go-template-file=.env",
    ],
  }),
  // An interactive screen on which one key deletes a resource.
  defineProgram({
    names: "stern kubetail",
    does: "remote",
    isOpen: true,
    options:
      "-n: --namespace: -l: --selector: --tail: --since: -s: -c: --container: -e: --exclude: -i: --include: -o: --output: --template: -A --context: --kubeconfig:c --color: -t --timestamps?",
    operands: "value",
    runs: ["stern -n dev api --tail 20", "stern -l app=web --since 5m"],
    asks: ["stern --kubeconfig /tmp/x api"],
  }),
  defineProgram({
    names: "operator-sdk setup-envtest",
    does: "install",
    isOpen: true,
    options: "-i: --index-image: -o: --output: --bin-dir:w -p:",
    operands: "value",
    verbs: {
      "list version help": { does: "read", operands: "value" },
      "bundle scorecard": { does: "work", operands: "read", verbs: { validate: { does: "work", operands: "read" } } },
      "run cleanup olm": { does: "publish", operands: "value" },
    },
    runs: ["operator-sdk bundle validate ./bundle", "setup-envtest list"],
    asks: ["setup-envtest use 1.30", "operator-sdk run bundle x", "operator-sdk init"],
  }),
  defineProgram({
    names: "k9s",
    does: "publish",
    options: "-A -c: -n: --context: --namespace: --command: --readonly --kubeconfig:c",
    operands: "value",
    check: ({ operands }) => (/^(?:version|info|help)$/.test(operands[0]?.text ?? "") ? "read" : null),
    runs: ["k9s --version", "k9s version"],
    asks: ["k9s", "k9s -n prod"],
  }),
  defineProgram({
    names:
      "argocd flux istioctl linkerd kustomize kubectx kubens kind minikube k3d velero cmctl kubeseal skaffold tilt ko cilium hubble werf kops eksctl rancher nomad consul",
    does: "publish",
    isOpen: true,
    operands: "value",
    options:
      "-n: --namespace: --context: --kube-context: --kubeconfig:c -o: --output: --server:h --plugin:x --enable-exec=code --helm-command:x -A -l:",
    verbs: {
      // What happens to its own backups, schedules and restores is said by the second word.
      "backup schedule": {
        does: "publish",
        operands: "value",
        verbs: { "get describe logs": { does: "remote", operands: "value" }, delete: "destroy" },
      },
      "version list ls get status describe logs check analyze proxy-status ps profile-list tree events export stats members info catalog":
        {
          does: "remote",
          operands: "value",
          check: readEffect,
        },
      "render diagnose": {
        does: "work",
        operands: "value",
        options: "-o:w --output:w -f:c --filename:c -p: --profile:",
      },
      build: {
        does: "work",
        operands: "read",
        options: "-o:w --output:w --enable-alpha-plugins=code --enable-helm=code --load-restrictor: -L --local --push?",
        // Kustomize fetches a repository by its name, and ko pushes the images that it builds.
        check: (use) =>
          use.name === "skaffold" && has(use, "--push") && !valuesOf(use, "--push").includes("false")
            ? "publish"
            : use.name === "kustomize" &&
                use.operands.some(({ text }) => /^(?:(?:[\w-]+\.)+[a-z]{2,}\/|git@)/.test(text))
              ? "network"
              : use.name === "ko" && !has(use, "-L", "--local") && !valuesOf(use, "--push").includes("false")
                ? "publish"
                : null,
      },
      "app project cluster repo proj appset context job node namespace alloc deployment": {
        does: "publish",
        operands: "value",
        verbs: {
          "list ls get diff history logs manifests resources wait status inspect": {
            does: "remote",
            operands: "value",
          },
          "delete rm stop": "destroy",
        },
      },
      "delete uninstall stop rm destroy": { does: "destroy", operands: "value" },
      "login relogin account": "change",
    },
    runs: ["argocd app list", "kustomize build overlays/prod", "flux get all", "kind get clusters"],
    asks: [
      "kind get kubeconfig",
      "ko build ./cmd/x",
      "kustomize build --enable-alpha-plugins .",
      "kustomize build -o ~/.bashrc .",
      "kustomize build https://x.example.net/a",
      "kustomize build github.com/org/x",
      "argocd app delete x",
      "kind delete cluster",
      "flux reconcile x",
      "minikube delete",
    ],
  }),
];
