import assert from 'node:assert/strict'
import { request } from 'node:http'
import { it } from 'node:test'
import { type RawBuilder, sql } from 'kysely'
import { deleteUser, findUser } from '../../../src/admin/index.ts'
import { applyEvent, endSubscription, refundSubscription } from '../../../src/payment-history/index.ts'
import { migrate, openStorage, parseDatabaseUrl, type Storage } from '../../../src/storage/index.ts'
import {
  moveSubscription,
  OPERATOR_SCOPE,
  planStore,
  type SubscriptionLink,
  setGrace,
  unlinkSubscription,
} from '../../../src/subscriptions/index.ts'
import { eachDatabase, type TestDatabase } from '../../support/databases.ts'
import { activated, bring, completed, notify, received, subscriptionsOf, WEBHOOKS } from '../../support/gateways/purchases.ts'
import { startForSuite, startService, type TestService } from '../../support/service.ts'
import { until } from '../../support/until.ts'

const CHECK = '/api/saas/check-access'

/** Sends exactly these bytes in the request line; `fetch` would normalise them. */
function ask({ url }: TestService, address: string, key?: string): Promise<{ status: number; active: unknown; body: string }> {
  const { hostname, port } = new URL(url)
  const headers = key === undefined ? {} : { authorization: `Bearer ${key}` }
  return new Promise((resolve, reject) => {
    const sent = request({ hostname, port, path: address, headers }, (answer) => {
      let body = ''
      answer.setEncoding('utf8').on('data', (part: string) => {
        body += part
      })
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, active: JSON.parse(body).active, body }))
    })
    sent.on('error', reject).end()
  })
}

let products = 0
const shop = (service: TestService) => service.product({ slug: `loja-${++products}`, audience: 'external', checkout: 'external' })

