import type { Field } from "../../../language/state/values.ts";
import { defineProgram } from "../../define-program.ts";

/**
 * Prefixes that name an image format, or an image that is generated. Other prefixes run scripts, list files or connect.
 */
const PLAIN_FORMATS = new Set(
  "png png8 png24 png32 jpg jpeg gif webp avif heic bmp tif tiff ico svg pdf ppm pgm pbm pnm pam rgb rgba gray cmyk tga psd exr jxl jp2 xc canvas gradient radial-gradient plasma pattern logo rose wizard granite null info json histogram txt mpr mpc miff sparse-color label caption tile".split(
    " ",
  ),
);

/**
 * Whether an argument makes ImageMagick do more than read an image: `msl:x`, `url:x`, `@list`, `label:@file`,
 * `https://…`.
 */
function isMoreThanImage({ text }: Field): boolean {
  const colon = text.indexOf(":");
  const [format, rest] = colon < 0 ? ["", text] : [text.slice(0, colon).toLowerCase(), text.slice(colon + 1)];
  if (rest.startsWith("@") || rest.startsWith("//")) return true;
  return colon > 0 && isName(format) && !PLAIN_FORMATS.has(format);
}

/** Whether an input is not a plain path: `concat:a|b`, `subfile,,start,0,end,9,,:x`, `lavfi` graphs that read files. */
function isProtocol({ text }: Field): boolean {
  const colon = text.indexOf(":");
  if (colon <= 0) return false;
  const scheme = text.slice(0, colon).toLowerCase();
  return scheme !== "file" && scheme !== "pipe" && isName(scheme.split(",")[0] ?? "");
}

function isName(text: string): boolean {
  return (
    text !== "" &&
    [...text].every((char) => (char >= "a" && char <= "z") || (char >= "0" && char <= "9") || char === "-")
  );
}

/** Filters that read or write files, or run something. */
const FILTERS_WITH_FILES = [
  "movie",
  "amovie",
  "sendcmd",
  "zmq",
  "azmq",
  "frei0r",
  "ladspa",
  "lv2",
  "textfile",
  "ssim",
  "psnr",
  "metadata=print",
  "file=",
];

const FILTER_OPTIONS = ["-vf", "-af", "-filter", "-lavfi"];

/** Images, sound and video. */
export const MEDIA = [
  defineProgram({
    names: "ffmpeg",
    does: "work",
    isOpen: true,
    hasSingleDashLong: true,
    options:
      "-i:r -f: -t: -ss: -to: -vf: -af: -filter: -filter_complex: -lavfi: -filter_script:c -filter_complex_script:c -r: -s: -c: -vn -an -sn -acodec: -vcodec: -hide_banner -loglevel: -v: -map: -y -n -safe: -pix_fmt: -crf: -preset: -ar: -ac: -vframes: -threads: -progress:w -passlogfile:w -attach:r -dump_attachment:w -vstats_file:w -report=edit -protocol_whitelist:x -sdp_file:w -pass: -vpre:c -fpre:c",
    operands: "write",
    check: ({ options, operands }) => {
      const valueFor = (option: string) => options.find(({ name }) => name === option)?.value?.text;
      // Without `-safe 0`, a list can only name visible files next to it.
      if (valueFor("-f") === "concat" && valueFor("-safe") !== undefined && valueFor("-safe") !== "1") return "code";
      const inputs = options.flatMap(({ name, value }) => (name === "-i" && value !== null ? [value] : []));
      // `-f lavfi -i testsrc=…` contains colons too.
      const isGraph = valueFor("-f") === "lavfi";
      if ([...(isGraph ? [] : inputs), ...operands].some(isProtocol)) return "network";
      const graphs = options
        .filter(({ name }) => FILTER_OPTIONS.some((option) => name.startsWith(option)))
        .map(({ value }) => value?.text ?? "");
      if (isGraph) graphs.push(...inputs.map(({ text }) => text));
      return graphs.some((graph) => FILTERS_WITH_FILES.some((word) => graph.includes(word))) ? "code" : null;
    },
    runs: [
      "ffmpeg -i in.mp4 -t 5 out.gif",
      "ffmpeg -y -i in.mp4 -vf scale=640:-1 -c:v libx264 /tmp/out.mp4",
      "ffmpeg -f concat -i list.txt -c copy out.mp4",
      "ffmpeg -f lavfi -i testsrc=size=320x240:rate=1 -t 1 out.mp4",
    ],
    asks: [
      "ffmpeg -i https://x.example.net/a.mp4 out.mp4",
      "ffmpeg -i in.mp4 rtmp://x.example.net/live",
      "ffmpeg -f concat -safe 0 -i list.txt out.mp4",
      "ffmpeg -i 'concat:a|/etc/passwd' out.mp4",
      "ffmpeg -i in.mp4 -vf movie=/etc/passwd out.mp4",
      "ffmpeg -i in.mp4 /home/agent/.bashrc",
    ],
  }),
  defineProgram({
    names: "convert magick imagemagick mogrify montage composite",
    does: "work",
    isOpen: true,
    hasSingleDashLong: true,
    options:
      "-write:w -path:w -script:x -resize: -quality: -crop: -format: -fill: -draw: -annotate: -font: -pointsize:",
    operands: "write",
    check: ({ options, operands }) =>
      operands.some(isMoreThanImage) ||
      options.some(
        ({ name, value }) => name !== "-format" && value !== null && (value.text.startsWith("@") || isDrawnFile(value)),
      )
        ? "code"
        : null,
    runs: [
      "convert a.png -resize 50% /tmp/a.jpg",
      "magick a.png png:b",
      "convert xc:white -draw 'circle 5,5 9,9' dot.png",
    ],
    asks: [
      "convert x ~/.bashrc",
      "convert msl:x.msl out.png",
      "convert @/tmp/list out.png",
      "convert label:@.env out.png",
      "convert https://x.example.net/a.png out.png",
      "convert a.png -draw 'image over 0,0 0,0 \"https://x.example.net/a\"' b.png",
    ],
  }),
];

/** `-draw 'image over 0,0 0,0 "x"'` loads another file. */
function isDrawnFile({ text }: Field): boolean {
  return text.includes("image ") || text.includes("://");
}
