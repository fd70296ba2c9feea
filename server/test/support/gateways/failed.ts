import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { TestService } from '../service.ts'
import { until } from '../until.ts'
import type { FakeApi } from './fake-api.ts'
import { type Connected, deliver, notificationsOf } from './gateways.ts'
import { asaasEvent, charge } from './made-events.ts'

interface Announced {
  /** The notification's. */
  id: string
  /** The buyer's, which only the API says. */
  email: string
}

/** A payment that Asaas announces without its buyer: its API is asked. */
export async function announce(service: TestService, api: FakeApi, school: Connected): Promise<Announced> {
  const [payment, email] = [`pay_${randomUUID()}`, `${randomUUID().slice(0, 13)}@example.com`]
  const paid = charge(payment, { value: 99.9, externalReference: 'curso', customer: `cus_${payment}` })
  api.answers.set(`/payments/${payment}`, paid)
  api.answers.set(`/customers/cus_${payment}`, { id: `cus_${payment}`, email })
  await deliver(school, asaasEvent('PAYMENT_RECEIVED', paid))
  const id = (await notificationsOf(service, school)).at(-1)?.id
  return { id: id ?? assert.fail('nothing was received'), email }
}

/** The same while the gateway is away for two days: asking is given up. */
export async function announceInVain(service: TestService, api: FakeApi, school: Connected): Promise<Announced> {
  api.mood = 'down'
  const before = await countDeadJobs(service, school)
  const announced = await announce(service, api, school)
  await until(async () => {
    await askNow(service, { attempts: 11 })
    return (await statusOf(service, announced.id)) === 'failed'
  })
  await until(async () => (await countDeadJobs(service, school)) > before)
  return announced
}

/** Gateways are asked now, and not after the wait that the last fault has brought. */
export async function askNow({ context }: TestService, more: { attempts?: number } = {}): Promise<void> {
  await context.storage.db
    .updateTable('outbox')
    .set({ ...more, run_at: 0 })
    .where('kind', '=', 'fetch_payment')
    .where('leased_until', 'is', null)
    .where('dead_at', 'is', null)
    .execute()
}

export async function statusOf({ context }: TestService, id: string): Promise<string | undefined> {
  return (await context.storage.db.selectFrom('notifications').select('status').where('id', '=', id).executeTakeFirst())?.status
}

export async function countDeadJobs({ context }: TestService, { product }: Connected): Promise<number> {
  const dead = context.storage.db.selectFrom('outbox').select('id').where('lane', '=', `asaas/${product.product.id}`)
  return (await dead.where('dead_at', 'is not', null).execute()).length
}
