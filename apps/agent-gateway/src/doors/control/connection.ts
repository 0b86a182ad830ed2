import { Agent, type ClientRequest, request } from "node:http";
import { GatewayError } from "../../errors.ts";
import { CONTROL_TOKEN_HEADER } from "./control-token-header.ts";
import { PROCESS_HEADER } from "./process-header.ts";

/** Far longer than a working gateway needs to answer. */
const SILENT_MS = 5000;

export interface Credentials {
  email: string;
  password: string;
}

/** Who signed in, and whether the next command in this terminal will be recognised. */
export interface SignInReply {
  name: string;
  email: string;
  role: string;
  isRemembered: boolean;
}

/** One connection to the control socket, on which this process identifies itself. */
export class ControlConnection {
  readonly #path: string;
  readonly #controlToken: string | null;
  /** A single socket, because a proof is valid only on its own connection. */
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 });
  #isSignedIn = false;
  #last: Promise<unknown> = Promise.resolve();

  constructor(path: string, controlToken: string | null) {
    this.#path = path;
    this.#controlToken = controlToken;
  }

  get isSignedIn(): boolean {
    return this.#isSignedIn;
  }

  /** Whether a gateway is there; throws `gateway-silent` if one listens but does not answer. */
  async answers(): Promise<boolean> {
    const { outgoing, response } = this.#request("http://belay/gateway.me", {});
    outgoing.setTimeout(SILENT_MS, () => outgoing.destroy(silent(this.#path)));
    return (await response).ok;
  }

  /** The part of `fetch` that tRPC's link needs. */
  fetch(url: string, init: RequestInit): Promise<Response> {
    return this.#inTurn(async () => {
      await this.#proveProcess();
      return this.#send(url, init);
    });
  }

  async signIn(credentials: Credentials): Promise<SignInReply> {
    const response = await this.#post("http://belay/sign-in", credentials);
    const reply = (await response.json()) as SignInReply & { message: string };
    if (!response.ok) throw new Error(reply.message);
    this.#isSignedIn = true;
    return reply;
  }

  async signOut(): Promise<{ wasSignedIn: boolean }> {
    return (await this.#post("http://belay/sign-out", {})).json() as Promise<{ wasSignedIn: boolean }>;
  }

  close(): void {
    this.#agent.destroy();
  }

  #post(url: string, body: object): Promise<Response> {
    return this.fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
  }

  /** Sets this process's name to the gateway's challenge, which proves which process is connected. */
  async #proveProcess(): Promise<void> {
    const response = await this.#send("http://belay/challenge", {});
    if (response.ok) process.title = ((await response.json()) as { word: string }).word;
  }

  /** An answer may take long, for example to verify a long record, as long as the gateway answers other requests. */
  async #send(url: string, init: RequestInit): Promise<Response> {
    const { outgoing, response } = this.#request(url, init);
    const look = async () => {
      const other = new ControlConnection(this.#path, null);
      await other.answers().catch((error: Error) => outgoing.destroy(error));
      other.close();
    };
    const timer = setInterval(() => void look(), SILENT_MS);
    return response.finally(() => clearInterval(timer));
  }

  #request(url: string, init: RequestInit): { outgoing: ClientRequest; response: Promise<Response> } {
    const { pathname, search } = new URL(url);
    const outgoing = request({
      agent: this.#agent,
      socketPath: this.#path,
      path: pathname + search,
      method: init.method ?? "GET",
      headers: {
        ...Object.fromEntries(new Headers(init.headers)),
        [PROCESS_HEADER]: String(process.pid),
        ...(this.#controlToken === null ? {} : { [CONTROL_TOKEN_HEADER]: this.#controlToken }),
      },
    });
    const response = new Promise<Response>((resolve, reject) => {
      outgoing.on("error", reject);
      outgoing.on("response", (incoming) => {
        const chunks: Buffer[] = [];
        incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
        incoming.on("error", reject);
        incoming.on("end", () => resolve(new Response(Buffer.concat(chunks), { status: incoming.statusCode ?? 500 })));
      });
    });
    outgoing.end(typeof init.body === "string" ? init.body : undefined);
    return { outgoing, response };
  }

  #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.#last.then(work);
    this.#last = result.catch(() => {}); // the caller gets the error; the queue continues
    return result;
  }
}

function silent(path: string): GatewayError {
  return new GatewayError(
    "gateway-silent",
    `Belay listens on ${path} and does not answer. Its process may be stopped (kill -CONT resumes it) or hang: end it with kill -9 and start it again; running terminals survive.`,
  );
}
