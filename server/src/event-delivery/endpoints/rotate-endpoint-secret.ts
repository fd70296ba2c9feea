import { endpointStore } from '../../app-events/index.ts'
import { recordAudit } from '../../audit/index.ts'
import type { Sealer } from '../../kit/index.ts'
import type { Transaction } from '../../storage/index.ts'
import type { WithinDeps } from './create-endpoint.ts'
import { mintEndpointSecret, openEarlier, openSecrets, ROTATION_MS, sealEarlier, sealEndpointSecret } from './endpoint-secret.ts'
import { type EndpointDeps, type Held, onEndpoint } from './on-endpoint.ts'

/** So many earlier secrets sign at most: each is a signature of every delivery, and receivers take a few. */
const MAX_EARLIER = 3

/** Makes a new secret, shown this once. Deliveries are signed with each earlier one, too, for a day after it was replaced. */
export async function rotateEndpointSecret(
  id: string,
  { sealer, actor, ...deps }: EndpointDeps & { sealer: Sealer },
): Promise<{ secret: string; previousUntil: number } | { refusal: 'not_found' }> {
  const secret = mintEndpointSecret()
  return onEndpoint(id, deps, async (tx, before, at) => ({
    secret,
    previousUntil: await setEndpointSecret(tx, before, secret, { sealer, at, actor }),
  }))
}

/** The same with a secret that is given, within a transaction that holds the endpoint. Answers until when the one before signs, too. */
export async function setEndpointSecret(
  tx: Transaction,
  before: Held,
  secret: string,
  { sealer, at, actor }: Pick<WithinDeps, 'sealer' | 'at' | 'actor'>,
): Promise<number> {
  const { id } = before
  const previousUntil = at + ROTATION_MS
  const previousSealed = sealBefore(before, { sealer, at, previousUntil })
  await endpointStore(tx).setSecrets(id, { secretSealed: sealEndpointSecret(secret, id, sealer), previousSealed, previousUntil })
  await recordAudit(tx, { actor, action: 'endpoint.rotate_secret', target: id }, at)
  return previousUntil
}

/** A receiver may have any of the last secrets: one that was shown and not copied is rotated again at once. */
function sealBefore(before: Held, { sealer, at, previousUntil }: { sealer: Sealer; at: number; previousUntil: number }): string {
  const [secret] = openSecrets({ ...before, previousSealed: undefined }, { sealer, at })
  // It does not open with this node's master key; it may with another's.
  if (secret === undefined) return before.secretSealed
  const older = openEarlier(before, { sealer, at }).slice(0, MAX_EARLIER - 1)
  return sealEarlier([{ secret, until: previousUntil }, ...older], before.id, sealer)
}
