import type { ProviderRefusal } from '../../identity-providers/index.ts'
import { NAME } from './forms.ts'

export const NO_SUCH_PROVIDER = 'there is no such identity provider: find its id with `portaria idp list`'

const providers = {
  id_malformed: "this id can't be used: lower-case letters, digits and hyphens, 32 at most, beginning and ending with a letter or digit",
  name_malformed: `${NAME}, 60 characters at most`,
  issuer_malformed: 'the issuer must be an https:// address without user, query or # part, as the provider names itself',
  client_id_missing: 'the client id is empty: the provider shows it where you registered this service',
  apple_key_malformed: 'in place of a client secret Apple needs JSON with team_id, key_id and private_key, the content of its .p8 file',
  client_secret_missing: 'the client secret is empty: pipe it in, as in `portaria idp add … --client-secret-stdin < secret.txt`',
  id_taken: 'a provider with this id exists: see it with `portaria idp list`; to change it, `portaria idp remove ID` and add it anew',
  audience_malformed: 'the audience must be one line of text, as the provider writes it into access tokens',
  not_found: NO_SUCH_PROVIDER,
  changed_meanwhile: 'the provider was changed by someone else meanwhile: look at it again',
} as const satisfies Record<Exclude<ProviderRefusal['refusal'], 'domain_malformed'>, string>

export function providerSentence(refused: ProviderRefusal): string {
  if (refused.refusal !== 'domain_malformed') return providers[refused.refusal]
  return `${JSON.stringify(refused.domain)} is no mail domain: give domains as in gmail.com,example.com, or * for any`
}
