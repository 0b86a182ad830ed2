import type { Invocation } from "../language/commands/invocation.ts";
import { gitCommandSetting } from "../programs/command-options.ts";
import { commandWords } from "../programs/effects/command-words.ts";
import { asks } from "./rule.ts";

/**
 * Commands that change settings for all later commands: which programs run, where packages come from, or which account
 * and machine is used. They write protected files such as `~/.npmrc` and `~/.gitconfig`.
 */
export const LASTING_SETTINGS = [
  asks({
    id: "lasting-settings",
    level: "dangerous",
    reason:
      "Changes settings that later commands follow: which programs run, where packages come from, or which account is used.",
    programs: [
      ..."git npm pnpm yarn bun pip pip3 uv poetry pdm conda mamba micromamba bundle bundler gem go cargo composer".split(
        " ",
      ),
      ..."terraform tofu docker podman nerdctl aws gcloud az kubectl oc kubectx kubens helm gh glab kind minikube k3d doctl code code-insiders codium cursor windsurf".split(
        " ",
      ),
    ],
    fires: setsForLater,
  }),
];

const isAny = (text: string | undefined, ...words: readonly string[]) => text !== undefined && words.includes(text);

function setsForLater({ program, args }: Invocation): boolean {
  const words = args.map(({ text }) => text);
  // An option that is not in the table may or may not take the next word as its value. Both readings count.
  const readings = [commandWords(program, args), words.filter((text) => !text.startsWith("-"))];
  return readings.some((operands) => sets(program, operands, words));
}

function sets(program: string, operands: readonly string[], words: readonly string[]): boolean {
  const [first, second, third] = operands;
  switch (program) {
    case "git":
      // Later pushes and fetches go to what a remote's name stands for.
      return (
        (first === "config" && setsGitCommand(operands.slice(1), words)) ||
        (first === "remote" && isAny(second, "add", "set-url", "rename"))
      );
    case "npm":
    case "pnpm":
    case "yarn":
    case "bun":
      return (
        first === "set" || (isAny(first, "config", "c") && isAny(second, "set", "delete", "edit", "fix", "rm", "unset"))
      );
    case "pip":
    case "pip3":
      return first === "config" && isAny(second, "set", "unset", "edit");
    case "poetry":
    case "pdm":
      return (first === "config" && third !== undefined) || (first === "source" && isAny(second, "add", "remove"));
    case "conda":
    case "mamba":
    case "micromamba":
      return (
        first === "config" &&
        words.some((text) => isAny(text.split("=")[0], "--add", "--set", "--append", "--prepend", "--remove"))
      );
    case "bundle":
    case "bundler":
      return first === "config" && (isAny(second, "set", "unset") || third !== undefined);
    case "gem":
      return (
        first === "sources" &&
        words.some((text) => isAny(text.split("=")[0], "-a", "--add", "-r", "--remove", "-c", "--clear-all"))
      );
    case "go":
      return first === "env" && words.some((text) => isAny(text, "-w", "-u", "--w", "--u"));
    case "cargo":
      return isAny(first, "login", "logout");
    case "composer":
      return first === "config" && third !== undefined;
    case "docker":
    case "podman":
    case "nerdctl":
      // An image from a file can replace the one that `docker run app:dev` starts.
      return (
        (first === "context" && isAny(second, "use", "create", "update", "import", "rm")) ||
        isAny(first, "load", "import") ||
        (first === "image" && isAny(second, "load", "import"))
      );
    case "aws":
      return first === "configure" && isAny(second, "set", "import", "sso", "add-model");
    case "gcloud":
      return (
        (first === "config" &&
          (isAny(second, "set", "unset") || (second === "configurations" && isAny(third, "activate", "create")))) ||
        operands.includes("get-credentials")
      );
    case "az":
      return (
        (first === "config" && isAny(second, "set", "unset")) ||
        (first === "account" && second === "set") ||
        operands.includes("get-credentials")
      );
    case "terraform":
    case "tofu":
      // Providers are programs. Later runs load them from this folder.
      return (
        (first === "providers" && second === "mirror") || words.some((text) => isAny(text.split("=")[0], "-plugin-dir"))
      );
    case "kubectl":
    case "oc":
      return (
        first === "config" &&
        second !== undefined &&
        !isAny(second, "view", "current-context") &&
        !second.startsWith("get-")
      );
    case "kubectx":
    case "kubens":
      return operands.length > 0 || words.includes("-");
    case "helm":
      return (
        (first === "repo" && isAny(second, "add", "remove", "rm")) ||
        (first === "plugin" && isAny(second, "install", "update", "uninstall")) ||
        (first === "registry" && isAny(second, "login", "logout"))
      );
    case "gh":
    case "glab":
      return (
        (isAny(first, "config", "alias") && isAny(second, "set", "import", "delete", "clear-cache")) ||
        (isAny(first, "extension", "extensions", "ext") && isAny(second, "install", "upgrade", "remove", "exec")) ||
        (first === "auth" && isAny(second, "switch", "login", "logout", "refresh", "setup-git"))
      );
    case "kind":
      return first === "export" && second === "kubeconfig";
    case "minikube":
      return first === "update-context" || (first === "config" && isAny(second, "set", "unset"));
    case "k3d":
      return first === "kubeconfig" && isAny(second, "merge", "write");
    default:
      // Extensions run in the editor, outside Belay's terminals.
      return words.some((text) => isAny(text.split("=")[0], "--install-extension", "--add-mcp"));
  }
}

/**
 * Whether git config sets a key that names a program, an address or another settings file. A key without a value only
 * prints it.
 */
function setsGitCommand(operands: readonly string[], words: readonly string[]): boolean {
  if (
    words.some((text) =>
      isAny(text.split("=")[0], "-l", "--list", "--get", "--get-all", "--get-regexp", "--get-urlmatch"),
    )
  )
    return false;
  const [key, value] = isAny(operands[0], "set", "--add", "--replace-all") ? operands.slice(1) : operands;
  if (key === undefined || value === undefined || isAny(operands[0], "get", "list", "unset")) return false;
  const name = key.toLowerCase();
  const section = name.split(".")[0];
  return (
    gitCommandSetting(key) !== null ||
    isAny(section, "url", "include", "includeif", "credential", "http", "https", "protocol", "safe") ||
    name.endsWith(".proxy") ||
    name.endsWith(".url") ||
    name.endsWith(".pushurl")
  );
}
