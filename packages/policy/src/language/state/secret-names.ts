/** Names of variables with secret values. What a shell variable of such a name holds must not be printed. */
export const SECRET_VARIABLE =
  /(SECRET|TOKEN|PASSW|PASSPHRASE|CREDENTIAL|PRIVATE_?KEY|API_?KEY|ACCESS_?KEY|AUTH|(DATABASE|DB|REDIS|MONGO(DB)?|POSTGRES|MYSQL|AMQP|BROKER)_(URL|URI|DSN)|CONNECTION_?STRING|WEBHOOK_URL)/i;

/** The same for variables of the environment that are read by name, where shorter words are no loop variables. */
export function isSecretName(name: string): boolean {
  return /PASS|KEY|PRIVATE|DSN/i.test(name) || SECRET_VARIABLE.test(name);
}
