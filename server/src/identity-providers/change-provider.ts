import { domainToASCII } from 'node:url'
import { type Actor, recordAudit } from '../audit/index.ts'
import type { Now, Sealer } from '../kit/index.ts'
import { isVisibleLine } from '../kit/index.ts'
import { rollBackRefusals, type Storage, type Transaction } from '../storage/index.ts'
import { parseAppleKey } from './apple-secret.ts'
import { type IdentityProvider, type ProviderKind, providerVersion } from './provider.ts'
import { providerStore } from './store.ts'

export interface NewProvider extends Omit<IdentityProvider, 'createdAt' | 'updatedAt' | 'kind'> {
  kind?: ProviderKind
  clientSecret: string
}

/** The changeable fields; an absent one stays as it is. Another issuer or client would be another provider, which knows other subjects. */
export interface ProviderChange {
  name?: string
  clientSecret?: string
  authoritativeFor?: readonly string[]
  /** `null`: its access tokens are no longer accepted. */
  accessTokenAudience?: string | null
}

export type ProviderRefusal =
  | {
      refusal:
        | 'id_malformed'
        | 'id_taken'
        | 'name_malformed'
        | 'issuer_malformed'
        | 'client_id_missing'
        | 'client_secret_missing'
        | 'apple_key_malformed'
        | 'audience_malformed'
        | 'not_found'
        | 'changed_meanwhile'
    }
  | { refusal: 'domain_malformed'; domain: string }

interface Deps {
  storage: Storage
  now: Now
  actor: Actor
}

/**
 * A provider as it would be connected, for a test before that; nothing is written. A refusal that `addProvider` would give is given here
 * as well, so that no server is called for it.
 */
export async function draftProvider(
  { clientSecret, ...input }: NewProvider,
  { storage, now }: Pick<Deps, 'storage' | 'now'>,
): Promise<IdentityProvider | ProviderRefusal> {
  const refused = refuseProvider(input, clientSecret)
  if (refused) return refused
  if (await providerStore(storage.db).findById(input.id)) return { refusal: 'id_taken' }
  return providerOf(input, now())
}

/** Connects a provider. `testProvider` finds out whether it works. */
export function addProvider(
  input: NewProvider,
  { storage, now, ...deps }: Deps & { sealer: Sealer },
): Promise<IdentityProvider | ProviderRefusal> {
  return rollBackRefusals<IdentityProvider, ProviderRefusal>((refuse) =>
    storage.transaction((tx) => insertProvider(tx, input, { ...deps, refuse, at: now() })),
  )
}

/** Changes a provider. `seen` is the version in the editor's copy (`providerVersion`); a newer one refuses the change. */
export function changeProvider(
  id: string,
  change: ProviderChange,
  { storage, now, seen, ...deps }: Deps & { sealer: Sealer; seen?: string | undefined },
): Promise<IdentityProvider | ProviderRefusal> {
  return rollBackRefusals<IdentityProvider, ProviderRefusal>((refuse) =>
    storage.transaction(async (tx) => {
      const before = (await providerStore(tx).holdById(id)) ?? refuse({ refusal: 'not_found' })
      if (seen !== undefined && providerVersion(before) !== seen) refuse({ refusal: 'changed_meanwhile' })
      return applyProviderChange(tx, before, change, { ...deps, refuse, at: now() })
    }),
  )
}

/** Disconnects a provider: nobody signs in through it any more. Links to accounts stay, in case it comes back. */
export async function removeProvider(id: string, { storage, now, actor }: Deps): Promise<'removed' | 'not_found'> {
  return storage.transaction(async (tx) => ((await deleteProvider(tx, id, { at: now(), actor })) ? 'removed' : 'not_found'))
}

/** What the two below need of a transaction that does more; a refusal must roll it back (`rollBackRefusals`). */
interface Within {
  refuse: (refusal: ProviderRefusal) => never
  sealer: Sealer
  at: number
  actor: Actor
}

