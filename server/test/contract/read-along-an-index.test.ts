import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { after, before, describe, it } from 'node:test'
import { createSqlite } from '../support/databases.ts'
import { askAccess, type Connected, deliver, openSchool } from '../support/gateways/gateways.ts'
import { refundOf, sale } from '../support/gateways/made-events.ts'
import { activated, completed, later, notify, WEBHOOKS } from '../support/gateways/purchases.ts'
import { PASSWORD, startService, type TestService } from '../support/service.ts'
import { adminOf } from '../support/users/admins.ts'

/** Tables that hold a row for each user, purchase, event or day, and the columns that single out few of their rows. */
const SELECTIVE: Record<string, RegExp> = {
  subscriptions: /\b(id|stream_id|email|email_hash|user_id|product_user)=\?|\(email>\? AND email<\?\)/,
  event_streams: /\b(id|ref|merged_into)=\?/,
  subscription_events: /\b(stream_id|notification_id|payment_id)=\?/,
  notifications: /\b(id|digest|subject|subscription_id)=\?/,
  notification_terms: /\bterm=\?/,
  gateway_payments: /\b(alias|payment_id|stream_ref)=\?/,
  pending_notifications: /\b(name|notification_id)=\?/,
  users: /\b(id|email)=\?|\(email>\? AND email<\?\)/,
  sessions: /\b(id|user_id|parent_id|bound_hash)=\?/,
}

