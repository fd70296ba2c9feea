import { recordAudit } from '../../audit/index.ts'
import type { Transaction } from '../../storage/index.ts'
import { providerStore } from '../store.ts'
import type { ProviderDeps, Within } from './provider-deps.ts'

/** Disconnects a provider: nobody signs in through it any more. Links to accounts stay, in case it comes back. */
export async function removeProvider(id: string, { changes, now, actor }: ProviderDeps): Promise<'removed' | 'not_found'> {
  return changes.transaction(async (tx, announce) =>
    (await deleteProvider(tx, id, { announce, at: now(), actor })) ? 'removed' : 'not_found',
  )
}

/** Disconnects a provider within a transaction that does more; `false` where there is none. */
export async function deleteProvider(
  tx: Transaction,
  id: string,
  { announce, at, actor }: Pick<Within, 'announce' | 'at' | 'actor'>,
): Promise<boolean> {
  const before = await providerStore(tx).holdById(id)
  if (!before || !(await providerStore(tx).remove(id))) return false
  announce({ kind: 'providers_changed', subject: id })
  await recordAudit(tx, { actor, action: 'identity_provider.remove', target: id, before: { ...before } }, at)
  return true
}
