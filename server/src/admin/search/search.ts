import { findAudit } from '../../audit/index.ts'
import { deliveryDigest } from '../../gateways/index.ts'
import { isUuid, type MasterKeys, normaliseEmail, parseTaxId, searchedTerms, type TaxId } from '../../kit/index.ts'
import { findByBuyer, nameTerm, nationalPhone, phoneTerm, taxIdTerm } from '../../notifications/index.ts'
import { findJob } from '../../outbox/index.ts'
import { hashEmail } from '../../payment-history/index.ts'
import { productStore } from '../../products/index.ts'
import type { Queryable } from '../../storage/index.ts'
import { planStore } from '../../subscriptions/index.ts'
import { type User, userStore } from '../../users/index.ts'
import type { Caller } from '../api/caller.ts'
import { holds } from '../api/short-list.ts'
import { findSession } from '../sessions/session-list-store.ts'
import { listUsers } from '../users/listing/user-list-store.ts'
import { matchFor } from '../users/listing/user-listing.ts'
import type { SearchResult } from './search-result.ts'
import { searchStore } from './search-store.ts'
import { findByExternalId, findByPhone, findByTaxId } from './search-users.ts'

/** Users, by words of their names. */
const MAX_USERS = 10
/** Purchases, by their buyers. */
const MAX_BOUGHT = 10

/**
 * All possible meanings of a search text, exact ones first: an id of ours, a CPF or CNPJ, an address, a gateway's id of a payment or
 * delivery, words of a name. No answer repeats the text; a tax id is looked up by its keyed hash.
 */
export async function search(
  typed: string,
  { db, masterKeys, caller }: { db: Queryable; masterKeys: MasterKeys; caller: Caller },
): Promise<SearchResult[]> {
  const taxId = parseTaxId(typed)
  const found = [
    ...(caller.role === 'viewer' ? [] : (await findByTaxId(typed, { db, masterKeys })).map(toUserHit)),
    ...(isUuid(typed) ? await byId(typed.toLowerCase(), db) : []),
    ...(await findByExternalId(typed, db)).map(toUserHit),
    ...(taxId || isUuid(typed) ? [] : await byTerms(typed, matchFor(caller), db)),
    ...(await byAddress(normaliseEmail(typed), { db, masterKeys })),
    ...(caller.role === 'viewer' ? [] : await byBuyer(typed, taxId, db)),
    ...(/[\s@]/.test(typed) ? [] : await byForeignId(isUuid(typed) ? typed.toLowerCase() : typed, db)),
    ...(await productsAndPlans(typed, db)),
  ]
  return found.filter(({ type, id }, at) => found.findIndex((other) => other.type === type && other.id === id) === at)
}

/** By the primary key of each table that has such ids. */
async function byId(id: string, db: Queryable): Promise<SearchResult[]> {
  const user = await userStore(db).findById(id)
  const session = await findSession(db, id)
  const entry = await findAudit(db, id)
  const job = await findJob(db, id)
  return [
    ...(user ? [toUserHit(user)] : []),
    ...(session
      ? [{ type: 'session', id, title: session.email, subtitle: `${session.ip} · ${session.user_agent}`, userId: session.user_id } as const]
      : []),
    ...(await searchStore(db).listSubscriptions('id', [id])),
    ...(await searchStore(db).listNotifications('id', [id])),
    ...(entry ? [{ type: 'audit', id, title: entry.action, subtitle: entry.actor } as const] : []),
    ...(job ? [{ type: 'job', id, title: job.kind, subtitle: job.lastError ?? '' } as const] : []),
  ]
}

async function byTerms(typed: string, match: ReturnType<typeof matchFor>, db: Queryable): Promise<SearchResult[]> {
  const terms = searchedTerms(typed)
  if (terms.length === 0) return []
  const newest = { sort: 'created_at', direction: 'desc', after: undefined, limit: MAX_USERS } as const
  return (await listUsers(db, { terms, match }, newest)).map(toUserHit)
}

/** Purchases and notifications of an address, with or without an account. */
async function byAddress(
  address: string | undefined,
  { db, masterKeys }: { db: Queryable; masterKeys: MasterKeys },
): Promise<SearchResult[]> {
  if (address === undefined) return []
  const store = searchStore(db)
  return [
    ...(await store.listSubscriptions('email', [address])),
    ...(await store.listSubscriptions('email_hash', [hashEmail(address, masterKeys.emailIndex)])),
    ...(await store.listNotifications('subject', [address])),
  ]
}

/** By the id of a checkout or a gateway: of a subscription, a payment, an order, or one delivery of an event. */
async function byForeignId(name: string, db: Queryable): Promise<SearchResult[]> {
  const store = searchStore(db)
  const productIds = (await productStore(db).listNames()).map(({ id }) => id)
  const lines = [...(await store.findLines(name, productIds)), ...(await store.findLinesOfPayment(name, productIds))]
  return [
    ...(await store.listSubscriptions('stream_id', [...new Set(lines)])),
    ...(await store.listNotifications('subject', [name])),
    ...(await store.listNotifications(
      'digest',
      productIds.map((productId) => deliveryDigest(productId, name)),
    )),
  ]
}

/** Users with a phone, and purchases that came with a tax id, a phone or a name, with or without an account. */
async function byBuyer(typed: string, taxId: TaxId | undefined, db: Queryable): Promise<SearchResult[]> {
  const store = searchStore(db)
  const phone = nationalPhone(typed)
  // The digits of a mobile phone can be those of a CPF.
  const numbers = [...(taxId ? [taxIdTerm(taxId.digits)] : []), ...(phone === undefined ? [] : [phoneTerm(phone)])]
  const terms = numbers.length === 0 ? [namedTerms(typed)] : numbers.map((number) => [number])
  const notifications = (await Promise.all(terms.map((all) => findByBuyer(db, all, MAX_BOUGHT)))).flat()
  return [
    ...(await findByPhone(typed, db)).map(toUserHit),
    ...(await store.listSubscriptions('id', await store.listSubscriptionsOf(notifications))),
    ...(await store.listNotifications('id', notifications)),
  ]
}

/** One word is not enough to identify a user. */
function namedTerms(typed: string): string[] {
  const terms = typed.includes('@') ? [] : searchedTerms(typed)
  return terms.length < 2 ? [] : terms.map(nameTerm)
}

/** An operator has few of each: all are read. */
async function productsAndPlans(typed: string, db: Queryable): Promise<SearchResult[]> {
  const products = (await productStore(db).listNames()).filter(
    ({ id, slug, name }) => id === typed.toLowerCase() || holds([slug, name], typed),
  )
  const plans = (await planStore(db).list()).filter(({ id, slug, name }) => id === typed.toLowerCase() || holds([slug, name], typed))
  return [
    ...products.map(({ id, slug, name }) => ({ type: 'product', id, title: name, subtitle: slug }) as const),
    ...plans.map(({ id, slug, name }) => ({ type: 'plan', id, title: name, subtitle: slug }) as const),
  ]
}

function toUserHit({ id, name, email }: User): SearchResult {
  return { type: 'user', id, title: name, subtitle: email, userId: id }
}
