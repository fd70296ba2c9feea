import { recordAudit } from '../../audit/index.ts'
import type { Sealer } from '../../kit/index.ts'
import { rollBackRefusals, type Transaction } from '../../storage/index.ts'
import { type IdentityProvider, providerVersion } from '../provider.ts'
import { providerStore } from '../store.ts'
import type { ProviderDeps, Within } from './provider-deps.ts'
import { type ProviderRefusal, plainDomain, refuseProvider } from './refuse-provider.ts'

/** The changeable fields; an absent one stays as it is. Another issuer or client would be another provider, which knows other subjects. */
export interface ProviderChange {
  name?: string
  clientSecret?: string
  authoritativeFor?: readonly string[]
  /** `null`: its access tokens are no longer accepted. */
  accessTokenAudience?: string | null
}

/** Changes a provider. `seen` is the version in the editor's copy (`providerVersion`); a newer one refuses the change. */
export function changeProvider(
  id: string,
  change: ProviderChange,
  { changes, now, seen, ...deps }: ProviderDeps & { sealer: Sealer; seen?: string | undefined },
): Promise<IdentityProvider | ProviderRefusal> {
  return rollBackRefusals<IdentityProvider, ProviderRefusal>((refuse) =>
    changes.transaction(async (tx, announce) => {
      const before = (await providerStore(tx).holdById(id)) ?? refuse({ refusal: 'not_found' })
      if (seen !== undefined && providerVersion(before) !== seen) refuse({ refusal: 'changed_meanwhile' })
      return applyProviderChange(tx, before, change, { ...deps, announce, refuse, at: now() })
    }),
  )
}

/** Changes a provider within a transaction that changes more, and holds it. */
export async function applyProviderChange(
  tx: Transaction,
  before: IdentityProvider,
  { clientSecret, ...change }: ProviderChange,
  { announce, refuse, sealer, at, actor }: Within,
): Promise<IdentityProvider> {
  const { accessTokenAudience = before.accessTokenAudience, authoritativeFor = before.authoritativeFor, name = before.name } = change
  const wanted = { ...before, name, authoritativeFor, accessTokenAudience: accessTokenAudience ?? undefined }
  const refused = refuseProvider(wanted, clientSecret)
  if (refused) refuse(refused)
  // Two changes within one millisecond are two versions.
  const after = { ...wanted, authoritativeFor: authoritativeFor.map(plainDomain), updatedAt: Math.max(at, before.updatedAt + 1) }
  await providerStore(tx).update(after, clientSecret, sealer)
  announce({ kind: 'providers_changed', subject: before.id })
  const recorded = {
    ...after,
    accessTokenAudience: after.accessTokenAudience ?? null,
    ...(clientSecret !== undefined && { clientSecret: 'another' }),
  }
  await recordAudit(tx, { actor, action: 'identity_provider.change', target: before.id, before: { ...before }, after: recorded }, at)
  return after
}
