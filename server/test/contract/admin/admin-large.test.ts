import assert from 'node:assert/strict'
import { before, it } from 'node:test'
import { fillSeed, MIXED, type Seed } from '../../../../bench/harness/seed.ts'
import { eachDatabase } from '../../support/databases.ts'
import { startForSuite } from '../../support/service.ts'
import { type Admin, adminOf, listAll } from '../../support/users/admins.ts'

/** Above 2,000 the lists choose other ways. */
const USERS = 2_500
const DAY_MS = 86_400_000

eachDatabase('Lists of very many in the admin API', (database) => {
  const service = startForSuite(database)
  let seed: Seed
  let owner: Admin
  before(async () => {
    seed = await fillSeed(service().context, USERS, MIXED)
    owner = await adminOf(service(), 'zelador@example.com', 'owner')
  })

  it('have everybody who fits and nobody else, in each order, page by page', async () => {
    const { db } = service().context.storage
    const users = await db.selectFrom('users').innerJoin('users_company', 'user_id', 'id').selectAll().execute()
    const then = Date.now() - 18 * DAY_MS
    const lately = Date.now() - 3 * DAY_MS
    const fits = {
      'q=pessoa': ({ email }) => email.startsWith('pessoa'),
      'q=ana+pessoa': ({ name, email }) => name.startsWith('Ana') && email.startsWith('pessoa'),
      'q=conceicao': ({ name }) => name.includes('Conceição'),
      'q=conceicao&role=any': ({ name, role }) => name.includes('Conceição') && role !== null,
      'role=any': ({ role }) => role !== null,
      'role=viewer': ({ role }) => role === 'viewer',
      'disabled=true': ({ disabled_at }) => disabled_at !== null,
      'producer=true': ({ is_producer }) => is_producer === 1,
      'producer=false&role=any': ({ is_producer, role }) => is_producer === 0 && role !== null,
      [`created_since=${new Date(then).toISOString()}`]: ({ created_at }) => created_at >= then,
      [`created_since=${new Date(lately).toISOString()}`]: ({ created_at }) => created_at >= lately,
      [`producer=true&created_until=${new Date(then).toISOString()}`]: ({ is_producer, created_at }) =>
        is_producer === 1 && created_at < then,
    } satisfies Record<string, (user: (typeof users)[number]) => boolean>
    for (const [query, isOne] of Object.entries(fits)) {
      const ids = users.filter(isOne).map(({ id }) => id)
      const emails = users.filter(isOne).map(({ email }) => email)
      const listed = async (order: string) => await listAll(owner, `/users?${query}${order}`, 100)
      assert.deepEqual(
        (await listed('')).map(({ id }) => id),
        ids.toSorted().reverse(),
        query,
      )
      assert.deepEqual(
        (await listed('&sort=created_at')).map(({ id }) => id),
        ids.toSorted(),
        query,
      )
      assert.deepEqual(
        (await listed('&sort=email')).map(({ email }) => email),
        emails.toSorted(),
        query,
      )
      assert.deepEqual(
        (await listed('&sort=-email')).map(({ email }) => email),
        emails.toSorted().reverse(),
        query,
      )
    }
  })

  it('have the sessions that are good now, the oldest first', async () => {
    const { db } = service().context.storage
    const sessions = await db.selectFrom('sessions').selectAll().orderBy('id').execute()
    const live = sessions.filter(({ ended_at, expires_at }) => ended_at === null && expires_at > Date.now())
    assert.ok(live.length > USERS / 2 && live.length < USERS)
    const found = await listAll(owner, '/sessions?live=true&sort=created_at', 100)
    assert.deepEqual(
      found.map(({ id }) => id),
      live.map(({ id }) => id),
    )
  })

  it('have the subscriptions of one plan, and those that are guests’ and that are not', async () => {
    const { db } = service().context.storage
    const all = await db.selectFrom('subscriptions').selectAll().orderBy('id', 'desc').execute()
    for (const [query, isOne] of [
      [`plan_id=${seed.rarePlanId}`, ({ plan_id }) => plan_id === seed.rarePlanId],
      [`plan_id=${seed.planId}&state=refunded`, () => false],
      ['guest=true', ({ user_id }) => user_id === null],
      ['guest=false', ({ user_id }) => user_id !== null],
    ] satisfies Array<[string, (one: (typeof all)[number]) => boolean]>)
      assert.deepEqual(
        (await listAll(owner, `/subscriptions?${query}`, 100)).map(({ id }) => id),
        all.filter(isOne).map(({ id }) => id),
        query,
      )
  })
})
