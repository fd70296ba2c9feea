import assert from 'node:assert/strict'
import { it } from 'node:test'
import { sql } from 'kysely'
import { findUser, setUser } from '../../../src/admin/index.ts'
import { recordEvent } from '../../../src/app-events/index.ts'
import { insertEndpoint, removeEndpoint } from '../../../src/event-delivery/index.ts'
import type { Storage, Transaction } from '../../../src/storage/index.ts'
import { eachDatabase, onPostgres } from '../../support/databases.ts'
import { addEndpoint } from '../../support/events/endpoints.ts'
import { startEventReceiver } from '../../support/events/event-receiver.ts'
import { bring } from '../../support/gateways/purchases.ts'
import { startService, type TestService } from '../../support/service.ts'
import { until } from '../../support/until.ts'

const OPERATOR = 'operator:test'
const operator = ({ context }: TestService) => ({ ...context, actor: OPERATOR })

/** A transaction that stays open until `end`. */
async function open<T>(storage: Storage, work: (tx: Transaction) => Promise<T>): Promise<{ came: T; end(): Promise<unknown> }> {
  const [worked, ended] = [Promise.withResolvers<T>(), Promise.withResolvers<void>()]
  const committed = storage.transaction(async (tx) => {
    worked.resolve(await work(tx))
    await ended.promise
  })
  committed.catch(worked.reject)
  return {
    came: await worked.promise,
    end() {
      ended.resolve()
      return committed
    },
  }
}

onPostgres('An endpoint that is removed', (database) => {
  it('while another one is being made leaves that one no change of a user that neither has met', async () => {
    const service = await startService(await database.fresh())
    const { context } = service
    const types = ['user.updated'] as const
    const [old, next] = [await startEventReceiver(), await startEventReceiver()]
    const first = await addEndpoint(service, { url: old.url, types })
    const { email } = await service.user('ana@exemplo.com.br')
    const settled = () =>
      until(async () => {
        const scans = await context.storage.db.selectFrom('user_scans').select('product_id').execute()
        const due = await context.storage.db.selectFrom('reported_users').select('user_id').where('due', 'is not', null).execute()
        return scans.length + due.length === 0
      })
    await settled()
    const made = await open(context.storage, (tx) => {
      const input = { productSlug: undefined, url: next.url, types, description: '' }
      const refuse = (): never => assert.fail('refused')
      return insertEndpoint(tx, input, { ...operator(service), isDevelopment: true, refuse, at: context.now() })
    })
    await removeEndpoint(first.id, operator(service))
    const user = (await findUser(context.storage.db, email)) ?? assert.fail()
    assert.ok(!('refusal' in (await setUser(user, { name: 'Ana Nova' }, operator(service)))))
    await made.end()
    await until(() => next.received.length > 0)
    await settled()
    assert.deepEqual(
      next.received.map(({ event }) => [event.type, event.data.name]),
      [['user.updated', 'Ana Nova']],
    )
  })

  it('in the moment of an event undoes nothing of the change that is reported', async () => {
    const service = await startService(await database.fresh())
    const { storage } = service.context
    const { id } = await addEndpoint(service, { url: 'https://app.example.com/hooks', types: ['session.revoked'] })
    const removing = await open(storage, async (tx) => {
      await tx.deleteFrom('event_endpoints').where('id', '=', id).execute()
      return tx
    })
    const data = { product_id: null, user_id: 'u', session_id: 's' }
    const recorded = storage.transaction((tx) =>
      recordEvent(tx, { type: 'session.revoked', productId: undefined, subject: 's', sequence: 1, data }, service.clock.now),
    )
    await until(() => isBlocking(removing.came))
    await removing.end()
    await recorded
    assert.deepEqual(await storage.db.selectFrom('event_deliveries').selectAll().execute(), [])
  })
})

async function isBlocking(tx: Transaction): Promise<boolean> {
  const { rows } = await sql`
    select 1 from pg_locks where not granted and pg_backend_pid() = any(pg_blocking_pids(pid))`.execute(tx)
  return rows.length > 0
}

eachDatabase('An endpoint', (database) => {
  it('that is removed while a delivery is under way leaves nothing of it, and the others get theirs', async () => {
    const service = await startService(await database.fresh())
    const { db } = service.context.storage
    const [slow, other] = [await startEventReceiver(), await startEventReceiver()]
    const { product } = await service.product({ slug: 'loja', audience: 'external', checkout: 'external' })
    const { id } = await addEndpoint(service, { url: slow.url, product: 'loja' })
    const { id: otherId } = await addEndpoint(service, { url: other.url, product: 'loja' })
    const underWay = Promise.withResolvers<() => void>()
    slow.answers(() => (response) => underWay.resolve(() => response.writeHead(200).end('recebido')))
    const buy = async (name: string) => {
      const { email } = await service.user(`${name}@exemplo.com.br`)
      await bring(service, { kind: 'paid', email, productId: product.id, ref: name })
    }
    await buy('ana')
    const answer = await underWay.promise
    assert.deepEqual(await removeEndpoint(id, operator(service)), { removed: true })
    answer()
    await buy('bia')
    const delivered = () => db.selectFrom('event_deliveries').select(['endpoint_id', 'state']).where('state', '=', 'delivered').execute()
    await until(async () => (await delivered()).length === 2)
    // The answer of the removed one is written down with those of the others, or before them.
    const endpoints = async (table: 'event_deliveries' | 'event_attempts') =>
      (await db.selectFrom(table).select('endpoint_id').distinct().execute()).map(({ endpoint_id }) => endpoint_id)
    assert.deepEqual([await endpoints('event_deliveries'), await endpoints('event_attempts')], [[otherId], [otherId]])
    assert.equal(slow.received.length, 1)
    assert.doesNotMatch(service.log(), /"level":"error"/)
  })
})
