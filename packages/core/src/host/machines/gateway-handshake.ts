import { randomBytes } from "node:crypto";
import {
  Begin,
  connectionName,
  gatewayStatement,
  type MachineFacts,
  MachineProof,
  machineStatement,
  type Nonces,
  parseAs,
  type Verdict,
  verdictStatement,
} from "./handshake-messages.ts";
import { type SigningKey, verifierOf } from "./keys.ts";

/** A machine that has proved its key. The caller decides whether that key may join. */
export interface ProvedMachine {
  key: string;
  /** The key of the token that it also proved; null if it sent none. */
  tokenKey: string | null;
  facts: MachineFacts;
  /** Identifies the connection: every signature sent to the machine is bound to it. */
  connection: Buffer;
}

/** The gateway's side of the handshake. Each step returns null for an invalid message. */
export class GatewayHandshake {
  readonly #key: SigningKey;
  readonly #now: () => number;
  #nonces: Nonces | null = null;

  constructor(key: SigningKey, now: () => number) {
    this.#key = key;
    this.#now = now;
  }

  /** Answers the first message with the gateway's own proof. */
  prove(text: string): string | null {
    const begin = this.#nonces ? null : parseAs(Begin, text);
    if (!begin) return null;
    this.#nonces = { machine: begin.nonce, gateway: randomBytes(32).toString("base64url") };
    const now = this.#now();
    const signature = this.#key.sign(gatewayStatement(this.#nonces, now)).toString("base64url");
    return JSON.stringify({ type: "gateway", key: this.#key.publicKey, nonce: this.#nonces.gateway, now, signature });
  }

  /** The decision about a machine that proved itself. */
  decide({ connection }: ProvedMachine, decision: Verdict): string {
    const verdict = JSON.stringify(decision);
    const signature = this.#key.sign(verdictStatement(connection, verdict)).toString("base64url");
    return JSON.stringify({ verdict, signature });
  }

  /** Checks the machine's proof. */
  check(text: string): ProvedMachine | null {
    const proof = parseAs(MachineProof, text);
    if (!proof || !this.#nonces) return null;
    const keys = { gateway: this.#key.publicKey, machine: proof.key };
    const statement = machineStatement(this.#nonces, keys, proof.facts);
    const isProved = ({ key, signature }: { key: string; signature: string }) =>
      verifierOf(key)(statement, Buffer.from(signature, "base64url"));
    if (!isProved(proof) || (proof.token && !isProved(proof.token))) return null;
    return {
      key: proof.key,
      tokenKey: proof.token?.key ?? null,
      facts: proof.facts,
      connection: connectionName(this.#nonces, keys),
    };
  }
}
