import type { Page } from 'playwright-core'
import { noticePage } from '../../client/src/sign-in/page.ts'
import type { Notice } from '../../client/src/sign-in/texts.ts'

const every = {
  not_started_here: true,
  no_longer_valid: true,
  unavailable: true,
  not_yet_valid: true,
  no_token: true,
  went_round: true,
  misconfigured: true,
  confirm_sign_out: true,
} as const satisfies Record<Notice, true>

/** Every page of the client's own, by name. */
export function listNotices(): Notice[] {
  return Object.keys(every).filter((name): name is Notice => name in every)
}

/** Opens one as an app's server would answer it: with its headers, of which one says what the page may load. */
export async function openNotice(tab: Page, notice: Notice, language: string): Promise<void> {
  const address = `http://localhost/auth/${notice}`
  const request = new Request(address, { headers: { 'accept-language': language } })
  const answer = noticePage(notice, request, { href: '/auth/sign-in?return_to=%2Fnotes', setCookies: [] })
  await tab.route(address, async (route) => {
    await route.fulfill({ status: answer.status, headers: Object.fromEntries(answer.headers), body: await answer.text() })
  })
  await tab.goto(address)
}