eachDatabase('Access that nobody has paid for, or no longer has', (database: TestDatabase) => {
  const started = startForSuite(database, { environment: WEBHOOKS })
  const operator = () => ({ ...started().context, actor: 'operator:test' })
  const remove = async (id: string) => {
    const user = (await findUser(started().context.storage.db, id)) ?? assert.fail('no such user')
    assert.equal(await deleteUser(user, operator()), undefined)
  }

  it('sessions survive deletion (24): the sub of a deleted account opens nothing, though a product has linked it to what was bought', async () => {
    const service = started()
    const { product, apiKey } = await shop(service)
    const [email, other] = ['apagada@exemplo.com.br', 'outra-caixa@exemplo.com.br']
    const { id } = await service.user(email)
    for (const address of [email, other]) {
      await notify(service.url, completed({ email: address, productId: product.id }))
      assert.equal((await ask(service, `${CHECK}?user_id=${id}&email=${address}`, apiKey)).active, true)
    }
    // A later one of the two links only where the first shows nothing active, so the second is linked here as that check would.
    await service.context.storage.db.updateTable('subscriptions').set({ product_user: id }).where('email', '=', other).execute()
    await remove(id)
    for (const query of [`user_id=${id}`, `user_id=${id}&email=${email}`])
      assert.match((await ask(service, `${CHECK}?${query}`, apiKey)).body, /"reason":"no_subscription"/, query)
    assert.equal((await ask(service, `${CHECK}?email=${other}`, apiKey)).active, true, 'what another address has bought stays its own')
  })

  it('opaque ids: two users whose ids are bytes that are no UTF-8 are not taken for one', async () => {
    const service = started()
    const { product, apiKey } = await shop(service)
    const email = 'jose@exemplo.com.br'
    await notify(service.url, completed({ email, productId: product.id }))
    for (const id of ['jos%e9', 'jos%e8', '%ff', 'a%c3', '%ed%a0%80', 'jos%ef%bf%bd']) {
      const answer = await ask(service, `${CHECK}?user_id=${id}&email=${email}`, apiKey)
      assert.deepEqual([answer.status, answer.body], [400, '{"error":"parametros invalidos"}'], id)
    }
    assert.equal((await ask(service, `${CHECK}?user_id=jos%c3%a9&email=${email}`, apiKey)).active, true)
  })

  it('remembered answers: however a question is written, it answers nobody but its product, and nobody after a refund', async () => {
    const service = started()
    const [own, foreign] = [await shop(service), await shop(service)]
    const sold = await bring(service, { ref: 'escrita', kind: 'paid', email: 'ana+x@exemplo.com.br', productId: own.product.id })
    const email = 'ana%2Bx%40exemplo.com.br'
    const granted = [
      `?user_id=u1&email=${email}`,
      `?email=${email}&user_id=u1`,
      '?user%5Fid=u1',
      '?user_id=%75%31',
      '?user_id=u1&email=',
      '?user_id=u1&email=+',
      '??user_id=u1&user_id=u1',
      '?&&user_id=u1&junk=%00%ff;',
      `?user_id=u1&api_key=${own.apiKey}`,
      `?user_id=u1&api%5Fkey=${own.apiKey}`,
    ].map((query) => `${CHECK}${query}`)
    const addresses = [...granted, `/api/saas/check%2Daccess?user_id=u1`, `http://elsewhere${CHECK}?user_id=u1`]
    const refused = [
      '?user_id=U1',
      '?user_id=+u1',
      '?user_id=u1%20',
      '?user_id=u1#x',
      '?user_id=u1%23',
      '?user_id=u1;x=1',
      '?user_id=u%25311',
    ]
    const twice = async (address: string, key?: string) => [await ask(service, address, key), await ask(service, address, key)]
    await ask(service, `${CHECK}?user_id=u1&email=${email}`, own.apiKey)
    for (const address of addresses.filter((one) => !one.startsWith(`${CHECK}??`)))
      for (const answer of await twice(address, own.apiKey)) assert.equal(answer.active, true, address)
    for (const address of [...addresses, ...refused.map((query) => `${CHECK}${query}`)]) {
      for (const answer of await twice(address, foreign.apiKey)) assert.notEqual(answer.active, true, `another product: ${address}`)
      if (!/api(_|%5F)key/.test(address)) assert.equal((await ask(service, address)).status, 401, address)
    }
    for (const query of refused) for (const answer of await twice(`${CHECK}${query}`, own.apiKey)) assert.equal(answer.active, false, query)
    await refundSubscription(sold.id, 'attacked', operator())
    for (const address of addresses) assert.notEqual((await ask(service, address, own.apiKey)).active, true, address)
  })

  it('remembered answers: a question that is long on purpose is answered, and takes no memory', async () => {
    const service = started()
    const { product, apiKey } = await shop(service)
    await bring(service, { ref: 'longa', kind: 'paid', email: 'longa@exemplo.com.br', productId: product.id })
    const remembered = async () => {
      const metrics = await (await fetch(`${service.url}/metrics`)).text()
      return Number(/^portaria_remembered_access (\d+)$/m.exec(metrics)?.[1])
    }
    const before = await remembered()
    const question = `${CHECK}?user_id=u1&email=longa@exemplo.com.br`
    for (const junk of ['a', 'b', 'c']) assert.equal((await ask(service, `${question}&x=${junk.repeat(9_000)}`, apiKey)).active, true)
    assert.equal(await remembered(), before)
    assert.equal((await ask(service, question, apiKey)).active, true)
    assert.equal(await remembered(), before + 1)
  })

  it('remembered answers: a refund reported to one node shows on the other within two seconds', async () => {
    const place = await database.fresh()
    const [one, other] = [await startService(place, { environment: WEBHOOKS }), await startService(place, { environment: WEBHOOKS })]
    const { product, apiKey } = await shop(one)
    const sold = await bring(one, { ref: 'r', kind: 'paid', email: 'dois@exemplo.com.br', productId: product.id })
    const question = `${CHECK}?user_id=u1&email=dois@exemplo.com.br`
    for (const node of [one, other, other]) assert.equal((await ask(node, question, apiKey)).active, true)
    await refundSubscription(sold.id, 'attacked', { ...one.context, actor: 'operator:test' })
    assert.equal((await ask(one, question, apiKey)).active, false)
    await until(async () => !(await ask(other, question, apiKey)).active, 2_000)
  })

  it('grace: an event that is under way while the days change counts with the new ones', async () => {
    const service = started()
    const { storage, changes } = service.context
    const { product } = await shop(service)
    const at = service.context.now()
    const planId = (await planStore(storage.db).list(OPERATOR_SCOPE))[0]?.id
    const none = { paymentId: undefined, amount: undefined, method: 'card', periodStart: undefined } as const
    const event = { ...none, key: 'k', kind: 'paid', at, planId, email: 'prazo@exemplo.com.br', periodEnd: at } as const
    const events = { stream: { source: 'test', ref: 'prazo' }, productId: product.id, event, notificationId: undefined }
    const [applied, mayEnd] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const announced = changes.transaction(async (tx, announce) => {
      await applyEvent(tx, events, { announce, storage, at })
      applied.resolve()
      await mayEnd.promise
    })
    await applied.promise
    const set = setGrace(product.slug, [{ method: 'card', days: 30 }], operator())
    await Promise.race([set, new Promise((resolve) => setTimeout(resolve, 300))])
    mayEnd.resolve()
    await Promise.all([announced, set])
    const [bought] = await subscriptionsOf(service, 'prazo@exemplo.com.br')
    assert.equal(bought?.access_until, at + 30 * 86_400_000)
  })

  it('times: none, however far away or oddly written, is a fault of the service or undoes a refund', async () => {
    const service = started()
    const [email, productId] = ['relogio@exemplo.com.br', '0199c0de-0000-7000-8000-000000000003']
    const send = async (at: string) => (await notify(service.url, completed({ email, at, productId }))).status
    assert.equal(await send(new Date(service.clock.now).toISOString()), 200)
    const [bought] = await subscriptionsOf(service, email)
    await refundSubscription(bought?.id ?? '', 'attacked', operator())
    service.clock.now += 60_000
    for (const at of ['0000-01-01T00:00:00+23:59', '0001-01-01T00:00:00Z', '0000-02-29T00:00Z', `2026-01-01T00:00:00.${'1'.repeat(200)}Z`])
      assert.equal(await send(at), 200, at)
    const none = [
      '+275760-09-13T00:00:00Z',
      '-000001-01-01T00:00:00Z',
      '2026-01-01T24:00:00Z',
      '2016-12-31T23:59:60Z',
      '2026-02-30T00:00:00Z',
    ]
    for (const at of [
      ...none,
      '2026-01-01',
      '2026-01-01T00:00:00Z\n',
      '2026-01-01T00:00:00+24:00',
      '\u0662026-01-01T00:00:00Z',
      'T1'.repeat(9_000),
    ])
      assert.equal(await send(at), 400, at)
    assert.deepEqual(
      (await subscriptionsOf(service, email)).map(({ state }) => state),
      ['refunded'],
    )
  })
})

