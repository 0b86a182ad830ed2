import { randomBytes } from "node:crypto";
import { CoreError } from "../../errors.ts";
import { GatewayClock } from "./gateway-clock.ts";
import {
  connectionName,
  GatewayProof,
  gatewayStatement,
  type MachineFacts,
  machineStatement,
  parseAs,
  SignedVerdict,
  Verdict,
  verdictStatement,
} from "./handshake-messages.ts";
import type { JoinToken } from "./join-token.ts";
import { type SigningKey, verifierOf } from "./keys.ts";

/** A slower answer leaves the gateway's time too uncertain. */
const SLOWEST_ANSWER_MS = 5_000;

interface Options {
  key: SigningKey;
  /** The only gateway that may send anything here. */
  gatewayKey: string;
  /** Set until the machine has joined for the first time. */
  token: JoinToken | null;
  facts: MachineFacts;
}

export interface ProvedGateway {
  connection: Buffer;
  clock: GatewayClock;
}

/** The machine's side of the handshake. Throws `join-refused` with a message for the person who sets up the machine. */
export class MachineHandshake {
  readonly #options: Options;
  readonly #nonce = randomBytes(32).toString("base64url");
  readonly #begunAt = performance.now();

  constructor(options: Options) {
    this.#options = options;
  }

  begin(): string {
    return JSON.stringify({ type: "begin", nonce: this.#nonce });
  }

  /** Checks that this is the pinned gateway, and answers with the machine's own proof. */
  prove(text: string): { answer: string; gateway: ProvedGateway } {
    const { key, gatewayKey, token, facts } = this.#options;
    const waitedMs = performance.now() - this.#begunAt;
    const proof = parseAs(GatewayProof, text);
    if (!proof) throw new CoreError("join-refused", "What answers at this address is not a Belay gateway.");
    const nonces = { machine: this.#nonce, gateway: proof.nonce };
    const isSigned = () =>
      verifierOf(gatewayKey)(gatewayStatement(nonces, proof.now), Buffer.from(proof.signature, "base64url"));
    if (proof.key !== gatewayKey || !isSigned()) {
      throw new CoreError(
        "join-refused",
        "What answers at this address is not the gateway that this machine joined: its key is another one. " +
          "Check the address. If the gateway was set up anew, remove this machine's data folder and join with a new token.",
      );
    }
    if (waitedMs > SLOWEST_ANSWER_MS) throw new CoreError("join-refused", "The gateway answered too slowly.");
    const keys = { gateway: gatewayKey, machine: key.publicKey };
    const statement = machineStatement(nonces, keys, facts);
    const answer = {
      type: "machine",
      key: key.publicKey,
      signature: key.sign(statement).toString("base64url"),
      ...(token && {
        token: { key: token.key.publicKey, signature: token.key.sign(statement).toString("base64url") },
      }),
      facts,
    };
    const gateway = { connection: connectionName(nonces, keys), clock: new GatewayClock(proof.now, waitedMs) };
    return { answer: JSON.stringify(answer), gateway };
  }

  verdict(text: string, { connection }: ProvedGateway): Verdict {
    const signed = parseAs(SignedVerdict, text);
    const isSigned =
      signed !== null &&
      verifierOf(this.#options.gatewayKey)(
        verdictStatement(connection, signed.verdict),
        Buffer.from(signed.signature, "base64url"),
      );
    const verdict = signed && isSigned ? parseAs(Verdict, signed.verdict) : null;
    if (!verdict) throw new CoreError("join-refused", "The gateway's answer cannot be read.");
    return verdict;
  }
}
