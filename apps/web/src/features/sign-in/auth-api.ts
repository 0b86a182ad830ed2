/** Signs in over better-auth's own routes; throws with a sentence that can be shown. */
export async function signIn(email: string, password: string): Promise<void> {
  await post("/api/auth/sign-in/email", { email, password });
}

/** Redirects to the identity provider's page, which sends people back signed in. */
export async function signInAtIdentityProvider(next: string): Promise<void> {
  const answer = await post("/api/auth/sign-in/social", {
    provider: "oidc",
    callbackURL: next,
    errorCallbackURL: "/sign-in?refused",
  });
  window.location.assign(String(answer.url));
}

export async function signOut(): Promise<void> {
  await post("/api/auth/sign-out", {});
}

/** Changes the person's own password, and signs out all other sessions. */
export async function changePassword(currentPassword: string, newPassword: string): Promise<void> {
  await post("/api/auth/change-password", { currentPassword, newPassword, revokeOtherSessions: true });
}

/** Creates the account of a one-time link, and signs in. */
export async function claimAccount(claim: {
  token: string;
  name: string;
  email: string;
  password: string;
}): Promise<void> {
  await post("/api/setup", claim);
  await signIn(claim.email, claim.password);
}

async function post(path: string, body: unknown): Promise<Record<string, unknown>> {
  const response = await fetch(path, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  if (response.ok) return (await response.json().catch(() => ({}))) as Record<string, unknown>;
  if (response.status === 429) throw new Error("Too many attempts. Wait a few seconds and try again.");
  const answer = (await response.json().catch(() => ({}))) as { message?: string };
  throw new Error(answer.message ?? `The gateway answered ${response.status}.`);
}
