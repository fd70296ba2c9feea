import assert from 'node:assert/strict'
import type { Browser } from '../browser.ts'
import type { TestService } from '../service.ts'
import { goOn } from '../users/sign-in-steps.ts'

export const TARGET = 'https://loja.example/callback'

/** The requests of an app's server and a user's browser to one node. */
export interface Node {
  browser(): Browser
}

/** An external product with its keys. */
export interface Shop {
  apiKey: string
  product: { id: string; publishableKey: string }
}

/**
 * Returns when a node has heard of every change made so far. What it hears of later drops answers that it remembers: before the database
 * goes away, a test lets it hear all, and then has it remember.
 */
export async function hearAll({ clock, context }: TestService): Promise<void> {
  // Older than what a node answers from without a look.
  clock.now += 2_500
  assert.equal(await context.changes.refresh(), 'current')
}

export async function openShop(service: TestService): Promise<Shop> {
  return service.product({ slug: 'loja', audience: 'external', checkout: 'external', uris: [TARGET] })
}

export function loginPath({ product }: Shop): string {
  return `/auth/login?redirect_to=${encodeURIComponent(TARGET)}&api_key=${product.publishableKey}`
}

/** From a browser that is signed in, or has just posted its form, to the handoff that the shop receives. */
export async function fetchHandoff(browser: Browser, shop: Shop): Promise<string> {
  const answer = await goOn(browser, await browser.get(loginPath(shop)))
  return answer.location?.searchParams.get('eg_token') ?? assert.fail(`no handoff: ${answer.status} ${answer.text.slice(0, 300)}`)
}

export function redeem(node: Node, token: string, { apiKey }: Shop) {
  const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' }
  return node.browser().request('POST', '/auth/verify', { headers, body: JSON.stringify({ token }) })
}

/** The answer of `GET /auth/check` about a token: of the domain, or of the shop whose key is shown. */
export async function check(node: Node, token: string, shop?: Shop) {
  const headers = { cookie: `eg_session=${token}`, ...(shop && { authorization: `Bearer ${shop.apiKey}` }) }
  const answer = await node.browser().request('GET', '/auth/check', { headers })
  assert.equal(answer.status, 200)
  return answer.json<{
    authenticated: boolean
    reason?: string
    session?: { sub: string; is_producer: boolean; is_beta: boolean; name: string; plan_slug: string | null }
  }>()
}

export async function isLive(node: Node, token: string, shop?: Shop): Promise<boolean> {
  return (await check(node, token, shop)).authenticated
}

export function sessionOf(browser: Browser): string {
  return browser.cookies.get('eg_session') ?? assert.fail('no session cookie')
}
