import { listAudit } from '../audit/index.ts'
import { formatPersonalId, type Now, type Sealer } from '../kit/index.ts'
import { listOwnNotifications, type OwnNotification } from '../notifications/index.ts'
import { userSessionStore } from '../sessions/index.ts'
import type { Queryable, Storage } from '../storage/index.ts'
import { entitlementOf, type UserPurchase, type UserPurchaseEvent, userPurchaseStore } from '../subscriptions/index.ts'
import {
  betaUserStore,
  consentStore,
  findTaxId,
  identityStore,
  type NdaAcceptance,
  openedAppStore,
  ownTaxIdStore,
  passkeyStore,
  pictureStore,
  type Sharing,
  secondFactorStore,
  sentMailStore,
  ticketStore,
  type User,
} from '../users/index.ts'
import { auditJson, isoTime } from './labels.ts'

/** Rows of each list, the newest ones: far beyond any user, and a bound in case of a fault. */
const MOST = 10_000

/**
 * Everything stored about a user, as JSON has it: names in snake_case, times ISO 8601 in UTC, money in centavos. It holds no secret, no
 * hash of one, and nothing about others: an administrator appears as `operator`. Left out are public keys of passkeys, data that expires
 * within a day (limits, challenges, the change feed), sealed mails in the outbox, gateways' payloads, and the user's own actions towards
 * others. Decision 73 lists it table by table, and a test holds it to the schema. The number of reads does not grow with the user's rows.
 */
export async function readPersonalData(
  user: User,
  { storage, sealer, baseUrl, now }: { storage: Storage; sealer: Sealer; baseUrl: string; now: Now },
) {
  const { db } = storage
  const { id } = user
  const purchases = await userPurchaseStore(db).list(id, { limit: MOST })
  const events = await userPurchaseStore(db).listEvents([...new Set(purchases.map(({ streamId }) => streamId))])
  const email = user.emailVerifiedAt === undefined ? undefined : user.email
  const ids = events.flatMap(({ notificationId }) => (notificationId === undefined ? [] : [notificationId]))
  const notifications = await listOwnNotifications(db, { userId: id, email, ids: [...new Set(ids)], limit: MOST })
  return {
    format: 'portaria-personal-data/1',
    service: baseUrl,
    exported_at: isoTime(now()),
    profile: { ...profileJson(user), ...(await readOwnEdits(db, id)), tax_id: await readTaxId(user, { storage, sealer }) },
    sign_in: await readSignIn(db, user),
    sessions: await readSessions(db, id),
    consents: await readConsents(db, user),
    apps: (await openedAppStore(db).list(id, MOST)).map(({ product, firstOpenedAt }) => ({
      product,
      first_opened_at: isoTime(firstOpenedAt),
    })),
    purchases: purchases.map((purchase) => purchaseJson(purchase, user, events, now())),
    notifications: notifications.map(notificationJson),
    mails: (await sentMailStore(db).list(id, MOST)).map(({ kind, at }) => ({ kind, at: isoTime(at) })),
    links: await readLinks(db, id),
    audit: (await listAudit(db, { target: id, limit: MOST })).map((entry) => auditJson(entry, id)),
  }
}

function profileJson(user: User) {
  return {
    id: user.id,
    external_id: user.externalId ?? null,
    email: user.email,
    email_verified_at: isoTime(user.emailVerifiedAt),
    name: user.name,
    avatar_url: user.avatarUrl ?? null,
    company_name: user.companyName ?? null,
    rank_name: user.rankName ?? null,
    is_producer: user.isProducer,
    phone: user.phone ?? null,
    role: user.role ?? null,
    language: user.language ?? null,
    created_at: isoTime(user.createdAt),
    disabled_at: isoTime(user.disabledAt),
    deletion_due_at: isoTime(user.leavesAt),
  }
}

/** What a user has changed themselves: their picture as a file, and when they corrected their tax id. */
async function readOwnEdits(db: Queryable, id: string) {
  const picture = await pictureStore(db).findOfUser(id)
  const { correctedAt } = await ownTaxIdStore(db).find(id)
  return {
    picture: picture === undefined ? null : `data:image/png;base64,${picture.toString('base64')}`,
    tax_id_corrected_at: isoTime(correctedAt),
  }
}

/**
 * In full: for its own user, and for the owners and support staff who export a user's data, which is audited. `number` is null where
 * today's keys do not open the stored one.
 */
