import { defineProgram } from "../../define-program.ts";

/** Programs whose words sound like work on the project, and that send it to a service: `fossa analyze`, `koji build`. */
export const SENDERS = [
  defineProgram({
    names: "fossa koji fedpkg copr copr-cli arc jib bodhi osc duplicity",
    does: "publish",
    isOpen: true,
    operands: "value",
    runs: ["fossa --version"],
    asks: ["fossa analyze", "koji build f40 x.src.rpm", "arc diff", "jib build --target=example.com/x"],
  }),
];
