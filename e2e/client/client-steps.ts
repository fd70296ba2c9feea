import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { refundSubscription } from '../../server/src/payment-history/index.ts'
import { completed, notify, subscriptionsOf } from '../../server/test/support/gateways/purchases.ts'
import { type Apps, CONFIRM_EVERY_SECONDS } from '../harness/apps.ts'
import { isKnown, signIn } from '../harness/steps.ts'

export const NAME = 'Ana Flávia Conceição'

/** A new user signs in at the Express example, and agrees to what it receives about them. */
export async function joinClub(tab: Page, { urls }: Apps, email: string): Promise<void> {
  await tab.goto(urls.express)
  await tab.getByRole('link', { name: 'Sign in with Portaria' }).click()
  await signIn(tab, email)
  await tab.getByRole('link', { name: 'Continuar para Clube do Livro' }).click()
  await isKnown(tab, urls.express, email)
}

/** Signed in with the family already: one more app on another domain, with its one question. */
export async function joinRadio(tab: Page, { urls }: Apps, email: string): Promise<void> {
  await tab.goto(urls.hono)
  await tab.getByRole('link', { name: 'Continuar para Rádio Maré' }).click()
  await isKnown(tab, urls.hono, email)
}

/** Until what happened elsewhere has come to every app: those that ask Portaria do so once in this time. */
export function untilConfirmed(): Promise<void> {
  return sleep(CONFIRM_EVERY_SECONDS * 1000 + 100)
}

/** Sends the purchase notification of the operator's checkout, as the club's gateway would cause it. */
export async function notifyPurchase({ service, clubId }: Apps, email: string): Promise<void> {
  const at = new Date(service.clock.now).toISOString()
  const answer = await notify(`http://localhost:${service.config.port}`, completed({ email, plan: 'clube-mensal', productId: clubId, at }))
  assert.deepEqual(answer, { status: 200, body: { received: true } })
}

export async function refund({ service }: Apps, email: string): Promise<void> {
  const [bought] = await subscriptionsOf(service, email)
  assert.ok(bought)
  const refunded = await refundSubscription(bought.id, 'the buyer asked for it', { ...service.context, actor: 'operator:test' })
  assert.ok('state' in refunded, JSON.stringify(refunded))
}

/** Every address in a tab's history, oldest first. */
export async function historyOf(tab: Page): Promise<string[]> {
  const devtools = await tab.context().newCDPSession(tab)
  const { entries } = await devtools.send('Page.getNavigationHistory')
  await devtools.detach()
  return entries.map(({ url }) => url)
}
