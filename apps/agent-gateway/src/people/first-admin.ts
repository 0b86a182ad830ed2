import { randomBytes } from "node:crypto";
import { isSameSecret } from "@belay/core";
import { GatewayError } from "../errors.ts";
import type { People } from "./people.ts";
import type { Person } from "./person.ts";

/**
 * The one-time link that creates the first admin.
 *
 * Its token exists only in this process: each start prints a new link as
 * long as there is no admin.
 */
export class FirstAdmin {
  readonly #people: People;
  #token: string | null = null;

  constructor(people: People) {
    this.#people = people;
  }

  /** The token to print, or null if there is an admin already. */
  async openLink(): Promise<string | null> {
    this.#token = (await this.#people.hasAdmin()) ? null : randomBytes(24).toString("base64url");
    return this.#token;
  }

  async claim(token: string, person: { name: string; email: string; password: string }): Promise<Person> {
    if (this.#token === null || !isSameSecret(token, this.#token)) {
      throw new GatewayError(
        "setup-link-used",
        "This link has been used or is out of date. Sign in, or restart Belay for a new link if there is no admin yet.",
      );
    }
    // Claimed before the first await, so that two concurrent claims create one admin; released if it fails.
    const taken = this.#token;
    this.#token = null;
    try {
      return await this.#people.add({ ...person, role: "admin" }, { type: "system" });
    } catch (error) {
      this.#token = taken;
      throw error;
    }
  }
}
