import { z } from "zod";

const on = (description: string) => z.boolean().default(true).describe(description);

/**
 * Work that runs without approval. Switching a part off makes it ask again. Dangers, protected paths and a team's own
 * rules apply regardless.
 */
export const OrdinaryWork = z
  .strictObject({
    checks: on("Test runners, builds, linters, formatters and type checkers run in the workspace."),
    ownScripts: on(
      "Scripts and programs that lie in the workspace run; what this terminal wrote is judged by its text.",
    ),
    edits: on("Programs write, copy, move and edit files inside the workspace and in temporary folders."),
    deleteGenerated: on(
      "Generated folders such as dist and node_modules, scratch files and what this terminal wrote may be deleted.",
    ),
    lockedInstalls: on("Packages are installed as the lock file or the manifest of the project names them."),
    versionControl: on("Git fetches, commits, switches, rebases and stashes without losing work or publishing any."),
    localNetwork: on("Programs talk to servers on this machine, except to Belay itself."),
    remoteReads: on("Read verbs of clouds, forges and clusters run with the account that is signed in."),
    inlineCode: on(
      "Code written into the command runs if a bounded look shows that it only reads, computes and prints.",
    ),
    shellSetup: on("Shell options, virtual environments, harmless variables, functions and aliases are set."),
  })
  .prefault({});
export type OrdinaryWork = z.infer<typeof OrdinaryWork>;
