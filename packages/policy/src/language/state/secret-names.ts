/** Names of shell variables with secret values, which must not be printed. */
export const SECRET_VARIABLE =
  /(SECRET|TOKEN|PASSW|PASSPHRASE|CREDENTIAL|PRIVATE_?KEY|API_?KEY|ACCESS_?KEY|AUTH|(DATABASE|DB|REDIS|MONGO(DB)?|POSTGRES|MYSQL|AMQP|BROKER)_(URL|URI|DSN)|CONNECTION_?STRING|WEBHOOK_URL)/i;

/**
 * The same for environment variables that are read by name. More names match, because such a name is never a short loop
 * variable.
 */
export function isSecretName(name: string): boolean {
  return /PASS|KEY|PRIVATE|DSN/i.test(name) || SECRET_VARIABLE.test(name);
}