eachDatabase('What is left of a buyer who is gone', (database) => {
  const started = startForSuite(database, { environment: WEBHOOKS })
  const operator = () => ({ ...started().context, actor: 'operator:test' })

  it('no address stands in the audit log, though a product uses addresses as its ids', async () => {
    const service = started()
    const { product, apiKey } = await shop(service)
    const email = 'clara@exemplo.com.br'
    await service.user('herdeira@exemplo.com.br')
    await notify(service.url, completed({ email, productId: product.id }))
    const link = () => ask(service, `${CHECK}?user_id=${email}&email=${email}`, apiKey)
    await link()
    const id = (await subscriptionsOf(service, email))[0]?.id ?? assert.fail('nothing bought')
    const links: readonly SubscriptionLink[] = ['product_user']
    for (const action of [
      () => unlinkSubscription(id, { links, reason: 'asked' }, operator()),
      () => moveSubscription(id, { to: 'herdeira@exemplo.com.br', reason: 'asked' }, operator()),
      () => endSubscription(id, 'asked', operator()),
      () => refundSubscription(id, 'asked', operator()),
    ]) {
      assert.ok(!('refusal' in (await action())))
      await link()
    }
    const entries = await service.context.storage.db.selectFrom('audit').selectAll().where('target', '=', id).orderBy('id').execute()
    assert.equal(entries.length, 4)
    assert.doesNotMatch(JSON.stringify(entries), /clara/)
    const [unlinked] = entries
    assert.notDeepEqual(unlinked?.before, unlinked?.after, 'that a link went can still be seen')
  })

  it('no name that stands where a field’s name should, and no number of the user, stays in a notification', async () => {
    const service = started()
    const email = 'dados@exemplo.com.br'
    const { id } = await service.user(email)
    const body = completed({ email })
    await notify(service.url, {
      ...body,
      customer: { email, id: '529.982.247-25' },
      company: { id: '12.345.678/0001-95' },
      metadata: { [email]: { id: 'x1', amount: 3 }, 'Maria Silva': { status: 'ok' }, sale: { id: 'sale-7' } },
    })
    const user = (await findUser(service.context.storage.db, id)) ?? assert.fail('no such user')
    await deleteUser(user, operator())
    const kept = JSON.parse((await received(service)).at(-1)?.payload ?? '')
    assert.deepEqual(kept, { event: body.event, product: body.product, timestamp: body.timestamp, metadata: { sale: { id: 'sale-7' } } })
  })

  it('nothing but the domain of an address is logged, whatever is sent', async () => {
    const service = started()
    for (const email of ['log@exemplo.com.br', 'l\u0000g@exemplo.com.br', `log@${'x'.repeat(900)}.com.br`, 'log@'])
      for (const body of [completed({ email }), completed({ email, plan: 'a\u0000' }), activated({ email, name: '\ud800' })])
        await notify(service.url, body)
    assert.doesNotMatch(service.log(), /log@|"level":"(?:error|fatal)"/)
  })
})

