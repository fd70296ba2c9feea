import assert from 'node:assert/strict'
import { setPlan } from '../../../src/subscriptions/index.ts'
import { commandLine } from '../command-line.ts'
import type { TestDatabase } from '../databases.ts'
import { startFakeApi } from '../gateways/fake-api.ts'
import { connect, deliver } from '../gateways/gateways.ts'
import { notify, WEBHOOKS } from '../gateways/purchases.ts'
import { startService } from '../service.ts'
import { scriptOf } from '../users/admins.ts'
import { DAY, type Delivery, type OperatorAction } from './facts.ts'
import { PRICES } from './histories.ts'
import { BEGIN } from './making.ts'

/** A service that sells, and whoever sends to it and asks it. */
export type Harness = Awaited<ReturnType<typeof openHarness>>

export async function openHarness(database: TestDatabase) {
  const place = await database.fresh()
  const api = await startFakeApi()
  const service = await startService(place, { environment: WEBHOOKS, clock: { now: BEGIN - 21 * DAY } })
  const loja = await connect(service, 'stripe', { slug: 'loja', apiUrl: api.url })
  const escola = await service.product({ slug: 'escola' })
  for (const productSlug of ['loja', 'escola'] as const) {
    for (const [slug, price] of Object.entries(PRICES[productSlug])) {
      const plan = { slug, name: slug, price, productSlug }
      assert.ok(!('refusal' in (await setPlan(plan, { ...service.context, actor: 'operator:test' }))))
    }
  }
  const ids = { loja: loja.product.product.id, escola: escola.product.id }
  return { service, owner: await scriptOf(service, 'owner'), portaria: commandLine(place), loja, ids }
}

/** Sends what a sender has to say, or does what the operator does. */
export async function send(harness: Harness, { from, body }: Delivery, email: string): Promise<void> {
  const { service, loja } = harness
  const answerOf = {
    checkout: () => notify(service.url, body),
    gateway: () => deliver(loja, body, { at: service.clock.now }),
    operator: () => act(harness, body as OperatorAction, email),
  }
  const { status, ...answer } = await answerOf[from]()
  assert.ok(status < 300, JSON.stringify([status, answer, from, body]))
}

async function act({ service, owner }: Harness, does: OperatorAction, email: string): Promise<{ status: number }> {
  const list = async (path: string) => (await owner.get(path)).json<{ data: Array<{ id: string; slug: string }> }>().data
  const reason = 'as the history says'
  if (does.action !== 'grant')
    return owner.send('POST', `/subscriptions/${(await list(`/subscriptions?email=${email}`))[0]?.id}/${does.action}`, { reason })
  const { plan: slug, until } = does
  const plan = (await list('/plans?limit=100')).find((each) => each.slug === slug)
  return owner.send('POST', '/subscriptions', { user: (await service.user(email)).email, plan_id: plan?.id, reason, until })
}
