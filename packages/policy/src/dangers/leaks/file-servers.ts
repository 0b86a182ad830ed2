import type { JudgeContext } from "../../context.ts";
import type { Invocation } from "../../language/commands/invocation.ts";
import { resolvePath } from "../../language/words/paths.ts";
import { isTemporary } from "../paths/danger-paths.ts";
import { isProjectPath } from "../paths/project-paths.ts";
import { asks } from "../rule.ts";

const SERVERS: readonly string[] =
  "http.server SimpleHTTPServer serve http-server live-server servor httpd twistd twist caddy darkhttpd miniserve webfsd thttpd mini_httpd dufs static-web-server simple-http-server lighttpd nginx filebrowser copyparty gossa algernon".split(
    " ",
  );

/** Programs that serve every file below a folder: the one that is named, or the current one. */
export const FILE_SERVERS = [
  asks({
    id: "outside-workspace",
    level: "dangerous",
    reason: "Serves a folder outside the workspace, with everything in it.",
    programs: SERVERS,
    fires: (invocation, context) => servedFolders(invocation).some((path) => isOutside(path, invocation, context)),
  }),
  asks({
    id: "publishes",
    level: "dangerous",
    reason: "Serves a folder to other machines.",
    programs: [...SERVERS, "php"],
    fires: ({ program, args }) =>
      // Any other use of PHP with an address is an application of the project.
      (program !== "php" || args.some(({ text }) => text.startsWith("-S"))) &&
      args.some(({ text }, at) => isOpenAddress(text, args[at - 1]?.text ?? "")),
  }),
];

/** `--bind 0.0.0.0`, `-l tcp://0.0.0.0:80`, `--host=::`: every address of this machine, or one that is not its own loop. */
function isOpenAddress(text: string, before: string): boolean {
  const [name = "", attached] = text.startsWith("-") ? text.split("=", 2) : [before, text];
  const value = (attached ?? "").replace(/^\w+:\/\//, "");
  if (/^\[?::\]?(?::\d+)?$|^0(?:\.0)*(?::\d+)?$|^\*(?::\d+)?$/.test(value))
    return /[.:*]/.test(value) || BINDS.test(name);
  return BINDS.test(name) && /^\d+(?:\.\d+){3}(?::\d+)?$/.test(value) && !value.startsWith("127.");
}

const BINDS = /^(?:-[abilH]|--?(?:bind|host|hostname|address|addr|listen|interfaces?|listen-address))$/;

/** Every argument that may be a folder; if there is none, the current folder. */
function servedFolders({ program, args, cwd }: Invocation): readonly (string | null)[] {
  const named = args
    .map(({ text }) => text.replace(/^-[-\w]*=/, ""))
    .filter((text) => /^(?:\/|\.\.?(?:\/|$)|~)/.test(text));
  if (named.length > 0) return named.map((path) => resolvePath(path, cwd));
  // These two serve the folders in their configuration.
  return program === "nginx" || program === "lighttpd" ? [] : [cwd];
}

function isOutside(path: string | null, { cwd }: Invocation, context: JudgeContext): boolean {
  if (path === null) return true;
  return !isTemporary(`${path}/x`) && path !== context.workspace && !isProjectPath(path, cwd, context);
}
