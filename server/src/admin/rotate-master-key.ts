import { endpointStore } from '../app-events/index.ts'
import { type Actor, recordAudit } from '../audit/index.ts'
import { providerStore } from '../identity-providers/index.ts'
import { hmacSha256, type Now, type Sealer } from '../kit/index.ts'
import { listSealedJobs, resealJob } from '../outbox/index.ts'
import { gatewayCredentialsStore, webhookKeyStore } from '../products/index.ts'
import { signingKeyStore } from '../sessions/index.ts'
import { countValues, isUniqueViolation, resealMasterKeyMark, type Storage, type Transaction, takeLock } from '../storage/index.ts'
import { secondFactorStore, taxIdStore, ticketStore } from '../users/index.ts'

/**
 * `place` names the value, as in `signing_keys.private_sealed.<kid>`: neither key opens it, or its tax id is taken under the new index key.
 */
export type MasterKeyRefusal = { refusal: 'does_not_open' | 'tax_id_twice'; place: string }

export interface Resealed {
  signingKeys: number
  webhookKeys: number
  gatewayCredentials: number
  endpoints: number
  taxIds: number
  identityProviders: number
  tickets: number
  secondFactors: number
  outbox: number
  idpAttempts: number
}

interface Keys {
  sealer: Sealer
  taxIdKey: Uint8Array
}

const PAGE = 500
/** The columns whose values may be many. */
const MANY = [
  ['users_company', 'tax_id_sealed'],
  ['tickets', 'payload_sealed'],
  ['totp_factors', 'secret_sealed'],
  ['outbox', 'payload_sealed'],
] as const

/**
 * Seals everything with the sealer's current key and computes the hashes of tax ids with the current index key, in one transaction:
 * afterwards the previous key is not needed any more. Running it again is harmless: values sealed with the current key are sealed once
 * more.
 */
export async function rotateMasterKey(
  { sealer: current, taxIdKey }: Keys,
  { storage, now, actor, onSealed }: { storage: Storage; now: Now; actor: Actor; onSealed?: (count: number, part: number) => void },
): Promise<Resealed | MasterKeyRefusal> {
  const total = Math.max(await countValues(storage.db, MANY), 1)
  try {
    return await storage.transaction(async (tx) => {
      let count = 0
      const sealer = {
        ...current,
        seal: (plain: string, place: string) => {
          count++
          onSealed?.(count, count / total)
          return current.seal(plain, place)
        },
      }
      await takeLock(tx, 'signingKeys', storage)
      const resealed = {
        ...(await resealKeys(tx, sealer)),
        taxIds: await resealTaxIds(tx, { sealer, taxIdKey }),
        ...(await resealSignIn(tx, sealer)),
      }
      await resealMasterKeyMark(tx, sealer)
      await recordAudit(tx, { actor, action: 'master_key.rotate', target: 'master_key', after: { ...resealed } }, now())
      return resealed
    })
  } catch (error) {
    if (error instanceof Stuck) return error.refusal
    throw error
  }
}

interface Sealed {
  id: string
  sealed: string
}

/** A column of sealed values: its name, how to read it and how to write it. */
interface Column<T extends Sealed> {
  name: string
  /** The values after the id `cursor`, in the order of the ids. */
  page(after: { limit: number; cursor: string }): Promise<T[]>
  reseal(id: string, sealed: string): Promise<void>
  /** A value that nobody needs to open any more: if neither key opens it, it stays as it is. */
  isLost?(value: T): boolean
}

type Keyed = Pick<Resealed, 'signingKeys' | 'webhookKeys' | 'gatewayCredentials' | 'endpoints'>

async function resealKeys(tx: Transaction, sealer: Sealer): Promise<Keyed> {
  const keys = signingKeyStore(tx)
  const ofWebhooks = webhookKeyStore(tx)
  const signingKeys = (await keys.list()).map(({ kid, privateSealed }) => ({ id: kid, sealed: privateSealed }))
  const rsaKeys = (await keys.list()).flatMap(({ kid, rsa }) => (rsa ? [{ id: kid, sealed: rsa.privateSealed }] : []))
  const webhookKeys = await ofWebhooks.listSealedWebhookKeys()
  const stored = gatewayCredentialsStore(tx)
  const credentials = await stored.holdSealed()
  await reseal({ name: 'signing_keys.rsa_private_sealed', page: allOf(rsaKeys), reseal: keys.resealRsa }, sealer)
  return {
    signingKeys: await reseal({ name: 'signing_keys.private_sealed', page: allOf(signingKeys), reseal: keys.reseal }, sealer),
    webhookKeys: await reseal({ name: 'webhook_keys.sealed', page: allOf(webhookKeys), reseal: ofWebhooks.resealWebhookKey }, sealer),
    gatewayCredentials: await reseal({ name: 'gateway_credentials.sealed', page: allOf(credentials), reseal: stored.reseal }, sealer),
    endpoints: await resealEndpoints(tx, sealer),
  }
}

