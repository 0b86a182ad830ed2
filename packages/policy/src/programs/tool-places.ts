import { isInside } from "../language/words/paths.ts";

/**
 * Where systems, version managers and installers put programs. Nothing is written there without a question, and as a
 * rule these folders are in `PATH`, so that the name alone would start the same program.
 */
const STANDARD_PLACES = /^(?:\/usr\/local|\/usr|\/opt\/homebrew)?\/s?bin\/[^/]+$/;

const TOOL_PLACES: readonly RegExp[] = [
  // `/usr/lib/postgresql/15/bin/psql`, `/opt/gradle/bin/gradle`, `/nix/store/…/bin/jq`
  /^\/(?:usr|opt|snap|nix|Library|home\/linuxbrew\/\.linuxbrew)\/(?:[^/]+\/)*(?:s?bin|libexec|shims)\/[^/]+$/,
  /^\/usr\/(?:share\/dotnet\/dotnet|lib\/git-core\/git[\w-]*)$/,
  /^\/Applications\/[^/]+\.app\/Contents\/(?:[^/]+\/)*(?:bin|MacOS)\/[^/]+$/,
  // Where images keep an environment of Python.
  /^\/\.?v?env\/bin\/[^/]+$/,
  // Hidden folders of the home, and the visible ones that installers create: `~/.local/share/uv/tools/x/bin/x`
  /^~\/(?:\.[^/]+|Library|go|flutter|google-cloud-sdk|Android|venv|(?:mini|ana)conda3|(?:mini|mamba)forge3?)\/(?:[^/]+\/)*(?:bin|shims|platform-tools)\/[^/]+$/,
  /^~\/(?:bin\/[^/]+|\.dotnet\/dotnet|\.local\/share\/pnpm\/pnpm)$/,
];

export function isStandardPlace(path: string): boolean {
  return STANDARD_PLACES.test(path);
}

/** In a project of another home, the tools of that home are at hand as well. */
export function isToolPlace(path: string, home: string, cwd: string | null): boolean {
  const other = /^\/(?:home|Users)\/[^/]+(?=\/)/.exec(cwd ?? "")?.[0];
  const own = [home, other].find((one) => one !== undefined && isInside(path, one));
  const fromHome = own === undefined ? path : `~${path.slice(own.length)}`;
  return !path.includes("/../") && TOOL_PLACES.some((place) => place.test(fromHome));
}
