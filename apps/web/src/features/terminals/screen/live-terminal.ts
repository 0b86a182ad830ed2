import type { TerminalId, TerminalInfo } from "@belay/protocol";
import { FitAddon } from "@xterm/addon-fit";
import type { WebglAddon } from "@xterm/addon-webgl";
import { Terminal } from "@xterm/xterm";
import { firstScreen } from "@/ui/later/first-screen.ts";
import { formatBytes } from "../overview/activity.ts";
import { socketUrl, takeEarlySocket } from "./early-socket.ts";
import { hardenEmulator } from "./harden-emulator.ts";
import { MARK_EVERY_BYTES, PositionMarks } from "./position-marks.ts";
import { addWebLinks, linkHandler } from "./safe-links.ts";
import { SCREEN_THEME } from "./screen-theme.ts";
import { TerminalSearch } from "./terminal-search.ts";
import { type ConnectionState, type PenRequest, TerminalStream, type Typing } from "./terminal-stream.ts";

export interface LiveTerminalHandlers {
  onTerminal(info: TerminalInfo, typing: Typing): void;
  onPenAsked(request: PenRequest): void;
  onConnection(state: ConnectionState): void;
  onExit(exitCode: number | null): void;
  /** What the terminal shows is drawn for the first time. */
  onPicture(): void;
  /** Null while the newest line is visible; otherwise the number of lines since. */
  onScrolledBack(newLines: number | null): void;
  /** One of the console's own shortcuts, pressed inside the terminal. */
  onShortcut(shortcut: "leave" | "search"): void;
}

const FONT_PX = 13;
/** Smaller is unreadable; then the terminal scrolls instead. */
const SMALLEST_FONT_PX = 9;

/** One terminal on the page: the emulator, and the stream that feeds it. */
export class LiveTerminal {
  readonly #terminal: Terminal;
  readonly #fit = new FitAddon();
  readonly search: TerminalSearch;
  readonly #marks: PositionMarks;
  readonly #stream: TerminalStream;
  readonly #observer: ResizeObserver;
  readonly #onPicture: () => void;
  /** Starts after the first paint in the final size: a canvas resized before that stays empty. */
  #webgl: WebglAddon | "planned" | "off" | null = null;
  /** What the terminal shows, on the page. */
  #picture: "none" | "due" | "drawn" = "none";
  #isHolder = false;
  #canType = false;
  /** This window has the pen, or is about to: after a reconnect it takes it again if it is free. */
  #wantsPen = false;
  /** The next key counts as pressed with Ctrl, for keyboards without one. */
  #isCtrlHeld = false;
  #onCtrlUsed = () => {};
  /** The last visible line when the person scrolled back. */
  #leftEndAt: number | null = null;
  /** Set while an earlier part is being fetched: its beginning stays visible as more output follows. */
  #isShowingStart = false;

  /** Waits for the font: a canvas does not resolve CSS variables, and mis-measures a font that is not loaded. */
  static async open(
    element: HTMLElement,
    options: { id: TerminalId; token: string | null; isForScreenReader: boolean },
    handlers: LiveTerminalHandlers,
  ): Promise<LiveTerminal> {
    const fontFamily = getComputedStyle(document.documentElement).getPropertyValue("--font-geist-mono") || "monospace";
    await document.fonts.load(`${FONT_PX}px ${fontFamily}`).catch(() => {});
    return new LiveTerminal(element, { ...options, fontFamily: `${fontFamily}, monospace` }, handlers);
  }