/** A rotated secret lies beside the new one, and was sealed for the same place. */
async function resealEndpoints(tx: Transaction, sealer: Sealer): Promise<number> {
  const endpoints = endpointStore(tx)
  const name = 'event_endpoints.secret_sealed'
  await reseal({ name, page: allOf(await endpoints.listPreviousSealed()), reseal: endpoints.resealPrevious }, sealer)
  return reseal({ name, page: allOf(await endpoints.listSealed()), reseal: endpoints.reseal }, sealer)
}

/** Values that wait for a user or a mail server. Tickets' codes become void, their hashes being keyed; their links stay valid. */
async function resealSignIn(tx: Transaction, sealer: Sealer): Promise<Omit<Resealed, keyof Keyed | 'taxIds'>> {
  const providers = providerStore(tx)
  const tickets = ticketStore(tx)
  const factors = secondFactorStore(tx)
  const secrets: Column<Sealed> = {
    name: 'identity_providers.client_secret_sealed',
    page: allOf(await providers.listSealedSecrets()),
    reseal: providers.resealSecret,
  }
  const jobs: Column<Sealed & { isDead: boolean }> = {
    name: 'outbox.payload_sealed',
    page: (after) => listSealedJobs(tx, after),
    reseal: (id, sealed) => resealJob(tx, id, sealed),
    isLost: ({ isDead }) => isDead,
  }
  return {
    identityProviders: await reseal(secrets, sealer),
    tickets: await reseal({ name: 'tickets.payload_sealed', page: tickets.listSealed, reseal: tickets.reseal }, sealer),
    secondFactors: await reseal({ name: 'totp_factors.secret_sealed', page: factors.listSealed, reseal: factors.reseal }, sealer),
    outbox: await reseal(jobs, sealer),
    idpAttempts: await reseal({ name: 'idp_attempts.sealed', page: providers.listSealedAttempts, reseal: providers.resealAttempt }, sealer),
  }
}

/** Seals a column anew and answers the number of values. */
async function reseal<T extends Sealed>(column: Column<T>, sealer: Sealer): Promise<number> {
  let count = 0
  for (let cursor = ''; ; ) {
    const page = await column.page({ limit: PAGE, cursor })
    for (const value of page) {
      const place = `${column.name}.${value.id}`
      if (column.isLost?.(value) && sealer.open(value.sealed, place) === undefined) continue
      await column.reseal(value.id, sealer.seal(open(value.sealed, place, sealer), place))
      count++
    }
    const last = page.at(-1)
    if (!last || page.length < PAGE) return count
    cursor = last.id
  }
}

/** A complete list as the only page. */
function allOf(values: readonly Sealed[]): Column<Sealed>['page'] {
  return async ({ cursor }) => (cursor === '' ? [...values] : [])
}

async function resealTaxIds(tx: Transaction, { sealer, taxIdKey }: Keys): Promise<number> {
  const taxIds = taxIdStore(tx)
  let count = 0
  for (let cursor = ''; ; ) {
    const page = await taxIds.listSealedTaxIds({ limit: PAGE, cursor })
    for (const { userId, sealed } of page) {
      const place = `users_company.tax_id_sealed.${userId}`
      const digits = open(sealed, place, sealer)
      const resealed = { sealed: sealer.seal(digits, place), hash: hmacSha256(taxIdKey, digits).toString('hex') }
      await taxIds.resealTaxId(userId, resealed).catch((error) => {
        throw isUniqueViolation(error) ? new Stuck({ refusal: 'tax_id_twice', place }) : error
      })
    }
    count += page.length
    const last = page.at(-1)
    if (!last || page.length < PAGE) return count
    cursor = last.userId
  }
}

function open(sealed: string, place: string, sealer: Sealer): string {
  const plain = sealer.open(sealed, place)
  if (plain === undefined) throw new Stuck({ refusal: 'does_not_open', place })
  return plain
}

/** Rolls the transaction back. */
class Stuck extends Error {
  readonly refusal: MasterKeyRefusal
  constructor(refusal: MasterKeyRefusal) {
    super(refusal.refusal)
    this.refusal = refusal
  }
}
