import type { Terminal } from "@xterm/xterm";

/**
 * Makes the emulator safe to feed with any output.
 *
 * Some sequences run a loop as often as their parameter says, up to 2³¹ times: thirteen
 * bytes would hang the page. More than a screenful has no visible effect, so parameters are clamped. The public
 * API of the pinned emulator only hands out copies of the parameters, so this relies on
 * `_core`; the browser tests fail if that goes away.
 */
export function hardenEmulator(terminal: Terminal): void {
  const core = (terminal as unknown as { _core: EmulatorCore })._core;
  const capFirst = (id: CsiIdentifier, limit: () => number) =>
    core.registerCsiHandler(id, ({ params }) => {
      params[0] = Math.min(params[0] ?? 0, limit());
      return false;
    });
  for (const final of ["b", "I", "Z", "@", "P", "X"]) capFirst({ final }, () => terminal.cols);
  for (const final of ["L", "M", "S", "T"]) capFirst({ final }, () => terminal.rows);
  for (const final of ["@", "A"]) capFirst({ intermediates: " ", final }, () => terminal.cols);
  for (const final of ["}", "~"]) capFirst({ intermediates: "'", final }, () => terminal.cols);
  // OSC 52 would let a program read or fill the viewer's clipboard.
  terminal.parser.registerOscHandler(52, () => true);
}

interface CsiIdentifier {
  intermediates?: string;
  final: string;
}

interface EmulatorCore {
  registerCsiHandler(id: CsiIdentifier, handler: (parameters: { params: Int32Array }) => boolean): unknown;
}