  private constructor(
    element: HTMLElement,
    options: { id: TerminalId; token: string | null; isForScreenReader: boolean; fontFamily: string },
    handlers: LiveTerminalHandlers,
  ) {
    const terminal = new Terminal({
      fontFamily: options.fontFamily,
      fontSize: FONT_PX,
      lineHeight: 1.25,
      scrollback: 10_000,
      cursorBlink: false,
      disableStdin: true,
      minimumContrastRatio: 4.5,
      theme: SCREEN_THEME,
      screenReaderMode: options.isForScreenReader,
      linkHandler,
      allowProposedApi: true,
    });
    this.#terminal = terminal;
    this.#onPicture = () => handlers.onPicture();
    hardenEmulator(terminal);
    this.#marks = new PositionMarks(terminal);
    terminal.loadAddon(this.#fit);
    this.search = new TerminalSearch(terminal);
    addWebLinks(terminal);
    terminal.open(element);
    this.#stream = this.#connect(options, handlers);
    // Reports that a program requests count as typing: only a window that may type answers them.
    terminal.onData((data) => this.#canType && this.#stream.type(this.#withCtrl(data)));
    terminal.attachCustomKeyEventHandler((event) => !isOwnShortcut(event, handlers));
    terminal.onScroll(() => this.#tellScrolled(handlers));
    terminal.onLineFeed(() => this.#leftEndAt !== null && this.#tellScrolled(handlers));
    // xterm reports only scrolling by programs; a person's wheel is a DOM event.
    element.addEventListener("scroll", () => this.#tellScrolled(handlers), true);
    element.addEventListener("wheel", () => requestAnimationFrame(() => this.#tellScrolled(handlers)), {
      passive: true,
    });
    terminal.onResize(({ cols, rows }) => this.#isHolder && this.#stream.resize(cols, rows));
    this.#observer = new ResizeObserver(() => this.#adapt());
    this.#observer.observe(element);
  }

  /** Sends a key that a phone's keyboard does not have. */
  press(keys: string): void {
    if (this.#canType) this.#stream.type(this.#withCtrl(keys));
    this.#terminal.focus();
  }

  /** The next key is combined with Ctrl; `onUsed` is called when it was. */
  holdCtrl(onUsed: () => void): void {
    this.#isCtrlHeld = true;
    this.#onCtrlUsed = onUsed;
    this.#terminal.focus();
  }

  /** Takes the pen as soon as possible: at once, or when the terminal has become a person's. */
  takePen(): void {
    this.#wantsPen = true;
    this.#stream.movePen("take");
  }

  askForPen(): void {
    this.#stream.movePen("ask");
  }

  givePen(to?: string): void {
    this.#wantsPen = false;
    this.#stream.movePen("give", to);
  }

  /** The selection, or the whole scrollback. */
  text(): string {
    const selected = this.#terminal.getSelection();
    if (selected !== "") return selected;
    this.#terminal.selectAll();
    const all = this.#terminal.getSelection();
    this.#terminal.clearSelection();
    return all.trimEnd();
  }

  /** Jumps to a byte of the output; fetches it again if it has left the scrollback. */
  goTo(position: number): void {
    const line = this.#marks.lineOf(position);
    if (line === null) {
      this.#isShowingStart = true;
      this.#stream.moveTo(position);
    } else this.#terminal.scrollToLine(line);
  }

  /** Back to the current screen. */
  goToEnd(): void {
    this.#isShowingStart = false;
    this.#terminal.scrollToBottom();
  }

  focus(): void {
    this.#terminal.focus();
  }

  close(): void {
    this.#webgl = "off";
    this.search.close();
    this.#observer.disconnect();
    this.#stream.stop();
    this.#terminal.dispose();
  }

  #connect({ id, token }: { id: TerminalId; token: string | null }, handlers: LiveTerminalHandlers): TerminalStream {
    const terminal = this.#terminal;
    return new TerminalStream({
      id,
      token,
      url: socketUrl(id),
      early: token === null ? takeEarlySocket(id) : null,
      sink: {
        write: (bytes, position) => this.#write(bytes, position),
        reset: (size) => {
          this.#marks.clear();
          terminal.reset();
          if (size) terminal.resize(size.cols, size.rows);
        },
        gap: (missed) => terminal.write(`\r\n\x1b[7m ${formatBytes(missed)} skipped \x1b[0m\r\n`),
        terminal: (info, typing) => {
          this.#setTyping(info, typing);
          handlers.onTerminal(info, typing);
        },
        penAsked: (request) => handlers.onPenAsked(request),
        exited: (exitCode) => handlers.onExit(exitCode),
        connection: (state) => handlers.onConnection(state),
      },
    });
  }

  #setTyping(info: TerminalInfo, { canType, pen }: Typing): void {
    const terminal = this.#terminal;
    const wasHolder = this.#isHolder;
    this.#isHolder = pen?.isYou === true;
    this.#canType = canType;
    if (pen !== null) this.#wantsPen = pen.isYou;
    else if (this.#wantsPen && canType) this.#stream.movePen("take");
    terminal.options.disableStdin = !canType;
    // A viewer sees the terminal in the size that the pen's holder gave it.
    if (!this.#isHolder) terminal.resize(info.cols, info.rows);
    if (this.#isHolder && !wasHolder) terminal.focus();
    this.#adapt();
  }

  /** With Ctrl held, a letter becomes its control character. */
  #withCtrl(keys: string): string {
    if (!this.#isCtrlHeld) return keys;
    this.#isCtrlHeld = false;
    this.#onCtrlUsed();
    return /^[a-zA-Z@[\\\]^_ ]$/.test(keys) ? String.fromCharCode(keys.toUpperCase().charCodeAt(0) & 0x1f) : keys;
  }

  #tellScrolled(handlers: LiveTerminalHandlers): void {
    const { viewportY, baseY, type } = this.#terminal.buffer.active;
    const isAtEnd = type === "alternate" || viewportY >= baseY;
    if (isAtEnd && this.#leftEndAt === null) return;
    this.#leftEndAt = isAtEnd ? null : (this.#leftEndAt ?? baseY);
    handlers.onScrolledBack(this.#leftEndAt === null ? null : baseY - this.#leftEndAt);
  }

  /** Writes in marked pieces, so that jumps can return to them. */
  async #write(bytes: Uint8Array, position: number | null): Promise<void> {
    await this.#writeMarked(bytes, position);
    if (this.#picture === "none") this.#awaitPicture();
  }

  #awaitPicture(): void {
    const terminal = this.#terminal;
    this.#picture = "due";
    const drawn = terminal.onRender(() => {
      drawn.dispose();
      this.#picture = "drawn";
      this.#adapt();
      this.#onPicture();
      firstScreen.after(() => this.search.load());
    });
    // What was written may look like what was drawn before.
    terminal.refresh(0, terminal.rows - 1);
  }

  #writeMarked(bytes: Uint8Array, position: number | null): Promise<void> {
    if (position === null) return new Promise((resolve) => this.#terminal.write(bytes, resolve));
    return new Promise((resolve) => {
      for (let start = 0; start < bytes.byteLength || start === 0; start += MARK_EVERY_BYTES) {
        const isLast = start + MARK_EVERY_BYTES >= bytes.byteLength;
        if (start === 0) this.#marks.note(position);
        this.#terminal.write(bytes.subarray(start, start + MARK_EVERY_BYTES), () => {
          this.#keepStart();
          if (isLast) resolve();
          else this.#marks.note(position + start + MARK_EVERY_BYTES);
        });
      }
    });
  }

  /** Once scrolled back, the emulator itself keeps its position. */
  #keepStart(): void {
    if (!this.#isShowingStart || this.#terminal.buffer.active.baseY === 0) return;
    this.#isShowingStart = false;
    this.#terminal.scrollToTop();
  }

  /** The pen's holder sets the terminal's size from the window; viewers scale the font instead. */
  #adapt(): void {
    const terminal = this.#terminal;
    if (this.#isHolder) {
      terminal.options.fontSize = FONT_PX;
      this.#fit.fit();
      this.#planWebgl();
      return;
    }
    const room = this.#fit.proposeDimensions();
    const fontSize = terminal.options.fontSize ?? FONT_PX;
    if (!room?.cols || !room.rows) return;
    const share = Math.min(room.cols / terminal.cols, room.rows / terminal.rows);
    const wanted = Math.min(FONT_PX, Math.floor(fontSize * share * 2) / 2);
    const fitting = Math.max(SMALLEST_FONT_PX, wanted);
    if (fitting !== fontSize) terminal.options.fontSize = fitting;
    // In some browsers a canvas larger than its window stays empty; the DOM renderer works.
    if (wanted < SMALLEST_FONT_PX) this.#stopWebgl();
    else this.#planWebgl();
  }

  #planWebgl(): void {
    if (this.#webgl !== null || this.#picture !== "drawn") return;
    this.#webgl = "planned";
    requestAnimationFrame(() => void this.#startWebgl());
  }

  /** Loads the renderer only now: it is as large as the emulator, and the first picture does not need it. */
  async #startWebgl(): Promise<void> {
    const loaded = await import("@xterm/addon-webgl").catch(() => null);
    if (this.#webgl !== "planned") return;
    this.#webgl = (loaded && drawWithWebgl(this.#terminal, loaded.WebglAddon)) ?? "off";
    this.#terminal.refresh(0, this.#terminal.rows - 1);
  }

  #stopWebgl(): void {
    if (this.#webgl !== null && typeof this.#webgl === "object") this.#webgl.dispose();
    this.#webgl = "off";
  }
}

function drawWithWebgl(terminal: Terminal, Addon: typeof WebglAddon): WebglAddon | null {
  try {
    const webgl = new Addon();
    webgl.onContextLoss(() => webgl.dispose());
    terminal.loadAddon(webgl);
    return webgl;
  } catch {
    return null; // no WebGL here: xterm falls back to the DOM renderer by itself
  }
}

/** Chords that no shell uses: leaving the terminal, the search, and the palette, which the frame opens. */
function isOwnShortcut(event: KeyboardEvent, handlers: LiveTerminalHandlers): boolean {
  if (!event.ctrlKey || !event.shiftKey || event.altKey || event.metaKey) return false;
  const key = event.key.toLowerCase();
  if (key === "k") return true;
  if (key !== "l" && key !== "f") return false;
  event.preventDefault();
  if (event.type === "keydown") handlers.onShortcut(key === "l" ? "leave" : "search");
  return true;
}
