import { searchTerms } from '../../kit/index.ts'
import { findByBuyer, nameTerm, nationalPhone, phoneTerm, taxIdTerm } from '../../notifications/index.ts'
import type { Queryable } from '../../storage/index.ts'
import { type Subscription, subscriptionStore } from '../../subscriptions/index.ts'
import type { User } from '../../users/index.ts'
import { buyerMatchStore, type MatchedNotification } from './buyer-match-store.ts'
import { createEvidence, type Evidence } from './evidence.ts'
import { nearbyAddresses } from './nearby-addresses.ts'

/** The purchases that may be a user's, though they are not linked to them. */
export interface PossiblePurchases {
  purchases: Array<{ subscription: Subscription; because: Evidence[] }>
  /** Notifications that wait for the operator, or were given up. The user's purchase may be in one of them, not applied yet. */
  waiting: Array<{ notification: MatchedNotification; because: Evidence[] }>
}

/** The data by which a user is compared with buyers. For a viewer only the exact address is compared. */
interface Compared {
  user: Pick<User, 'id' | 'email' | 'name' | 'phone'>
  /** The digits of a CPF or CNPJ. */
  taxId: string | undefined
  by: 'everything' | 'address'
}

const MAX_SHOWN = 10
/** The newest notifications of each term. */
const MAX_OF_TERM = 50

/** Strong evidence. It counts for another user's purchases too, since somebody may have two accounts. */
const STRONG: ReadonlySet<Evidence> = new Set<Evidence>(['tax_id', 'address', 'phone'])

/** The purchases that may be a user's, the likeliest first, each with its evidence. A fixed number of statements, all along an index. */
export async function findPossiblePurchases({ user, taxId, by }: Compared, db: Queryable): Promise<PossiblePurchases> {
  const matches = buyerMatchStore(db)
  const ofNotifications = createEvidence()
  const ofPurchases = createEvidence()
  const { email } = user
  for (const { evidence, terms } of termsOf({ user, taxId, by })) ofNotifications.add(await findByBuyer(db, terms, MAX_OF_TERM), evidence)
  const found = new Map((await matches.listNotifications(ofNotifications.ids())).map((one) => [one.id, one]))
  ofPurchases.add(await matches.findBoughtWith([email]), 'address')
  if (by === 'everything') {
    ofPurchases.add(await matches.findBoughtWith(nearbyAddresses(email)), 'nearby_address')
    ofPurchases.add(await matches.findBoughtByMailboxName(email), 'mailbox_name')
  }
  for (const { id, subscriptionId } of found.values())
    for (const evidence of ofNotifications.of(id)) ofPurchases.add([subscriptionId], evidence)
  const subscriptions = await subscriptionStore(db).listByIds(ofPurchases.ids())
  const possible = new Set(subscriptions.filter((one) => isPossible(one, user.id, ofPurchases.of(one.id))).map(({ id }) => id))
  const byId = new Map(subscriptions.map((one) => [one.id, one]))
  return {
    purchases: ofPurchases.strongest(possible, MAX_SHOWN).flatMap(([id, because]) => {
      const subscription = byId.get(id)
      return subscription ? [{ subscription, because }] : []
    }),
    waiting: [...found.values()]
      .filter(({ status }) => status === 'unresolved' || status === 'failed')
      .slice(0, MAX_SHOWN)
      .map((notification) => ({ notification, because: ofNotifications.of(notification.id) })),
  }
}

/** The terms of each kind of evidence, under which a notification of the user's would be found. */
function termsOf({ user, taxId, by }: Compared): Array<{ evidence: Evidence; terms: string[] }> {
  const phone = user.phone === undefined ? undefined : nationalPhone(user.phone)
  const names = searchTerms(user.name).toSorted((a, b) => b.length - a.length)
  const all: Array<{ evidence: Evidence; terms: string[] }> = [
    { evidence: 'tax_id', terms: taxId === undefined ? [] : [taxIdTerm(taxId)] },
    { evidence: 'address', terms: [user.email] },
    { evidence: 'phone', terms: phone === undefined ? [] : [phoneTerm(phone)] },
    // One word of a name identifies nobody.
    { evidence: 'name', terms: names.length < 2 ? [] : names.map(nameTerm) },
  ]
  return by === 'address' ? all.filter(({ evidence }) => evidence === 'address') : all
}

/** Whether a purchase may be the user's. Their own purchases are known already. Another user's purchase takes strong evidence. */
function isPossible({ userId, productUser }: Subscription, own: string, because: readonly Evidence[]): boolean {
  if (userId === own || productUser === own) return false
  return userId === undefined || because.some((evidence) => STRONG.has(evidence))
}
