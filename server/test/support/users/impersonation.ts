import assert from 'node:assert/strict'
import type { Answer, Browser } from '../browser.ts'
import type { TestService } from '../service.ts'
import { type Admin, adminOf } from './admins.ts'

export const WHY = 'pediu ajuda por telefone'

export interface Impersonator {
  owner: Admin & { browser: Browser }
  user: { id: string; email: string }
  /** The owner's browser, in which they act for the user from now on. */
  browser: Browser
  /** The owner's own session, as it was before. */
  ownToken: string
  sessionId: string
  began: Answer
}

/** An owner impersonates a user; both are made for it, named after `name`. */
export async function impersonateUser(
  service: TestService,
  name: string,
  profile: 'complete' | 'missing' = 'complete',
): Promise<Impersonator> {
  const owner = await adminOf(service, `dona-${name}@example.com`, 'owner')
  const user = await service.user(`${name}@example.com`, { name: 'Bia Prado', profile })
  const ownToken = owner.browser.cookies.get('eg_session') ?? assert.fail()
  const began = await owner.send('POST', `/users/${user.id}/impersonate`, { reason: WHY })
  assert.equal(began.status, 200, began.text)
  return { owner, user, browser: owner.browser, ownToken, sessionId: began.json<{ session_id: string }>().session_id, began }
}

export const stopImpersonation = (browser: Browser) => browser.submit('/auth/impersonation/stop', {})
