import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { constants } from "node:fs";
import { chmod, chown, lstat, mkdir, open, readdir, rm, rmdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import type { TerminalId } from "@belay/protocol";
import { removeTree } from "../remove-tree.ts";
import type { Script } from "../shell/typing/typist.ts";
import { shortHash } from "../short-hash.ts";
import { type Account, asAccount } from "../walls/account.ts";

/** More than any list of variables takes. */
const MAX_READ_BYTES = 4 * 1024 * 1024;

/**
 * The folder for the generated files of one terminal: its start-up files, and texts that its shell runs or writes.
 *
 * A terminal that runs as another user has its folder outside of the data folder, which that user may not enter. Belay
 * is root then, so it never follows what that user can put in its way: the user may read the folder and write only in a
 * part of it, which is read without following links and removed by the user itself.
 */
export class TerminalFolder {
  readonly path: string;
  readonly #account: Account | null;

  constructor({ dataDir, id, account }: { dataDir: string; id: TerminalId; account: Account | null }) {
    this.path = account ? join(accountsDirOf(dataDir), id) : join(dataDir, id);
    this.#account = account;
  }

  /** Where the shell itself may write. */
  get own(): string {
    return this.#account ? join(this.path, "own") : this.path;
  }

  async create(): Promise<void> {
    if (!this.#account) return;
    const { uid, gid } = this.#account;
    await this.#make();
    await chown(this.path, 0, gid);
    await mkdir(this.own, { mode: 0o700 });
    await chown(this.own, uid, gid);
  }

  /** The parent may be removed between the two steps, with the last folder of another terminal. */
  async #make(tries = 5): Promise<void> {
    await mkdir(dirname(this.path), { recursive: true, mode: 0o711 });
    try {
      await mkdir(this.path, { mode: 0o750 });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOENT" || tries === 0) throw error;
      await this.#make(tries - 1);
    }
  }

  /** Writes a file that the terminal's user can read. */
  async write(name: string, text: string): Promise<string> {
    const path = join(this.path, name);
    await mkdir(dirname(path), { recursive: true, mode: this.#account ? 0o750 : 0o700 });
    await writeFile(path, text, { mode: 0o600 });
    if (!this.#account) return path;
    for (const made of [path, dirname(path)]) await chown(made, 0, this.#account.gid);
    await chmod(path, 0o640);
    return path;
  }

  async writeScript(text: string): Promise<Script> {
    const path = await this.write(newName(), `${text}\n`);
    return { path, remove: () => rm(path, { force: true }) };
  }

  /** A path for a file that the shell writes. */
  newPath(): string {
    return join(this.own, newName());
  }

  /** Reads a file that the shell wrote, and removes it. */
  async take(path: string): Promise<string> {
    const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      const found = await file.stat();
      const owner = this.#account?.uid ?? process.getuid?.() ?? found.uid;
      if (!found.isFile() || found.uid !== owner || found.size > MAX_READ_BYTES) {
        throw new Error(`${path} is not what the shell was to write.`);
      }
      return await file.readFile("utf8");
    } finally {
      await file.close();
      await rm(path, { force: true });
    }
  }

  async remove(): Promise<void> {
    if (this.#account) await removeAs(this.own, this.#account);
    await removeTree(this.path);
    if (this.#account) await removeIfEmpty(dirname(this.path));
  }
}

/** Removes the folders that a killed host left behind. */
export async function removeAccountFolders(dataDir: string): Promise<void> {
  const parent = accountsDirOf(dataDir);
  for (const id of await readdir(parent).catch(() => [])) {
    const own = join(parent, id, "own");
    const found = await lstat(own).catch(() => null);
    if (found) await removeAs(own, { name: "", home: "", uid: found.uid, gid: found.gid });
    await removeTree(join(parent, id)).catch(() => {}); // no new terminal has its name
  }
  await removeIfEmpty(parent);
}

/** Another terminal may still have its folder there. */
async function removeIfEmpty(folder: string): Promise<void> {
  await rmdir(folder).catch(() => {});
}

/** Folders of terminals that run as other users: only root writes there, and all users may pass through. */
function accountsDirOf(dataDir: string): string {
  return `/run/belay-${shortHash(dataDir)}`;
}

/** Runs as the user: if root removed the folder, a link that is put there meanwhile could make it delete anything. */
async function removeAs(folder: string, account: Account): Promise<void> {
  const [program, ...args] = asAccount(["/bin/rm", "-rf", "--", folder], account);
  // The folder itself stays, because its parent does not belong to the user.
  await promisify(execFile)(program, args).catch(() => {});
}

function newName(): string {
  return `command-${randomBytes(6).toString("hex")}`;
}
