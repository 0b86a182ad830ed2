import { existsSync } from "node:fs";
import type { Wall } from "./wall.ts";

/** Version managers look in the home folder, which is another one behind a wall, unless a variable says otherwise. */
const WHERE: Readonly<Record<string, string>> = {
  RUSTUP_HOME: "/.rustup",
  PYENV_ROOT: "/.pyenv",
  RBENV_ROOT: "/.rbenv",
  NVM_DIR: "/.nvm",
  FNM_DIR: "/.fnm",
  VOLTA_HOME: "/.volta",
  ASDF_DATA_DIR: "/.asdf",
  MISE_DATA_DIR: "/.local/share/mise",
};

/** Points to the tool chains that the wall exposes, read-only. Caches and installations go to the agent's own home. */
export function toolChainEnv({ readable }: Pick<Wall, "readable">): Record<string, string> {
  return Object.fromEntries(
    Object.entries(WHERE).flatMap(([name, end]) => {
      const path = readable.find((one) => one.endsWith(end));
      return path !== undefined && existsSync(path) ? [[name, path]] : [];
    }),
  );
}
