import { defineProgram, type Effect, type ProgramUse } from "../../define-program.ts";
import { has } from "../use.ts";
import { CLOUD_OPTIONS } from "./cloud-options.ts";

const AZ_READS =
  /^(?:list|show|get|exists|query|version|find|(?:list|show|get|check)-.+|check|peek|tail|query-by-.+|what-if|validate|history|summarize|export-template)$/;
/** Verbs that print a value to log in with. */
const AZ_SECRETS =
  /^(?:(?:list|show|get|generate)-(?:[\w-]+-)?(?:keys?|secrets?|tokens?|credentials?|connection-strings?|passwords?|sas|kubeconfig|cd-url|publishing-profiles)|connection-string)$/;
/** Things that are listed with their values. A key vault lists only names. */
const AZ_KEYS =
  /^(?:keys?|admin-key|query-key|shared-keys?|api-?keys?|secrets?|auth-?keys?|test-endpoint|storage-account)$/;
/** Identities of devices and policies of hubs, which are shown with their keys. */
const AZ_DEVICES = /^(?:device-identity|module-identity|policy|hub-authorization-rule)$/;

function azEffect(words: readonly string[]): Effect | null {
  const [first = "", second = ""] = words;
  if (first === "") return "read";
  if (/^(version|find|feedback|help)$/.test(first)) return "read";
  if (
    /^(login|logout|configure|upgrade|interactive|init|extension|cloud|cache|rest|config|self-test|ssh|bicep)$/.test(
      first,
    )
  ) {
    if (first === "rest" || first === "ssh" || first === "interactive") return "publish";
    if (first === "configure") return "change";
    return /^(list|list-available|show|get|list-versions|version|list-clouds)$/.test(second) ||
      (first === "config" && second === "get")
      ? "remote"
      : "change";
  }
  // The verb is the last word before the options. A word after them is an operand.
  const verb = words.findLast((word) => AZ_READS.test(word) || AZ_SECRETS.test(word) || AZ_WRITES.test(word)) ?? "";
  if (first === "account" && verb === "get-access-token") return "secret";
  if (words.includes("keyvault") && words.includes("secret") && /^(show|download|backup)$/.test(verb)) return "secret";
  if (
    /^(list|show)$/.test(verb) &&
    words.some((word) => AZ_KEYS.test(word)) &&
    first !== "keyvault" &&
    first !== "sshkey"
  )
    return "secret";
  if (first === "iot" && verb === "show" && words.some((word) => AZ_DEVICES.test(word))) return "secret";
  if (first === "group" && verb === "export") return "remote";
  if (words.includes("appsettings") && verb === "list") return "secret";
  if (words.includes("connection-string") && /^(list|show)$/.test(verb)) return "secret";
  if (words.includes("credential") && /^(show|list)$/.test(verb)) return "secret";
  if (AZ_SECRETS.test(verb)) return "secret";
  if (first === "devops" && second === "configure") return "change";
  // No group has such a name, so a word after it is one more value of an option: `--ids a list`.
  if (words.some((word) => AZ_DESTROYS.test(word))) return "destroy";
  if (words.some((word) => AZ_ACTS.test(word))) return "publish";
  if (
    AZ_READS.test(verb) ||
    ((words.includes("logs") || words.includes("log")) && /^(show|tail|logs)$/.test(words.at(-1) ?? "")) ||
    words.at(-1) === "logs"
  )
    return "remote";
  // A group alone prints its help. Otherwise one of the words is a verb.
  return second === "" ? null : "publish";
}

const AZ_DESTROYS = /^(?:delete|purge|stop|deallocate|remove|clear|reset|cancel|regenerate|.+-delete|delete-.+)$/;
const AZ_ACTS = /^(?:create|update|set|add|start|restart|upload|invoke|exec|assign|move|renew|rotate|restore)$/;
const AZ_WRITES =
  /^(create|delete|update|set|add|remove|start|stop|restart|deallocate|purge|recover|restore|upload|upload-batch|download|download-batch|copy|move|import|export|invoke|run|run-command|exec|attach|detach|enable|disable|assign|reset|regenerate|regenerate-keys|generalize|redeploy|resize|open-port|grant|revoke|approve|reject|queue|publish|deploy|up|browse|swap|sync|scale|upgrade|rotate|renew|cancel|clear|wait|login|logout|register|unregister|install|uninstall|build|apply|lock|unlock|failover|add-record|remove-record|deployment|config-zip|cordon|sas|snapshot|invite|tag|untag|move-to|link|unlink|bind|unbind|allow|deny|mount|start-.+|stop-.+|set-.+|update-.+|create-.+|delete-.+|add-.+|remove-.+|reset-.+|regenerate-.+|enable-.+|disable-.+)$/;

const onlyLists = ({ options }: ProgramUse): Effect | null =>
  options.every(({ name }) => /^(?:--list|--list-defaults|-l|--output|-o|--query|--scope)$/.test(name)) ? "read" : null;

export const AZ = defineProgram({
  names: "az",
  does: "remote",
  isOpen: true,
  optionsTakeValues: true,
  options: CLOUD_OPTIONS,
  operands: "value",
  hasShortHelp: true,
  verbEffect: azEffect,
  // Without these options it asks for the settings, or sets them.
  check: (use) =>
    use.operands.at(-1)?.text === "configure" && has(use, "--list", "--list-defaults", "-l") ? onlyLists(use) : null,
  runs: [
    "az account show",
    "az group list -o table",
    "az vm show -g g -n x",
    "az -o delete vm list",
    "az devops configure --list",
    "az ad group member check --group g --member-id m",
    "az disk create -h",
    "az consumption usage list",
  ],
  asks: [
    "az group delete -n x -y",
    "az account get-access-token",
    "az keyvault secret show --name x",
    "az vm create -n x",
    "az login",
    "az storage account keys list -n x",
    "az communication list-key -n x",
    "az devops configure --defaults project=p",
    "az apim nv show-secret --named-value-id x",
    "az network vpn-connection shared-key show -g g --connection-name c",
    "az iot hub device-identity show -n h -d d",
    "az webapp config storage-account list -g g -n a",
    "az monitor metrics alert rewrite -n a",
    "az vm delete --ids a list",
    "az disk update --ids a show",
  ],
});
