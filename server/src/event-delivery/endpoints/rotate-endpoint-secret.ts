import { endpointStore } from '../../app-events/index.ts'
import { recordAudit } from '../../audit/index.ts'
import type { Sealer } from '../../kit/index.ts'
import type { Transaction } from '../../storage/index.ts'
import type { WithinDeps } from './create-endpoint.ts'
import { mintEndpointSecret, ROTATION_MS, sealEndpointSecret } from './endpoint-secret.ts'
import { type EndpointDeps, type Held, onEndpoint } from './on-endpoint.ts'

/** Makes a new secret, shown this once. For a day deliveries are signed with the one before, too. */
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
  { id, secretSealed: previousSealed }: Held,
  secret: string,
  { sealer, at, actor }: Pick<WithinDeps, 'sealer' | 'at' | 'actor'>,
): Promise<number> {
  const previousUntil = at + ROTATION_MS
  await endpointStore(tx).setSecrets(id, { secretSealed: sealEndpointSecret(secret, id, sealer), previousSealed, previousUntil })
  await recordAudit(tx, { actor, action: 'endpoint.rotate_secret', target: id }, at)
  return previousUntil
}
