import { openNodePty } from "./node-pty.ts";
import type { Provider } from "./providers.ts";

/** Programs run on this machine, as the user that Belay runs as, with nothing in between. */
export const localProvider: Provider = { name: "local", openPty: openNodePty };
