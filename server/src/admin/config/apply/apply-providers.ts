import {
  applyProviderChange,
  deleteProvider,
  insertProvider,
  type ProviderRefusal,
  providerStore,
} from '../../../identity-providers/index.ts'
import type { Transaction } from '../../../storage/index.ts'
import type { ProviderConfiguration } from '../form/configuration.ts'
import type { Declared } from '../listed.ts'
import { listToApply, type Step } from './step.ts'

/** Connects and changes identity providers. */
export async function applyProviders(tx: Transaction, step: Step): Promise<void> {
  for (const declared of listToApply(step, 'identity_provider')) await applyProvider(tx, declared, step)
}

export async function removeProviders(tx: Transaction, { current, differences, deps }: Step): Promise<void> {
  for (const { path, kind } of differences) {
    const is = kind === 'remove' ? current.objects.get(path.join('.')) : undefined
    if (is?.kind === 'identity_provider') await deleteProvider(tx, is.id, deps)
  }
}

async function applyProvider(tx: Transaction, { path, settings, is }: Declared, { secrets, deps, fail }: Step): Promise<void> {
  const refuse = (why: ProviderRefusal) => fail({ path, refusal: 'provider_refused', why })
  const {
    name,
    kind = 'openid',
    issuer = '',
    client_id: clientId = '',
    authoritative_for: authoritativeFor,
    access_token_audience: audience,
  } = settings as ProviderConfiguration
  const clientSecret = secrets.get(`${path}.client_secret`)
  if (!is) {
    const id = path.slice(path.indexOf('.') + 1)
    const made = {
      id,
      name: name ?? id,
      kind,
      issuer,
      clientId,
      authoritativeFor: authoritativeFor ?? [],
      accessTokenAudience: audience ?? undefined,
    }
    await insertProvider(tx, { ...made, clientSecret: clientSecret ?? '' }, { ...deps, refuse })
    return
  }
  const before = (await providerStore(tx).holdById(is.id)) ?? refuse({ refusal: 'not_found' })
  const change = {
    ...(name !== undefined && { name }),
    ...(authoritativeFor && { authoritativeFor }),
    ...(audience !== undefined && { accessTokenAudience: audience }),
    ...(clientSecret !== undefined && { clientSecret }),
  }
  await applyProviderChange(tx, before, change, { ...deps, refuse })
}
