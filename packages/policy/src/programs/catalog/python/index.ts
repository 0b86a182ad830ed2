import { CHECKS } from "./checks.ts";
import { DATA } from "./data.ts";
import { ENVIRONMENTS } from "./environments.ts";
import { FRAMEWORKS } from "./frameworks.ts";
import { MODULES } from "./modules.ts";
import { PIP } from "./pip.ts";
import { PYTHON_ITSELF } from "./python.ts";
import { UV } from "./uv.ts";

/** Python: the interpreter, packages, tests and frameworks. */
export const PYTHON = [...PYTHON_ITSELF, ...MODULES, ...CHECKS, ...PIP, ...UV, ...ENVIRONMENTS, ...FRAMEWORKS, ...DATA];
