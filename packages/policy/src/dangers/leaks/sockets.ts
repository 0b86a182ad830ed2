import type { Invocation, ResolvedEffect } from "../../language/commands/invocation.ts";
import { isDatabasePort, isLocalAddress } from "../../programs/catalog/machine/local-address.ts";
import { asks, type Rule } from "../rule.ts";

const SOCKET = /^\/dev\/(?:tcp|udp)\/([^/]*)\/([^/]*)$/;

export const isSocketPath = (path: string): boolean => /^\/dev\/(?:tcp|udp)\//.test(path);

/** Connections that the shell itself opens, through the names that it gives to them. */
export const SOCKETS: readonly Rule[] = [
  asks({
    id: "network",
    level: "dangerous",
    reason: "Sends data to another machine, or to a database.",
    needsEffects: true,
    fires: (invocation) => sockets(invocation).some((effect) => isSending(effect) && !isHarmlessTarget(effect)),
  }),
  asks({
    id: "network",
    level: "unknown",
    reason: "Opens a network connection.",
    needsEffects: true,
    fires: (invocation) =>
      sockets(invocation).some((effect) => !(isProbe(effect, invocation) && isLocalAddress(addressOf(effect)))),
  }),
];

function sockets({ effects }: Invocation): ResolvedEffect[] {
  return effects.filter(({ path }) => isSocketPath(path.text));
}

/** `(echo > /dev/tcp/localhost/3000)`, `: < /dev/tcp/localhost/3000`: whether anything listens there. */
function isProbe(effect: ResolvedEffect, { program }: Invocation): boolean {
  return effect.type === "read" ? /^(?::|true)$/.test(program) : effect.content?.text?.trim() === "";
}

function isSending({ type, content }: ResolvedEffect): boolean {
  return type !== "read" && content?.text?.trim() !== "" && content !== undefined;
}

function isHarmlessTarget(effect: ResolvedEffect): boolean {
  const [, , port = ""] = SOCKET.exec(effect.path.text) ?? [];
  return isLocalAddress(addressOf(effect)) && !isDatabasePort(port);
}

function addressOf({ path }: ResolvedEffect): string {
  const [, host = "", port = ""] = SOCKET.exec(path.text) ?? [];
  return `${host}:${port}`;
}
