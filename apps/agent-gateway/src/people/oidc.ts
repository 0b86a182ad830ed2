import { genericOAuth } from "better-auth/plugins/generic-oauth";
import type { OidcSettings } from "../env.ts";
import { type Auth, type AuthOptions, createAuth } from "./auth.ts";

export const IDENTITY_PROVIDER = "oidc";

/**
 * Sign-in at an OpenID Connect provider.
 *
 * A second better-auth instance over the same tables and cookies, created on first
 * use: an identity provider that is down affects neither passwords nor the start of the
 * gateway, and is tried again the next time.
 */
export class Oidc {
  readonly #options: AuthOptions;
  readonly #settings: OidcSettings;
  readonly #url: () => string;
  #auth: Promise<Auth | null> | null = null;

  constructor(options: AuthOptions, settings: OidcSettings, url: () => string) {
    this.#options = options;
    this.#settings = settings;
    this.#url = url;
  }

  /** Null if the identity provider is unreachable or its metadata is invalid. */
  async auth(): Promise<Auth | null> {
    this.#auth ??= this.#discover().catch(() => null);
    const auth = await this.#auth;
    if (!auth) this.#auth = null;
    return auth;
  }

  async #discover(): Promise<Auth | null> {
    const { issuer, clientId, clientSecret, name, newRole } = this.#settings;
    const plugin = genericOAuth({
      config: [
        {
          providerId: IDENTITY_PROVIDER,
          name,
          discoveryUrl: `${issuer}/.well-known/openid-configuration`,
          requireIdTokenVerification: true,
          clientId,
          clientSecret,
          scopes: ["openid", "email", "profile"],
          disableSignUp: newRole === null,
          // Without a verified address, people could take over the account that has it.
          requireEmailVerification: true,
          mapProfileToUser: (profile) => ({ name: String(profile.name ?? profile.email ?? "") }),
        },
      ],
    });
    const auth = createAuth(this.#options, { plugin, newRole, url: this.#url() });
    const { socialProviders } = await auth.$context;
    return socialProviders.some(({ id }) => id === IDENTITY_PROVIDER) ? auth : null;
  }
}
