import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { changeAppearance } from '../../server/src/appearance/index.ts'
import { createSealer } from '../../server/src/kit/index.ts'
import type { Texts } from '../../server/src/pages/texts.ts'
import type { Flow } from '../../server/src/sign-in/flow/flow.ts'
import { createFlows } from '../../server/src/sign-in/flow/sealed-flow.ts'
import type { TicketPurpose } from '../../server/src/users/tickets/ticket-purpose.ts'
import { mint } from '../../server/test/support/routes/raw-requests.ts'
import { PASSWORD, type TestService } from '../../server/test/support/service.ts'
import type { Harness } from '../harness/harness.ts'
import { holdSplash, signIn } from '../harness/steps.ts'

/** For whom a page is opened: a visitor's tab in front of the started apps, in the language of `labels`. */
export interface PageFixture {
  tab: Page
  harness: Harness
  labels: Texts
}

/** The name of the operator of these pages. */
export const OPERATOR = 'Maré Cursos'

export async function nameOperator({ context }: TestService): Promise<void> {
  const named = await changeAppearance(undefined, { name: OPERATOR }, { ...context, actor: 'operator:test' })
  assert.ok(!('refusal' in named))
}

type Given = { name?: string; beta?: boolean; profile?: 'complete' | 'missing' }

let newcomers = 0

/** An address that nobody has used yet. */
export function newAddress(): string {
  return `pessoa${++newcomers}@exemplo.com.br`
}

export function newcomer({ service }: Harness, given: Given): Promise<{ id: string; email: string }> {
  return service.user(newAddress(), given)
}

/** Someone new signs in to an app, and arrives at the page with this heading. Answers who. */
export async function enter({ tab, harness, labels }: PageFixture, given: Given & { app?: string }, title: string) {
  const user = await newcomer(harness, given)
  await holdSplash(tab)
  await tab.goto(given.app ?? harness.painel)
  await signIn(tab, user.email, { labels })
  await tab.getByRole('heading', { name: title, exact: true }).waitFor()
  return user
}

/**
 * Someone new whose tab is signed in already, for pages of one's own account: how they signed in is shown by the pages on the way there,
 * and takes a browser longer than the page itself.
 */
export async function enterAtOnce({ tab, harness }: PageFixture): Promise<{ id: string; email: string }> {
  const { service } = harness
  const user = await newcomer(harness, {})
  const browser = service.browser({ 'user-agent': await tab.evaluate<string>('navigator.userAgent') })
  const { status } = await browser.signIn('/login', { email: user.email, password: PASSWORD })
  if (status !== 302) throw new Error(`signing in answers ${status}`)
  await tab.context().addCookies([...browser.cookies].map(([name, value]) => ({ name, value, url: service.url, httpOnly: true })))
  return user
}

/** Opens the link of a mail to `owner`, someone new where nobody is named, who began elsewhere unless `payload` says more. */
export async function openTicket(
  { tab, harness }: PageFixture,
  purpose: TicketPurpose,
  path: string,
  { owner, payload = {} }: { owner?: { id: string; email: string }; payload?: Record<string, string> } = {},
): Promise<void> {
  const { id: userId, email: own } = owner ?? (await newcomer(harness, {}))
  const email = purpose === 'change_email' ? newAddress() : own
  const { secret } = await mint(harness.service, { purpose, userId, email, payload: { name: 'Bia Souza', flow: 'gone', ...payload } })
  await goTo({ tab, harness }, `${path}?ticket=${secret}`)
}

/** Goes to a page of the service, which answers there and with this status. */
export async function goTo({ tab, harness }: Omit<PageFixture, 'labels'>, address: string, status = 200): Promise<void> {
  const answer = await tab.goto(harness.service.url + address)
  const found = answer && `${answer.status()} ${new URL(answer.url()).pathname}`
  if (found !== `${status} ${address.split('?', 1)[0]}`) throw new Error(`${address} answers ${found}`)
}

/** The flow that this tab has begun, changed as the service changes it on the way, and sealed again. */
export async function beginFlow({ tab, harness }: PageFixture, change: Partial<Flow>): Promise<string> {
  const { masterKeys, now } = harness.service.context
  await tab.goto(`${harness.service.url}/login`)
  const flows = createFlows({ sealer: createSealer([masterKeys.flow]), now })
  const flow = flows.open(await tab.locator('input[name=flow]').first().inputValue())
  if (!flow) throw new Error('the login page has no flow of this service')
  return flows.seal({ ...flow, ...change })
}

/** Presses a button, and waits for what the page says then. */
export async function press(tab: Page, button: string, role: 'alert' | 'heading', text: string): Promise<void> {
  await tab.getByRole('button', { name: button, exact: true }).click()
  try {
    await tab.getByRole(role).filter({ hasText: text }).waitFor()
  } catch (cause) {
    throw new Error(`${tab.url()} has no ${role} “${text}”, but: ${await tab.locator('body').innerText()}`, { cause })
  }
}
