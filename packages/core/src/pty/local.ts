import { findProgram } from "../shell/shells.ts";
import { withoutInheritedDescriptors } from "./launcher.ts";
import { openNodePty } from "./node-pty.ts";
import type { Provider } from "./providers.ts";

/** Programs run on this machine, as the user that Belay runs as, with nothing in between. */
export const localProvider: Provider = {
  name: "local",
  openPty: (options, events) => {
    const bashPath = process.platform === "linux" ? findProgram("bash", "/bin:/usr/bin:/usr/local/bin") : null;
    const argv =
      bashPath === null
        ? options.argv
        : withoutInheritedDescriptors(options.argv, { bashPath, limits: options.limits });
    return openNodePty({ ...options, argv }, events);
  },
};
