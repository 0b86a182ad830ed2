import { defineProgram, type Effect } from "../../define-program.ts";
import { CLOUD_OPTIONS } from "./cloud-options.ts";

/** Verbs of gcloud that only read, and first words of more of them. */
const GCLOUD_READS =
  /^(?:(?:list|describe|get|search|analyze|check|wait|query|lint|troubleshoot)(?:-[\w-]+)?|read|tail|info|version|help|topic|diff|validate|test-iam-permissions|ls|du|hash|stat|stream-logs|monitor|show|cheat-sheet|operations-list|status|simulate|explain)$/;
/** Verbs of gcloud that begin with `get` and return something to log in with. */
const GCLOUD_SECRETS =
  /^(?:get|generate|reset)-(?:[\w-]+-)?(?:key-string|auth-string|password|token|tokens|access-token)$/;
const GCLOUD_WRITES =
  /^(?:create|update|set|add|deploy|start|stop|enable|disable|patch|export|import|clone|restore|promote|resize|move|execute|run|call|submit|undelete|publish|pull|ack|write|sign|attach|detach|activate|rollback|cancel|suspend|resume|restart|failover|abandon|rolling-action|ssh|scp|browse|replace|migrate|install|upgrade|login|revoke|register|unregister|bind|grant|connect|link|unlink|seek|predict|snapshot|diagnose|(?:set|add|remove|update|create|delete|attach|detach|recreate|reset|move|mark|bulk|rolling|start|stop|enable|disable)-[\w-]+)$/;
const GCLOUD_DESTROYS = /^(?:delete|rm|remove|reset|kill|destroy)(?:-[\w-]+)?$/;

function gcloudEffect(words: readonly string[]): Effect | null {
  const all = words.filter((word) => !/^(alpha|beta|preview)$/.test(word));
  const [first = "", second = "", third = ""] = all;
  if (first === "" || /^(info|version|help|topic|cheat-sheet|feedback)$/.test(first)) return "read";
  if (first === "auth")
    return /^(list|describe)$/.test(second)
      ? "remote"
      : /^print-/.test(second) || (second === "application-default" && /^print-/.test(third))
        ? "secret"
        : "change";
  if (first === "config") {
    if (second === "config-helper") return "secret";
    if (/^(list|get-value|get|configurations)$/.test(second))
      return second !== "configurations" || /^(list|describe)$/.test(third) ? "read" : "change";
    return "change";
  }
  if (first === "secrets")
    return all.includes("access")
      ? "secret"
      : all.some((word) => /^(list|describe|get-iam-policy)$/.test(word))
        ? "remote"
        : "publish";
  if (all.includes("ssh") || all.includes("connect-to-serial-port") || all.includes("start-iap-tunnel"))
    return "publish";
  if (first === "container" && all.includes("get-credentials")) return "change";
  if (first === "kms" && /^(decrypt|encrypt|asymmetric-sign|mac-sign|raw-decrypt)$/.test(second)) return "secret";
  if (all.includes("keys") && first === "iam" && all.includes("create")) return "secret";
  if (all.some((word) => GCLOUD_SECRETS.test(word))) return "secret";
  if (first === "builds" && second === "log") return "remote";
  if (first === "storage" && (second === "cat" || second === "cp" || second === "mv" || second === "rsync"))
    return "publish";
  if (first === "policy-troubleshoot") return "remote";
  const verb = all
    .slice(1)
    .find((word) => GCLOUD_READS.test(word) || GCLOUD_DESTROYS.test(word) || GCLOUD_WRITES.test(word));
  // A group alone prints its help. Otherwise one of the words is a verb.
  if (verb === undefined) return second === "" ? null : "publish";
  if (GCLOUD_DESTROYS.test(verb)) return "destroy";
  return GCLOUD_READS.test(verb) ? "remote" : "publish";
}

export const GCLOUD = defineProgram({
  names: "gcloud",
  does: "remote",
  isOpen: true,
  optionsTakeValues: true,
  options: `${CLOUD_OPTIONS} --secret:`,
  operands: "value",
  wraps: { skip: 99, code: ["--command"], effect: "remote", isOpaque: true },
  hasShortHelp: true,
  verbEffect: gcloudEffect,
  runs: [
    "gcloud config list",
    "gcloud compute instances list",
    "gcloud --project=p run services describe s",
    "gcloud projects get-iam-policy p",
    "gcloud compute os-login describe-profile",
    "gcloud pubsub topics list-snapshots t",
    "gcloud app instances list --version v3",
    "gcloud secrets versions describe 3 --secret api",
    "gcloud sql instances create -h",
  ],
  asks: [
    "gcloud auth print-access-token",
    "gcloud compute instances delete x",
    "gcloud secrets versions access latest --secret=x",
    "gcloud config set project x",
    "gcloud compute ssh x",
    "gcloud pubsub subscriptions seek x",
    "gcloud redis instances get-auth-string i",
    "gcloud compute disks snapshot d",
    "gcloud app deploy app.yaml --version v3",
    "gcloud kms asymmetric-decrypt --key k --version 1 --ciphertext-file c --plaintext-file p",
    "gcloud dataproc clusters diagnose c",
    "gcloud compute instances simulate-maintenance-event x",
  ],
});
