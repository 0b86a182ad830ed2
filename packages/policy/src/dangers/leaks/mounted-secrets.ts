import type { JudgeContext } from "../../context.ts";
import type { Invocation } from "../../language/commands/invocation.ts";
import { resolvePath } from "../../language/words/paths.ts";
import { mountedSources } from "../machine/container-rights.ts";
import { holdsSecrets, isSecretPath } from "../paths/secret-paths.ts";
import { asks } from "../rule.ts";

/** `docker run -v ~/.aws:/root/.aws image`: the image may be anyone's, and it has a network. */
export const MOUNTED_SECRETS = [
  asks({
    id: "sensitive-read",
    level: "dangerous",
    reason: "Lets a container read secrets.",
    programs: ["docker", "podman", "nerdctl", "docker-compose"],
    fires: mountsSecret,
  }),
];

function mountsSecret(invocation: Invocation, { home }: JudgeContext): boolean {
  return mountedSources(invocation).some((source) => {
    // Anything else is the name of a volume.
    if (!/^[./~]/.test(source)) return false;
    const path = resolvePath(source, invocation.cwd);
    return path !== null && (isSecretPath(path, home) || holdsSecrets(path, home));
  });
}
