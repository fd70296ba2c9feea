import { domainToASCII } from 'node:url'
import { type Actor, recordAudit } from '../audit/index.ts'
import type { Now, Sealer } from '../kit/index.ts'
import type { Storage } from '../storage/index.ts'
import type { IdentityProvider } from './provider.ts'
import { providerStore } from './store.ts'

export interface NewProvider extends Omit<IdentityProvider, 'createdAt'> {
  clientSecret: string
}

export type ProviderRefusal =
  | { refusal: 'id_malformed' | 'name_malformed' | 'issuer_malformed' | 'client_id_missing' | 'client_secret_missing' | 'id_taken' }
  | { refusal: 'domain_malformed'; domain: string }

interface Deps {
  storage: Storage
  now: Now
  actor: Actor
}

/** Connects a provider. Whether it works is another question: `testProvider` asks it. */
export async function addProvider(
  { clientSecret, ...input }: NewProvider,
  { storage, sealer, now, actor }: Deps & { sealer: Sealer },
): Promise<IdentityProvider | ProviderRefusal> {
  const refused = refuseProvider(input, clientSecret)
  if (refused) return refused
  const at = now()
  const authoritativeFor = input.authoritativeFor.map((domain) => (domain === '*' ? domain : domainToASCII(domain.toLowerCase())))
  const provider: IdentityProvider = { ...input, authoritativeFor, createdAt: at }
  return storage.transaction(async (tx) => {
    if (!(await providerStore(tx).insert(provider, clientSecret, sealer))) return { refusal: 'id_taken' }
    await recordAudit(tx, { actor, action: 'identity_provider.add', target: provider.id, after: { ...provider } }, at)
    return provider
  })
}

/** Disconnects a provider: nobody signs in through it any more. Whom it knew stays known, should it come back. */
export async function removeProvider(id: string, { storage, now, actor }: Deps): Promise<'removed' | 'not_found'> {
  return storage.transaction(async (tx) => {
    if (!(await providerStore(tx).remove(id))) return 'not_found'
    await recordAudit(tx, { actor, action: 'identity_provider.remove', target: id }, now())
    return 'removed'
  })
}

function refuseProvider(
  { id, name, issuer, clientId, authoritativeFor }: Omit<NewProvider, 'clientSecret'>,
  clientSecret: string,
): ProviderRefusal | undefined {
  if (!/^[a-z0-9](?:[a-z0-9-]{0,30}[a-z0-9])?$/.test(id)) return { refusal: 'id_malformed' }
  if (name.trim() === '' || name.length > 60 || /\p{Cc}/u.test(name)) return { refusal: 'name_malformed' }
  if (!isIssuer(issuer)) return { refusal: 'issuer_malformed' }
  if (clientId.trim() === '') return { refusal: 'client_id_missing' }
  if (clientSecret === '') return { refusal: 'client_secret_missing' }
  const domain = authoritativeFor.find((entry) => entry !== '*' && !/^(?:[a-z0-9-]+\.)+[a-z0-9-]+$/.test(domainToASCII(entry)))
  return domain === undefined ? undefined : { refusal: 'domain_malformed', domain }
}

/** An issuer identifier (OpenID Connect Discovery §2): an address without query or fragment, compared as it stands. */
function isIssuer(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, search, hash, username } = new URL(text)
  return (protocol === 'https:' || protocol === 'http:') && search === '' && hash === '' && username === ''
}