async function readTaxId(user: User, deps: { storage: Storage; sealer: Sealer }) {
  const taxId = await findTaxId(user, deps)
  if (taxId === undefined) return null
  return taxId === 'unreadable' ? { kind: null, number: null } : { kind: taxId.kind, number: formatPersonalId(taxId) }
}

/** A user's sign-in methods, without secrets. */
export async function readSignIn(db: Queryable, { id, passwordHash }: User) {
  const totp = await secondFactorStore(db).findTotp(id)
  const codesLeft = await secondFactorStore(db).countRecoveryCodes(id)
  const passkeys = await passkeyStore(db).listOfUser(id)
  const providers = await identityStore(db).listOfUser(id)
  return {
    has_password: passwordHash !== undefined,
    two_step_since: isoTime(totp?.confirmedAt),
    recovery_codes_left: codesLeft,
    passkeys: passkeys.map(({ name, createdAt, lastUsedAt }) => ({
      name,
      created_at: isoTime(createdAt),
      last_used_at: isoTime(lastUsedAt),
    })),
    providers: providers.map(({ issuer, subject, email, createdAt }) => ({
      issuer,
      subject,
      email: email ?? null,
      linked_at: isoTime(createdAt),
    })),
  }
}

/** A user's agreements, with their time and origin. */
export async function readConsents(db: Queryable, { id, beta }: User) {
  const nda = await betaUserStore(db).findNda(id)
  const sharings = await consentStore(db).listSharings(id, { limit: MOST })
  return { beta_user: beta !== undefined, nda: nda === undefined ? null : ndaJson(nda), sharings: sharings.map(sharingJson) }
}

async function readSessions(db: Queryable, userId: string) {
  return (await userSessionStore(db).listOfUser(userId, MOST)).map((row) => ({
    id: row.id,
    product: row.product,
    begun_at: isoTime(row.created_at),
    last_seen_at: isoTime(row.last_seen_at ?? undefined),
    expires_at: isoTime(row.expires_at),
    ended_at: isoTime(row.ended_at ?? undefined),
    ended_reason: row.ended_reason,
    // An administrator who impersonated the user: the address is the administrator's.
    by: row.impersonator_id === null ? 'you' : 'operator',
    ip: row.impersonator_id === null ? row.ip : null,
    user_agent: row.impersonator_id === null ? row.user_agent : null,
  }))
}

/** Mailed and not used yet; the address may be a new one that stands nowhere else. */
async function readLinks(db: Queryable, userId: string) {
  return (await ticketStore(db).listOfUser(userId, MOST)).map(({ purpose, email, createdAt, expiresAt }) => ({
    purpose,
    email,
    made_at: isoTime(createdAt),
    expires_at: isoTime(expiresAt),
  }))
}

function ndaJson({ at, version, textHash, ip, userAgent }: NdaAcceptance) {
  return { version, text_sha256: textHash, accepted_at: isoTime(at), ip, user_agent: userAgent }
}

function sharingJson({ product, scopes, grantedAt, ip, userAgent }: Sharing) {
  return { product, scopes, granted_at: isoTime(grantedAt), ip, user_agent: userAgent }
}

function purchaseJson(purchase: UserPurchase, { email }: User, events: readonly UserPurchaseEvent[], at: number) {
  const { plan, accessUntil, graceFrom } = purchase
  const payments = events.filter(({ streamId }) => streamId === purchase.streamId)
  return {
    id: purchase.id,
    plan_slug: plan?.slug ?? null,
    plan_name: plan?.name ?? null,
    price: plan?.price ?? null,
    product: purchase.product ?? null,
    product_user: purchase.productUser ?? null,
    bought_with_own_address: purchase.email === email,
    ...entitlementOf(purchase, at),
    method: purchase.method ?? null,
    current_period_end: isoTime(purchase.periodEnd),
    grace_until: graceFrom === undefined ? null : isoTime(accessUntil),
    changed_at: isoTime(purchase.changedAt),
    recorded_at: isoTime(purchase.createdAt),
    events: payments.map(({ kind, at: when, paymentId, amount, foreignAmount, method, periodEnd }) => ({
      kind,
      at: isoTime(when),
      payment_id: paymentId ?? null,
      amount: amount ?? null,
      foreign_amount: foreignAmount ?? null,
      method: method ?? null,
      period_end: isoTime(periodEnd),
    })),
  }
}

function notificationJson({ id, source, event, status, receivedAt, payload }: OwnNotification) {
  return { id, source, event, status, received_at: isoTime(receivedAt), payload: payload === undefined ? null : JSON.parse(payload) }
}
