import { WebLinksAddon } from "@xterm/addon-web-links";
import type { ILinkHandler, Terminal } from "@xterm/xterm";

/** Links in a program's output: only to http and https, and without access to this page (`noopener`). */
export function addWebLinks(terminal: Terminal): void {
  terminal.loadAddon(new WebLinksAddon((_event, address) => openAddress(address)));
}

/** Links whose text hides their address (OSC 8): the address is shown before opening it. */
export const linkHandler: ILinkHandler = {
  activate: (_event, address) => {
    if (isWebAddress(address) && window.confirm(`This leads to ${address}\n\nOpen it?`)) openAddress(address);
  },
  allowNonHttpProtocols: false,
};

export function isWebAddress(address: string): boolean {
  const url = URL.parse(address);
  return url !== null && (url.protocol === "http:" || url.protocol === "https:");
}

function openAddress(address: string): void {
  if (isWebAddress(address)) window.open(address, "_blank", "noopener,noreferrer");
}