eachDatabase('Transactions that end badly', (database) => {
  const open = async (url: string): Promise<Storage> => {
    const storage = await openStorage(parseDatabaseUrl(url) ?? assert.fail('no address of a database'))
    await migrate(storage)
    return storage
  }
  const put = (name: string) => ({ name, value: 'kept' })
  const kept = async ({ db }: Storage) =>
    (await db.selectFrom('settings').select('name').where('name', 'like', 't-%').orderBy('name').execute()).map(({ name }) => name)

  it('are kept whole or not at all when the database is closed while they are under way', async () => {
    const { url } = await database.fresh()
    const storage = await open(url)
    const names = ['t-1', 't-2', 't-3', 't-4', 't-5', 't-6']
    const writing = storage.transaction(async (tx) => {
      for (const name of names) await tx.insertInto('settings').values(put(name)).execute()
    })
    for (let step = 0; step < 12; step++) await undefined
    const [written] = await Promise.allSettled([writing, storage.close()])
    const again = await open(url)
    assert.deepEqual(await kept(again), written.status === 'fulfilled' ? names : [])
    await again.close()
  })

  it('write nothing more once the database has rolled them back, though nobody heeds the fault', async () => {
    const storage = await open((await database.fresh()).url)
    const undo = await rollingBack(storage, database.name)
    const heedless = storage.transaction(async (tx) => {
      await tx.insertInto('settings').values(put('t-before')).execute()
      await undo.execute(tx).catch(() => undefined)
      await tx
        .insertInto('settings')
        .values(put('t-after'))
        .execute()
        .catch(() => undefined)
    })
    const others = ['t-a', 't-b'].map((name) => storage.transaction((tx) => tx.insertInto('settings').values(put(name)).execute()))
    const [first, ...rest] = await Promise.allSettled([heedless, ...others])
    // PostgreSQL answers COMMIT of such a transaction with ROLLBACK, and no fault.
    if (database.name === 'sqlite') assert.equal(first?.status, 'rejected')
    assert.ok(rest.every(({ status }) => status === 'fulfilled'))
    assert.deepEqual(await kept(storage), ['t-a', 't-b'])
    await storage.close()
  })

  it('leave nothing behind and take nothing along in a storm of good, refused and broken ones', async () => {
    const storage = await open((await database.fresh()).url)
    const undo = await rollingBack(storage, database.name)
    const announced = { kept: new Set<string>(), refused: new Set<string>() }
    const action = (name: string, kind: number) => {
      const row = () => storage.db.insertInto('settings').values(put(name)).execute()
      if (kind === 0) return row()
      return storage.transaction(async (tx) => {
        await tx.insertInto('settings').values(put(name)).execute()
        if (kind === 1) throw new Error('refused')
        if (kind === 2) await tx.insertInto('settings').values(put(name)).execute()
        if (kind === 3) await undo.execute(tx)
        if (kind === 4) await row() // by the root handle
        if (kind === 5) await new Promise((resolve) => setTimeout(resolve, 2))
        if (kind === 6) await new Promise((resolve) => setImmediate(resolve))
      })
    }
    for (let round = 0; round < 8; round++) {
      const actions = Array.from({ length: 80 }, async (_, i) => {
        const name = `t-${round}-${i}`
        const outcome = action(name, (i * 7 + round) % 13)
        await outcome.then(
          () => announced.kept.add(name),
          () => announced.refused.add(name),
        )
      })
      await Promise.all(actions)
    }
    assert.ok(announced.kept.size > 200 && announced.refused.size > 100)
    assert.deepEqual(await kept(storage), [...announced.kept].sort())
    await storage.close()
  })
})

/** A statement whose fault undoes the transaction it stands in. */
async function rollingBack({ db }: Storage, name: TestDatabase['name']): Promise<RawBuilder<unknown>> {
  if (name === 'postgres') return sql`select 1 / 0`
  await sql`create table undone (x integer)`.execute(db)
  await sql`create trigger undo before insert on undone begin select raise(rollback, 'undone'); end`.execute(db)
  return sql`insert into undone values (1)`
}
