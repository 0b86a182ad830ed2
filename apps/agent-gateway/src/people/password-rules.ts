import { GatewayError } from "../errors.ts";

export const MIN_PASSWORD_LENGTH = 10;
export const MAX_PASSWORD_LENGTH = 128;

/** Common passwords that are long enough for the rule above. */
const COMMON = new Set(
  "1234567890 0123456789 12345678910 123456789a 1q2w3e4r5t 1qaz2wsx3edc administrator adminadmin aaaaaaaaaa abcdefghij abcd123456 asdfghjkl1 asdfghjkl; changemenow changeme123 iloveyou12 letmein123 letmeinnow password10 password11 password12 password123 password1234 passwordpassword p@ssw0rd123 qwerty1234 qwerty12345 qwerty123456 qwertyuiop qwertyuiop1 superman123 welcome123 welcome1234 zaq12wsxcde belaybelay".split(
    " ",
  ),
);

/**
 * Length, and no common password; no rules about symbols and digits, which make passwords
 * worse (NIST SP 800-63B). Throws the reason.
 */
export function requireStrongPassword(password: string, person: { email: string; name: string }): void {
  const problem = problemOf(password, person);
  if (problem) throw new GatewayError("weak-password", problem);
}

function problemOf(password: string, { email, name }: { email: string; name: string }): string | null {
  if (password.length < MIN_PASSWORD_LENGTH) return `The password needs at least ${MIN_PASSWORD_LENGTH} characters.`;
  if (password.length > MAX_PASSWORD_LENGTH) return `The password has more than ${MAX_PASSWORD_LENGTH} characters.`;
  const plain = password.toLowerCase();
  if (COMMON.has(plain)) return "This is one of the most common passwords. Choose another.";
  if (new Set(plain).size < 4) return "The password has too few different characters. Choose another.";
  const own = [email, email.split("@")[0], name].map((word) => word?.toLowerCase().replaceAll(" ", "") ?? "");
  // The name with a few symbols added is still the name.
  const isOwn = own.some((word) => word.length >= 4 && plain.includes(word) && plain.length - word.length < 5);
  return isOwn ? "The password is little more than the name or the address. Choose another." : null;
}
