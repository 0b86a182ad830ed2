import { type Field, HOLE, TAINT } from "../../../language/state/values.ts";
import { type Effect, isStronger, type ProgramUse, type UsedOption } from "../../define-program.ts";
import { has, valuesOf } from "../use.ts";
import { isLocalAddress, isOnThisMachine } from "./local-address.ts";
import { type ServiceRequest, serviceEffect } from "./local-services.ts";

const isUrl = ({ text }: Field) => text !== "" && !text.startsWith("-");

/** A request that goes only to this machine is local; any other needs a person. */
export function requestEffect(use: ProgramUse): Effect | null {
  const { operands, options } = use;
  const urls = [
    ...operands.filter(isUrl),
    ...options.filter(({ name }) => name === "--url").flatMap(({ value }) => value ?? []),
  ];
  const socket = options.some(({ name }) => name === "--unix-socket" || name === "--abstract-unix-socket");
  // It sends this user's credentials or a file, or a settings file decides what it does.
  if (options.some(({ does }) => does === "network" || does === "publish")) return "publish";
  const isQuestion = options.some(({ name }) => /^(-V|-h|--manual|-M)$/.test(name));
  if (urls.length === 0) return isQuestion ? "read" : "network";
  // `curl -h category`: what follows is a kind of options.
  if (options.some(({ name }) => name === "-h") && urls.every(({ text }) => /^[a-z]+$/.test(text))) return "read";
  const sockets = options.filter(({ name }) => name === "--unix-socket").flatMap(({ value }) => value ?? []);
  if (sockets.some((path) => isOfService(path.text))) return "destroy";
  const request = { method: methodOf(use), bodies: valuesOf(use, ...BODIES) };
  const onlyAsks = /^(?:GET|HEAD)$/i.test(request.method) && !options.some(isSending);
  const addresses = urls.map((url) => (onlyAsks && hasOuterPort(url) ? url.text.replace(HOLE, "3000") : url.text));
  const onService = strongestOn(
    addresses.map((address) => ({ ...request, address })).filter(({ address }) => isOnThisMachine(address)),
  );
  if (onService !== null) return onService;
  // The text of such an address is sent as it stands, to a server that may take it as a command.
  if (urls.some(({ text }) => SENDS_TEXT.test(text))) return "destroy";
  if (socket || addresses.every(isLocalAddress)) return "local";
  if (urls.some(({ text }) => /^file:/i.test(text) || METADATA.test(text))) return "secret";
  return options.some(isSending) ? "publish" : "network";
}

/**
 * `localhost:$PORT/health`: a port that comes from the environment or from the project's settings, and not from the
 * agent. Text from elsewhere may hold another host: `80@example.com`.
 */
function hasOuterPort({ text, taint }: Field): boolean {
  const [before = "", after = "", ...more] = text.split(HOLE);
  return (
    taint === TAINT.unset &&
    more.length === 0 &&
    /^(?:https?:\/\/)?(?:localhost|127\.0\.0\.1):$/.test(before) &&
    /^(?:\/|$)/.test(after)
  );
}

/** What is sent: inline, or after `@` the name of a file. */
const BODIES = "-d --data --data-ascii --data-binary --data-raw --data-urlencode --json --post-data --body-data".split(
  " ",
);

function methodOf(use: ProgramUse): string {
  const given = valuesOf(use, "-X", "--request", "--method").at(-1);
  if (given !== undefined) return given;
  if (has(use, "-G", "--get")) return "GET";
  if (has(use, "-T", "--upload-file")) return "PUT";
  return use.options.some(isSending) ? "POST" : "GET";
}

function strongestOn(requests: readonly ServiceRequest[]): Effect | null {
  return requests
    .map(serviceEffect)
    .reduce((worst, one) => (one !== null && (worst === null || isStronger(one, worst)) ? one : worst), null);
}

/** Services that control the machine or all of its containers, by words in the paths of their sockets. */
const SERVICES: ReadonlySet<string> = new Set(
  "docker dockerd containerd podman libpod crio cri buildkit buildkitd snapd dbus systemd lxd incus libvirt multipass tailscaled kubelet polkit".split(
    " ",
  ),
);

function isOfService(path: string): boolean {
  return path
    .toLowerCase()
    .split(/[/._-]/)
    .some((word) => SERVICES.has(word));
}

const SENDS_TEXT = /^(?:gopher|dict):\/\//i;

/** Cloud metadata addresses, which return credentials. */
const METADATA =
  /^(?:https?:\/\/)?(?:169\.254\.169\.25[34]|169\.254\.170\.(?:2|23)|169\.254\.42\.42|100\.100\.100\.200|192\.0\.0\.192|168\.63\.129\.16|0x0*a9fea9fe|2852039166|0*25177524776|(?:0x0*a9|0*251|169)\.(?:0x0*fe|0*376|254)\.(?:(?:0x0*a9|0*251|169)\.(?:0x0*fe|0*376|254)|43518|0xa9fe)|instance-data(?:\.ec2\.internal)?|metadata(?:\.(?:google|azure)(?:\.internal)?|\.tencentyun\.com|\.platformequinix\.com|\.oraclecloud\.com)?|\[(?:fd00:ec2::254|fd20:ce::254|::ffff:(?:169\.254\.169\.254|a9fe:a9fe))\])\.?(?:[:/]|$)/i;

/** A request with a body, or with a method that changes something. */
function isSending({ name, value }: UsedOption): boolean {
  if (/^(-X|--request|--method)$/.test(name)) return !/^(GET|HEAD|OPTIONS)$/i.test(value?.text ?? "");
  return /^(-d|-F|-T|--data(-\w+)?|--json|--form(-string)?|--upload-file|--post-(data|file)|--body-(data|file)|--mail-from)$/.test(
    name,
  );
}