describe('A purchase, a delivery, the question whether it was paid, a sign-in and a user’s access, on SQLite', () => {
  let node: TestService
  let school: Connected
  const seen = new Set<string>()
  before(async () => {
    const { url } = await createSqlite('in_memory', 'tables')
    node = await startService({ url }, { environment: WEBHOOKS, stops: 'by_caller' })
    school = await openSchool(node, 'stripe')
  })

  after(() => node.stop())

  /** All statements that the service prepares while `work` runs. */
  async function record(work: () => Promise<unknown>): Promise<void> {
    const { prepare } = DatabaseSync.prototype
    DatabaseSync.prototype.prepare = function (this: DatabaseSync, sql: string): StatementSync {
      seen.add(sql)
      return prepare.call(this, sql)
    }
    try {
      await work()
    } finally {
      DatabaseSync.prototype.prepare = prepare
    }
  }

  it('read no more rows the more users and purchases there are', async () => {
    const email = `${randomUUID()}@exemplo.com.br`
    const productId = school.product.product.id
    const [id, intent] = [randomUUID(), `pi_${randomUUID()}`]
    const whose = { subscription_id: id, product_id: productId }
    const support = await adminOf(node, 'apoio@exemplo.com.br', 'support')
    await record(async () => {
      await notify(node.url, completed({ email, productId, plan: 'curso' }))
      await notify(node.url, activated({ email, id, product_id: productId, name: 'Curso', amount: 9_990 }))
      await notify(node.url, later('subscription.renewed', { ...whose, payment_id: 'pedido-2' }))
      await notify(node.url, later('payment.refunded', { ...whose, payment_id: 'pedido-2' }))
      await deliver(school, sale(intent, email, {}))
      await deliver(school, refundOf(intent, {}))
      await askAccess(node, school, email)
      const user = await node.user(email)
      await node.browser().signIn('/login', { email: user.email, password: PASSWORD })
      // Of a purchase without a buyer the nearest are looked for, and for a user the purchases that may be theirs.
      await notify(node.url, completed({ email: `x${email}`, productId, plan: 'curso' }))
      const access = await support.get(`/users/${user.id}/access`)
      const [possible] = access.json<{ unlinked: { subscription_id: string }[] }>().unlinked
      assert.equal((await support.get(`/subscriptions/${possible?.subscription_id}`)).status, 200)
    })
    const explained = [...seen].filter((sql) => /^\s*(select|insert|update|delete|with)\b/i.test(sql))
    for (const table of Object.keys(SELECTIVE))
      assert.ok(
        explained.some((sql) => new RegExp(`\\b${table}\\b`).test(sql)),
        `${table} was not asked`,
      )
    for (const sql of explained) assert.deepEqual(widely(sql), [], sql)
  })

  it('leave the console’s first page to days, and to the few notifications that are not processed', async () => {
    seen.clear()
    const owner = await adminOf(node, 'dona@exemplo.com.br', 'owner')
    await record(async () => {
      for (const page of ['/overview?month=now', '/reports/monthly']) assert.equal((await owner.get(page)).status, 200)
      await deliver(school, 'no JSON')
    })
    const counted = [...seen].filter((sql) => /^\s*select\b/i.test(sql) && /\bnotifications\b/.test(sql))
    assert.ok(counted.length > 0)
    const alongAnIndex = /\b(status|id|digest|subject|subscription_id)=\?|\(id>\? AND id<\?\)/
    for (const sql of counted)
      assert.deepEqual(
        stepsOf(sql).filter((detail) => /^(SCAN|SEARCH) notifications\b/.test(detail) && !alongAnIndex.test(detail)),
        [],
        sql,
      )
  })

  it('leave the lists behind a figure to the rows of its days, its plan and its currency, in their order', async () => {
    const owner = await adminOf(node, 'dona.das.listas@exemplo.com.br', 'owner')
    const { data } = (await owner.get('/plans')).json<{ data: Array<{ id: string }> }>()
    const plan = `plan_id=${data[0]?.id}`
    const along = {
      'active_on=2026-10-31&figure=mrr': [/^SEARCH price .*\(currency=\? AND from_at<\?/],
      'active_on=2026-10-31&figure=mrr&currency=USD&sort=created_at': [/^SEARCH price .*\(currency=\? AND from_at<\?/],
      [`active_on=2026-10-31&figure=mrr&${plan}`]: [/^SEARCH price .*\(currency=\? AND plan_id=\? AND from_at<\?/],
      'active_on=2026-10-31&figure=mrr&changed=new': [
        /^SEARCH change .*\(zone=\? AND name=\? AND day>\?/,
        /^SEARCH price .*\(stream_id=\?\)/,
      ],
      [`active_on=2026-10-31&changed=new&${plan}`]: [/^SEARCH span .*\(stream_id=\?\)/],
      [`active_on=2026-10-31&figure=mrr&changed=new&${plan}`]: [/^SEARCH price .*\(stream_id=\?\)/],
      [`changed=lost&${plan}`]: [/^SEARCH change .*\(zone=\? AND name=\? AND plan_id=\? AND day>\?/, /^SEARCH later .*\(stream_id=\?\)/],
    }
    for (const [query, steps] of Object.entries(along)) {
      seen.clear()
      await record(async () => assert.equal((await owner.get(`/subscriptions?${query}`)).status, 200))
      const listed = [...seen].filter((sql) => /^select .*"report_(prices|changes)"/i.test(sql))
      assert.equal(listed.length, 1, query)
      const read = stepsOf(listed[0] ?? '')
      for (const step of steps)
        assert.ok(
          read.some((detail) => step.test(detail)),
          `${query}: ${read.join('; ')}`,
        )
      assert.deepEqual(
        read.filter((detail) => /^SCAN|TEMP B-TREE/.test(detail)),
        [],
        query,
      )
    }
  })

  it('leave the lists of sign-ins to the rows of a kind, an account, an address or a method, in their order', async () => {
    const owner = await adminOf(node, 'dona.das.entradas@exemplo.com.br', 'owner')
    const along = {
      'failed-sign-ins': /^SCAN failed USING INDEX sqlite_autoindex_failed_sign_ins_1$/,
      'failed-sign-ins?of_users=true': /^SCAN failed USING (COVERING )?INDEX failed_sign_ins_of_users$/,
      'failed-sign-ins?kind=wrong_code': /^SEARCH failed USING INDEX failed_sign_ins_kind \(kind=\?\)/,
      'failed-sign-ins?kind=wrong_code&of_users=true': /^SEARCH failed USING INDEX failed_sign_ins_kind_of_users \(kind=\?\)/,
      'failed-sign-ins?ip=192.0.2.1&of_users=true': /^SEARCH failed USING INDEX failed_sign_ins_ip \(ip=\?\)/,
      [`failed-sign-ins?user_id=${owner.id}`]: /^SEARCH failed USING INDEX failed_sign_ins_user \(user_id=\?\)/,
      'sessions?sign_in=true&sign_in_method=passkey': /^SEARCH sessions USING INDEX sessions_sign_in_method \(sign_in_method=\?\)/,
    }
    for (const [query, step] of Object.entries(along)) {
      seen.clear()
      await record(async () => assert.equal((await owner.get(`/${query}`)).status, 200))
      const listed = [...seen].filter((sql) => /^select .* (?:from "failed_sign_ins"|from "sessions" inner join "users")/i.test(sql))
      const [read = []] = listed.map(stepsOf)
      assert.ok(
        read.some((detail) => step.test(detail)),
        `${query}: ${read.join('; ')}`,
      )
      assert.deepEqual(
        read.filter((detail) => /TEMP B-TREE/.test(detail)),
        [],
        query,
      )
    }
  })

  /** The steps of a statement that read rows by something that many of them share. */
  function widely(sql: string): string[] {
    const names = new Map([...sql.matchAll(/"?(\w+)"? as "?(\w+)"?/g)].map(([, table = '', alias = '']) => [alias, table]))
    return stepsOf(sql).filter((detail) => {
      const [, how, name = ''] = /^(SCAN|SEARCH) (\w+)/.exec(detail) ?? []
      const reason = SELECTIVE[names.get(name) ?? name]
      return reason && (how === 'SCAN' || !reason.test(detail))
    })
  }

  function stepsOf(sql: string): string[] {
    const db = new DatabaseSync(node.config.database.dialect === 'sqlite' ? node.config.database.file : '')
    const steps = db.prepare(`explain query plan ${sql}`).all()
    db.close()
    return steps.map(({ detail }) => String(detail))
  }
})
