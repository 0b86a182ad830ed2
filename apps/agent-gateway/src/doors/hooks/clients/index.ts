import type { HookClient } from "@belay/protocol";
import type { HookForm } from "../hook-form.ts";
import { claude, vscode } from "./claude.ts";
import { cline } from "./cline.ts";
import { codex } from "./codex.ts";
import { copilot } from "./copilot.ts";
import { cursor } from "./cursor.ts";
import { gemini } from "./gemini.ts";
import { opencode } from "./opencode.ts";
import { windsurf } from "./windsurf.ts";

/** The hook format of each client. */
export const HOOK_FORMS: Readonly<Record<HookClient, HookForm>> = {
  claude,
  codex,
  gemini,
  copilot,
  cursor,
  vscode,
  opencode,
  windsurf,
  cline,
};
