import type { FileEffect } from "../../../language/commands/invocation.ts";
import { type Field, field, stream, TAINT } from "../../../language/state/values.ts";
import { baseName, withoutTrailingSlashes } from "../../../language/words/paths.ts";
import { hasOption, type OptionSpec, optionValues, type ParsedOptions, parseOptions } from "../../options.ts";
import { append, copies, type FindEffects, read, TRANSFER_OPTIONS, write, writesOption } from "../effect-parts.ts";

export const curl: FindEffects = (_shell, args) => {
  const parsed = parseOptions(args, CURL_OPTIONS);
  const network = stream(null, TAINT.network);
  const urls = parsed.operands.filter(({ text }) => /^(https?|ftp|file):|\./.test(text));
  const named = hasOption(parsed, "-O", "--remote-name")
    ? urls.map((url) => write(field(urlFile(url.text), url.taint), network))
    : [];
  const uploads = [...optionValues(parsed, "-T", "--upload-file"), ...filesInData(parsed)];
  return [
    ...optionValues(parsed, "-o", "--output", "-D", "--dump-header", "-c", "--cookie-jar")
      .filter(isFile)
      .map((path) => write(path, network)),
    ...named,
    ...optionValues(parsed, "-w", "--write-out").flatMap(outputFiles),
    ...uploads.map(read),
  ];
};

/** `-w '%output{file}text'` writes the text to that file, `%output{>>file}` appends it. */
function outputFiles({ text, taint }: Field): FileEffect[] {
  return [...text.matchAll(/%output\{(?:>>)?([^}]*)\}/g)].map(([, path = ""]) =>
    append(field(path, taint), stream(null)),
  );
}

const CURL_OPTIONS: OptionSpec = {
  short: "AbcCdDeEFhHIKmoPQrtTuUwxXyYz",
  long: "output upload-file data data-binary data-raw data-urlencode data-ascii form header request user user-agent cookie cookie-jar config dump-header netrc-file cert key proxy url referer max-time connect-timeout retry write-out resolve json form-string".split(
    " ",
  ),
};

/** `@file` in curl's data. */
function filesInData(parsed: ParsedOptions): Field[] {
  const data = optionValues(
    parsed,
    "-d",
    "--data",
    "--data-binary",
    "--data-ascii",
    "--data-urlencode",
    "-F",
    "--form",
    "--json",
    "-b",
    "--cookie",
    "-H",
    "--header",
  );
  return data.flatMap((value) => {
    const path = /(?:^|=)?[@<]([^;]+)/.exec(value.text)?.[1];
    return path === undefined || path === "-" ? [] : [field(path, value.taint)];
  });
}

function isFile(path: Field): boolean {
  return path.text !== "-" && path.text !== "/dev/stdout";
}

export function urlFile(url: string): string {
  return baseName(url.replace(/[?#].*$/, "")) || "index.html";
}

export const wget: FindEffects = (_shell, args) => {
  const parsed = parseOptions(args, {
    short: "OPoaeUtTwQiBDAR",
    long: [
      "output-document",
      "directory-prefix",
      "output-file",
      "header",
      "post-data",
      "post-file",
      "body-file",
      "user-agent",
      "tries",
      "timeout",
    ],
  });
  const network = stream(null, TAINT.network);
  const named = optionValues(parsed, "-O", "--output-document");
  const prefix = optionValues(parsed, "-P", "--directory-prefix")[0];
  const saved =
    named.length > 0
      ? named.filter(isFile)
      : parsed.operands.map((url) =>
          field(prefix ? `${prefix.text}/${urlFile(url.text)}` : urlFile(url.text), url.taint),
        );
  return [
    ...saved.map((path) => write(path, network)),
    ...optionValues(parsed, "--post-file", "--body-file", "-i").map(read),
    ...optionValues(parsed, "-o", "-a").map((path) => append(path, stream(null))),
  ];
};

export const transfer: FindEffects = (shell, args) => {
  const { sources, writes } = copies(args, shell, TRANSFER_OPTIONS);
  const isRemote = (path: Field) => /^[^/]*:/.test(path.text);
  const fromAfar = sources.some(isRemote) ? TAINT.network : 0;
  const target = writes[0]?.path;
  // `scp host:dir/x .` creates `./x`, and a folder brings all of its contents.
  const brought = sources.filter(isRemote).flatMap(({ text }) => {
    const name = baseName(text.slice(text.indexOf(":") + 1));
    if (target === undefined || isRemote(target)) return [];
    const into = withoutTrailingSlashes(target.text);
    return [`${into}/${name}`, `${into}/${name}/`, ...(text.endsWith("/") ? [`${into}/`] : [])].map((path) =>
      write(field(path, target.taint), stream(null, TAINT.network)),
    );
  });
  return [
    ...brought,
    ...sources.filter((path) => !isRemote(path)).map(read),
    ...writes
      .filter(({ path }) => !isRemote(path))
      .map((effect) => ({ ...effect, content: stream(null, fromAfar | (effect.content?.taint ?? 0)) })),
  ];
};

const named = writesOption(["-o", "--out"]);

export const aria2c: FindEffects = (shell, args, stdin) =>
  named(shell, args, stdin).map((effect) => {
    const content = stream(null, TAINT.network);
    if (effect.type === "write") return { ...effect, content };
    return write(field(urlFile(effect.path.text), effect.path.taint), content);
  });
