import { genericOAuth } from "better-auth/plugins/generic-oauth";
import type { OidcSettings } from "../env.ts";
import { type Auth, type AuthOptions, createAuth } from "./auth.ts";

export const OIDC_PROVIDER = "oidc";

/**
 * Signing in at an OpenID Connect provider.
 *
 * It is a second form of the same sign-in, over the same tables and cookies, made when somebody
 * first wants it: a provider that cannot be reached keeps nobody from signing in with a password,
 * nor the gateway from starting, and is asked again the next time.
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

  /** Null where the provider cannot be reached or says nothing useful about itself. */
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
          providerId: OIDC_PROVIDER,
          name,
          discoveryUrl: `${issuer}/.well-known/openid-configuration`,
          requireIdTokenVerification: true,
          clientId,
          clientSecret,
          scopes: ["openid", "email", "profile"],
          disableSignUp: newRole === null,
          // Whoever cannot show that an address is theirs could take the account that has it.
          requireEmailVerification: true,
          mapProfileToUser: (profile) => ({ name: String(profile.name ?? profile.email ?? "") }),
        },
      ],
    });
    const auth = createAuth(this.#options, { plugin, newRole, url: this.#url() });
    const { socialProviders } = await auth.$context;
    return socialProviders.some(({ id }) => id === OIDC_PROVIDER) ? auth : null;
  }
}