/** Connects a provider within a transaction that does more. */
export async function insertProvider(
  tx: Transaction,
  { clientSecret, ...input }: NewProvider,
  { refuse, sealer, at, actor }: Within,
): Promise<IdentityProvider> {
  const refused = refuseProvider(input, clientSecret)
  if (refused) refuse(refused)
  const provider = providerOf(input, at)
  if (!(await providerStore(tx).insert(provider, clientSecret, sealer))) refuse({ refusal: 'id_taken' })
  await recordAudit(tx, { actor, action: 'identity_provider.add', target: provider.id, after: { ...provider } }, at)
  return provider
}

/** Changes a provider within a transaction that changes more, and holds it. */
export async function applyProviderChange(
  tx: Transaction,
  before: IdentityProvider,
  { clientSecret, ...change }: ProviderChange,
  { refuse, sealer, at, actor }: Within,
): Promise<IdentityProvider> {
  const { accessTokenAudience = before.accessTokenAudience, authoritativeFor = before.authoritativeFor, name = before.name } = change
  const wanted = { ...before, name, authoritativeFor, accessTokenAudience: accessTokenAudience ?? undefined }
  const refused = refuseProvider(wanted, clientSecret)
  if (refused) refuse(refused)
  // Two changes within one millisecond are two versions.
  const after = { ...wanted, authoritativeFor: authoritativeFor.map(plainDomain), updatedAt: Math.max(at, before.updatedAt + 1) }
  await providerStore(tx).update(after, clientSecret, sealer)
  const recorded = { ...after, ...(clientSecret !== undefined && { clientSecret: 'another' }) }
  await recordAudit(tx, { actor, action: 'identity_provider.change', target: before.id, before: { ...before }, after: recorded }, at)
  return after
}

/** Disconnects a provider within a transaction that does more; `false` where there is none. */
export async function deleteProvider(tx: Transaction, id: string, { at, actor }: Pick<Within, 'at' | 'actor'>): Promise<boolean> {
  const before = await providerStore(tx).holdById(id)
  if (!before || !(await providerStore(tx).remove(id))) return false
  await recordAudit(tx, { actor, action: 'identity_provider.remove', target: id, before: { ...before } }, at)
  return true
}

function providerOf(input: Omit<NewProvider, 'clientSecret'>, at: number): IdentityProvider {
  return { kind: 'openid', ...input, authoritativeFor: input.authoritativeFor.map(plainDomain), createdAt: at, updatedAt: at }
}

function refuseProvider(
  { id, name, kind, issuer, clientId, authoritativeFor, accessTokenAudience }: Omit<NewProvider, 'clientSecret'>,
  clientSecret: string | undefined,
): ProviderRefusal | undefined {
  if (!/^[a-z0-9](?:[a-z0-9-]{0,30}[a-z0-9])?$/.test(id)) return { refusal: 'id_malformed' }
  if (!isVisibleLine(name, 60)) return { refusal: 'name_malformed' }
  if (!isIssuer(issuer)) return { refusal: 'issuer_malformed' }
  if (clientId.trim() === '' || /\p{Cc}/u.test(clientId)) return { refusal: 'client_id_missing' }
  if (clientSecret === '') return { refusal: 'client_secret_missing' }
  if (kind === 'apple' && clientSecret !== undefined && !parseAppleKey(clientSecret)) return { refusal: 'apple_key_malformed' }
  if (accessTokenAudience === '' || /\p{Cc}/u.test(accessTokenAudience ?? '')) return { refusal: 'audience_malformed' }
  const domain = authoritativeFor.find((entry) => entry !== '*' && !/^(?:[a-z0-9-]+\.)+[a-z0-9-]+$/.test(domainToASCII(entry)))
  return domain === undefined ? undefined : { refusal: 'domain_malformed', domain }
}

/** In the form in which addresses are compared: lower case, and ASCII. */
function plainDomain(domain: string): string {
  return domain === '*' ? domain : domainToASCII(domain.toLowerCase())
}

/** An issuer identifier (OpenID Connect Discovery §2): an address without query or fragment, compared as it stands. */
function isIssuer(text: string): boolean {
  if (!URL.canParse(text) || /[\p{Cc}\s{}]/u.test(text)) return false
  const { protocol, search, hash, username } = new URL(text)
  return (protocol === 'https:' || protocol === 'http:') && search === '' && hash === '' && username === ''
}
