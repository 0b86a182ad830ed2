import { chownSync } from "node:fs";
import { CoreError } from "../errors.ts";
import { findProgram } from "../shell/shells.ts";
import { asAccountWithEnv } from "../walls/account.ts";
import { carriedEnv } from "./carried-env.ts";
import { withoutInheritedDescriptors } from "./launcher.ts";
import { openNodePty } from "./node-pty.ts";
import type { Provider } from "./providers.ts";

/** Runs programs directly on this machine, as Belay's user or as another one. */
export const localProvider: Provider = {
  name: "local",
  openPty: ({ account, ...options }, events) => {
    const bashPath = process.platform === "linux" ? findProgram("bash", "/bin:/usr/bin:/usr/local/bin") : null;
    if (account && bashPath === null) {
      throw new CoreError("spawn-failed", "Another user for terminals needs Linux and bash. Nothing was started.");
    }
    const argv = account ? asAccountWithEnv(options.argv, account) : options.argv;
    const pty = openNodePty(
      {
        ...options,
        // The launcher runs as root until it becomes that user.
        ...(account && { env: carriedEnv(options.env) }),
        argv: bashPath === null ? argv : withoutInheritedDescriptors(argv, { bashPath, limits: options.limits }),
      },
      events,
    );
    // Programs that open their terminal by its path need permission.
    if (account && pty.device !== null) chownSync(pty.device, account.uid, -1);
    return pty;
  },
};
