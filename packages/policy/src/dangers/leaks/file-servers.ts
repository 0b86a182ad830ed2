import type { JudgeContext } from "../../context.ts";
import type { Invocation } from "../../language/commands/invocation.ts";
import { resolvePath } from "../../language/words/paths.ts";
import { isTemporary } from "../paths/danger-paths.ts";
import { isProjectPath } from "../paths/project-paths.ts";
import { asks } from "../rule.ts";

/** Programs that serve every file below a folder: the one that is named, or the current one. */
export const FILE_SERVERS = [
  asks({
    id: "outside-workspace",
    level: "dangerous",
    reason: "Serves a folder outside the workspace, with everything in it.",
    programs: [
      "http.server",
      "SimpleHTTPServer",
      "serve",
      "http-server",
      "live-server",
      "servor",
      "httpd",
      "twistd",
      "twist",
      "caddy",
      "darkhttpd",
      "miniserve",
      "webfsd",
      "thttpd",
      "mini_httpd",
      "dufs",
      "static-web-server",
      "simple-http-server",
      "lighttpd",
      "nginx",
      "filebrowser",
      "copyparty",
      "gossa",
      "algernon",
    ],
    fires: (invocation, context) => servedFolders(invocation).some((path) => isOutside(path, invocation, context)),
  }),
];

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
