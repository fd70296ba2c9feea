import assert from 'node:assert/strict'
import { type Answer, type Browser, hiddenFlow } from '../browser.ts'
import type { TestDatabase } from '../databases.ts'
import { PASSWORD, startForSuite, type TestService } from '../service.ts'
import { assertOwnRedirect, assertPage, loginAddress } from './sign-in-steps.ts'

/** Shared by the tests of complete-profile: a new user on the way to an app. */

export const TARGET = 'http://localhost:7001/callback'
const FIELDS = { full_name: 'Maria da Silva', tax_id: '529.982.247-25', phone: '(11) 91234-5678', company_name: '' }

/** The service of a suite, behind a proxy, with the app that newcomers want to enter. */
export function startWithApp(database: TestDatabase): () => Promise<TestService> {
  const start = startForSuite(database, { environment: { PORTARIA_TRUST_PROXY: '1' } })
  let registered: Promise<unknown> | undefined
  return async () => {
    registered ??= start().product({ slug: 'app', uris: [TARGET] })
    await registered
    return start()
  }
}

let networks = 0
/** Limits count by network too, so each browser gets one of its own where a test saves numbers. */
export function elsewhere(): Record<string, string> {
  return { 'x-forwarded-for': `198.51.100.${++networks}` }
}

/** A newcomer at the form that comes first. */
export async function reachProfile(service: TestService, email: string, options: { beta?: boolean; profile?: 'complete' } = {}) {
  const user = await service.user(email, { profile: 'missing', ...options })
  const browser = service.browser()
  const login = await browser.signIn(loginAddress({ redirect_to: TARGET, state: 's' }), { email, password: PASSWORD })
  const address = assertOwnRedirect(login, '/complete-profile')
  const page = await browser.get(address)
  assertPage(page, 200)
  return { user, browser, address, page, flow: hiddenFlow(page.text) }
}

let cpfs = 100_000_000
/** A number that nobody has: each test leaves the ones of the others alone. */
export function freshCpf(): string {
  const digits = [...String(++cpfs)].map(Number)
  for (const length of [9, 10]) {
    const sum = digits.reduce((total, digit, i) => total + digit * (length + 1 - i), 0)
    digits.push(((sum * 10) % 11) % 10)
  }
  assert.equal(digits.length, 11)
  return digits.join('')
}

/** Posts the form of step 1, right but for `fields`. */
export function save(
  browser: Browser,
  flow: string,
  fields: Record<string, string>,
  headers: Record<string, string> = {},
): Promise<Answer> {
  return browser.submit('/complete-profile', { flow, ...FIELDS, ...fields }, headers)
}
