import assert from 'node:assert/strict'
import { setTimeout } from 'node:timers/promises'
import { Browser } from '../browser.ts'
import { PASSWORD } from '../service.ts'

/** Users who sign in, and go on in their apps, while something happens to the service. */
export interface LiveUsers {
  /** The browsers in which a sign-in succeeded. */
  signedIn: Browser[]
  /** When that was, in ms of `performance.now()`. */
  times: number[]
  /** How often a page or a form was refused for now. */
  refused: number
  checks: number
  /** The traffic: it ends when `isOver`. */
  traffic: Promise<void>[]
}

/** `url` is where requests go, `origin` the address of the service that browsers know. */
export function startLiveUsers(
  { url, origin, emails }: { url: string; origin: string; emails: readonly string[] },
  { signers, checkers, isOver }: { signers: number; checkers: number; isOver: () => boolean },
): LiveUsers {
  const live: LiveUsers = { signedIn: [], times: [], refused: 0, checks: 0, traffic: [] }
  const signIn = async () => {
    while (!isOver()) {
      const browser = new Browser(url, { origin, headers: {} })
      const email = emails[Math.floor(Math.random() * emails.length)] ?? ''
      const page = await browser.get('/login')
      const form = page.status === 503 ? page : await browser.signIn('/login', { email, password: PASSWORD }).catch(refusedBetween)
      if (form.status === 302) {
        live.signedIn.push(browser)
        live.times.push(performance.now())
      } else {
        assert.equal(form.status, 503, `a sign-in answers ${form.status}`)
        live.refused++
      }
      await setTimeout(50)
    }
  }
  const check = async () => {
    for (; !isOver(); await setTimeout(5)) {
      const browser = live.signedIn[Math.floor(Math.random() * live.signedIn.length)]
      if (!browser) continue
      await assertSignedIn(browser)
      live.checks++
    }
  }
  live.traffic = [...Array.from({ length: signers }, signIn), ...Array.from({ length: checkers }, check)]
  return live
}

/** The page of the copy came between the two requests, so there is no form in it. */
function refusedBetween(error: unknown): { status: number } {
  if (error instanceof Error && error.message.startsWith('no flow in this page')) return { status: 503 }
  throw error
}

export async function assertSignedIn(browser: Browser): Promise<void> {
  const answer = await browser.get('/auth/check')
  assert.equal(answer.status, 200, answer.text)
  assert.equal(answer.json().authenticated, true, 'a sign-in is lost')
}
