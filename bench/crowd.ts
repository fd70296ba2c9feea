import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { House } from '../server/src/app.ts'
import { searchWords } from '../server/src/kit/index.ts'

/** Rows of one statement: far below what either database takes. */
const AT_ONCE = 400
const DAY_MS = 86_400_000

const FIRST = ['Ana', 'Bia', 'Caio', 'Davi', 'Eva', 'Flávia', 'Gil', 'Helena', 'Íris', 'João']
const LAST = ['Souza', 'Conceição', 'Lima', 'Rocha', 'Prado', 'Nunes', 'Alves', 'Teixeira', 'Barros', 'Moura']

/** What lists are asked for in a crowd: things that are there, common and rare. */
export interface Crowd {
  users: number
  productId: string
  planId: string
  /** Somebody in the middle. */
  person: { id: string; email: string }
}

/**
 * Fills a database with people, each with a session and what was bought and done: five events a person (two notifications, two entries of the audit log, one piece of news).
 * A thousandth of all is rare: disabled, refunded, unresolved, with a role.
 */
export async function fillCrowd({ storage: { db, address } }: House, users: number): Promise<Crowd> {
  const start = Date.now() - 29 * DAY_MS
  const at = (n: number) => start + Math.floor((n / users) * 28 * DAY_MS)
  const [productId, planId] = [idOf(start, 7, 0), idOf(start, 8, 0)]
  const product = {
    id: productId,
    slug: 'crowd',
    name: 'Crowd',
    audience: 'external',
    checkout: 'external',
    handoff: 'eg_token',
    scopes: 'read:email',
  }
  await db
    .insertInto('products')
    .values({ ...product, publishable_key: 'pk_crowd', query_key_allowed: 0, created_at: start, updated_at: start })
    .execute()
  await db
    .insertInto('plans')
    .values({ id: planId, scope: productId, slug: 'crowd', name: 'Crowd', price: 4_900, created_at: start, updated_at: start })
    .execute()
  for (let from = 0; from < users; from += AT_ONCE) {
    const numbers = Array.from({ length: Math.min(AT_ONCE, users - from) }, (_, i) => from + i)
    const people = numbers.map((n) => ({
      n,
      id: idOf(at(n), 1, n),
      email: emailOf(n),
      name: nameOf(n),
      at: at(n),
      isRare: n % 1_000 === 7,
    }))
    await db
      .insertInto('users')
      .values(
        people.map(({ id, email, at: created_at, isRare }) => ({
          ...{ id, email, created_at, email_verified_at: created_at, updated_at: created_at, password_hash: null, language: null },
          ...{ role: isRare ? 'viewer' : null, disabled_at: isRare ? created_at : null },
        })),
      )
      .execute()
    const company = {
      avatar_url: null,
      company_name: null,
      rank_name: null,
      tax_id_kind: null,
      tax_id_sealed: null,
      tax_id_hash: null,
      phone: null,
    }
    await db
      .insertInto('users_company')
      .values(
        people.map(({ id, name, at: updated_at, isRare }) => ({ ...company, user_id: id, name, is_producer: isRare ? 1 : 0, updated_at })),
      )
      .execute()
    const words = people.flatMap(({ id, email, name }) => searchWords(email, name).map((word) => ({ word, user_id: id })))
    await db.insertInto('user_words').values(words).execute()
    await db
      .insertInto('sessions')
      .values(
        people.map(({ n, id, at: created_at, isRare }) => ({
          ...{
            id: idOf(created_at, 2, n),
            user_id: id,
            product_id: isRare ? productId : null,
            parent_id: null,
            bound_hash: null,
            created_at,
          },
          ...{ expires_at: created_at + 30 * DAY_MS, ended_at: n % 10 === 3 ? created_at + 1 : null, ended_reason: null },
          ...{
            ip: `198.51.${Math.floor(n / 251) % 251}.${n % 251}`,
            user_agent: 'Mozilla/5.0',
            proven_at: created_at,
            last_seen_at: created_at,
          },
        })),
      )
      .execute()
    await sell(people)
    await audit(people)
  }
  // As its own housekeeping would soon. SQLite is left as it is in life: nobody counts its rows there.
  if (address.dialect === 'postgres') await sql`vacuum analyze`.execute(db)
  const middle = Math.floor(users / 2)
  return { users, productId, planId, person: { id: idOf(at(middle), 1, middle), email: emailOf(middle) } }

  type Person = { n: number; id: string; email: string; at: number; isRare: boolean }

  async function sell(people: readonly Person[]): Promise<void> {
    await db
      .insertInto('notifications')
      .values(
        people.flatMap(({ n, email, at: received_at, isRare }) =>
          [4, 5].map((kind) => ({
            ...{
              id: idOf(received_at, kind, n),
              source: isRare ? 'asaas' : 'purchase',
              product_id: isRare ? productId : null,
              digest: `${kind}.${n}`,
            },
            ...{
              event: 'purchase.completed',
              status: isRare ? 'unresolved' : 'processed',
              why: null,
              subject: email,
              payload: '{"event":"purchase.completed"}',
            },
            ...{ query: null, told: null, subscription_id: null, received_at, settled_at: null },
          })),
        ),
      )
      .execute()
    await db
      .insertInto('subscription_lines')
      .values(
        people.map(({ n, at: created_at }) => ({
          id: idOf(created_at, 6, n),
          source: 'purchase',
          ref: `crowd ${n}`,
          product_id: productId,
          buyer_forgotten_at: null,
          merged_into: null,
          created_at,
        })),
      )
      .execute()
    await db
      .insertInto('subscription_events')
      .values(
        people.map(({ n, email, at: when }) => ({
          ...{
            line_id: idOf(when, 6, n),
            key: `k${n}`,
            kind: 'paid',
            at: when,
            plan_id: planId,
            email,
            payment_id: `p${n}`,
            amount: 4_900,
            method: 'pix',
          },
          ...{ period_end: null, notification_id: idOf(when, 4, n), recorded_at: when },
        })),
      )
      .execute()
    await db
      .insertInto('subscriptions')
      .values(
        people.map(({ n, id, email, at: when, isRare }) => ({
          ...{
            id: idOf(when, 9, n),
            line_id: idOf(when, 6, n),
            number: 0,
            product_id: productId,
            plan_id: planId,
            email,
            email_hash: null,
          },
          ...{
            user_id: n % 2 === 0 ? id : null,
            product_user: null,
            claim_closed_at: null,
            state: isRare ? 'refunded' : 'active',
            method: 'pix',
          },
          ...{ period_end: null, grace_from: null, access_until: null, changed_at: when, created_at: when },
        })),
      )
      .execute()
  }

  async function audit(people: readonly Person[]): Promise<void> {
    await db
      .insertInto('audit')
      .values(
        people.flatMap(({ n, id, at: when, isRare }) =>
          [10, 11].map((kind) => ({
            ...{
              id: idOf(when, kind, n),
              at: when,
              actor: isRare ? 'operator:cli' : `user:${id}`,
              action: isRare ? 'user.disable' : 'user.change',
              target: id,
            },
            ...{ before: null, after: '{"name":"x"}', reason: null, ip: '198.51.100.7' },
          })),
        ),
      )
      .execute()
  }
}

/** In the order of time, as the service's own ids are. */
function idOf(at: number, kind: number, n: number): string {
  const time = at.toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7${kind.toString(16).padStart(3, '0')}-8000-${n.toString(16).padStart(12, '0')}`
}

function emailOf(n: number): string {
  return `pessoa.${String(n).padStart(7, '0')}@crowd.example`
}

function nameOf(n: number): string {
  return `${FIRST[n % 10]} ${LAST[Math.floor(n / 10) % 10]} ${randomUUID().slice(0, 8)}`
}
