import { recordAudit } from '../../audit/index.ts'
import type { Now, Sealer } from '../../kit/index.ts'
import { rollBackRefusals, type Storage, type Transaction } from '../../storage/index.ts'
import type { IdentityProvider } from '../provider.ts'
import { providerStore } from '../store.ts'
import type { ProviderDeps, Within } from './provider-deps.ts'
import { type NewProvider, type ProviderRefusal, plainDomain, refuseProvider } from './refuse-provider.ts'

/**
 * A provider as it would be connected, for a test before that; nothing is written. A refusal that `addProvider` would give is given here
 * as well, so that no server is called for it.
 */
export async function draftProvider(
  { clientSecret, ...input }: NewProvider,
  { storage, now }: { storage: Storage; now: Now },
): Promise<IdentityProvider | ProviderRefusal> {
  const refused = refuseProvider(input, clientSecret)
  if (refused) return refused
  if (await providerStore(storage.db).findById(input.id)) return { refusal: 'id_taken' }
  return providerOf(input, now())
}

/** Connects a provider. `testProvider` finds out whether it works. */
export function addProvider(
  input: NewProvider,
  { changes, now, ...deps }: ProviderDeps & { sealer: Sealer },
): Promise<IdentityProvider | ProviderRefusal> {
  return rollBackRefusals<IdentityProvider, ProviderRefusal>((refuse) =>
    changes.transaction((tx, announce) => insertProvider(tx, input, { ...deps, announce, refuse, at: now() })),
  )
}

/** Connects a provider within a transaction that does more. */
export async function insertProvider(
  tx: Transaction,
  { clientSecret, ...input }: NewProvider,
  { announce, refuse, sealer, at, actor }: Within,
): Promise<IdentityProvider> {
  const refused = refuseProvider(input, clientSecret)
  if (refused) refuse(refused)
  const provider = providerOf(input, at)
  if (!(await providerStore(tx).insert(provider, clientSecret, sealer))) refuse({ refusal: 'id_taken' })
  announce({ kind: 'providers_changed', subject: provider.id })
  await recordAudit(tx, { actor, action: 'identity_provider.add', target: provider.id, after: { ...provider } }, at)
  return provider
}

function providerOf(input: Omit<NewProvider, 'clientSecret'>, at: number): IdentityProvider {
  return { kind: 'openid', ...input, authoritativeFor: input.authoritativeFor.map(plainDomain), createdAt: at, updatedAt: at }
}
