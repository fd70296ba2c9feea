import type { SecretRefusal } from '../../gateways/index.ts'
import type { GatewaySecretsRefusal } from '../../products/index.ts'

const SECRETS_FORM = '{"webhook_secret": "…", "access_token": "…"}'
const SECRET_FORM = 'must be text of 8 to 500 characters without spaces, as the gateway shows it'

const KEY_SET_FORM = '{"account_id": "acc_…", "jwks": {"keys": […]}}'

const gatewaySecrets = {
  not_an_object: `standard input must hold one JSON object: ${SECRETS_FORM}`,
  webhook_secret_malformed: `webhook_secret ${SECRET_FORM}`,
  access_token_malformed: `access_token ${SECRET_FORM}`,
  secret_not_an_object: `webhook_secret must be ${KEY_SET_FORM}, as an object or as its text`,
  account_malformed: "the webhook_secret's account_id must be the account's id, acc_…, as deliveries and the dashboard show it",
  keys_malformed: `the webhook_secret's jwks must be the gateway's key set as it is published: webhook_secret is ${KEY_SET_FORM}`,
  keys_unusable: 'none of the keys in the webhook_secret can verify anything: RSA keys of 2048 bits or more, with kid, n and e, are needed',
} as const satisfies Record<Exclude<GatewaySecretsRefusal['refusal'], 'unknown_key'> | SecretRefusal, string>

/** Quotes nothing of the input but a key's name. */
export function gatewaySecretsSentence(refused: GatewaySecretsRefusal | { refusal: SecretRefusal }): string {
  if (refused.refusal !== 'unknown_key') return gatewaySecrets[refused.refusal]
  return `${refused.key ?? 'one of the keys on standard input'} is no key here: give ${SECRETS_FORM} and nothing else`
}
