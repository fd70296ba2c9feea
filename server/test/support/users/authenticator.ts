import { createHmac } from 'node:crypto'
import { beginTotp, confirmTotp, readSecondFactor } from '../../../src/users/index.ts'
import type { Answer, Browser } from '../browser.ts'
import { hiddenFlow } from '../browser.ts'
import type { TestService } from '../service.ts'

/** A user's authenticator app, and the paper with their recovery codes. */
export interface Authenticator {
  secret: string
  recoveryCodes: string[]
  /** The code that the app shows now, or so many seconds from now. */
  code(inSeconds?: number): string
}

const STEP_MS = 30_000

/** Six digits by RFC 6238, made by no code that the service uses. `at` in ms. */
export function codeOf(secret: string, at: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(Math.floor(at / STEP_MS)))
  const digest = createHmac('sha1', fromBase32(secret)).update(counter).digest()
  const offset = (digest.at(-1) ?? 0) & 15
  return String((digest.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, '0')
}

/** RFC 4648 §6. */
function fromBase32(text: string): Buffer {
  const bits = [...text].map((letter) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0')).join('')
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
}

/**
 * Gives a user a second factor. The clock stands two minutes later afterwards, in the middle of a step, so that no code shown from now on
 * is used up.
 */
export async function giveSecondFactor({ context, clock }: TestService, user: { id: string; email: string }): Promise<Authenticator> {
  const { storage, sealer, now } = context
  const of = { userId: user.id, sessionId: 'a session of the tests' }
  await storage.transaction((tx) => beginTotp(tx, of, { sealer, now }))
  const begun = await readSecondFactor(storage.db, { ...of, email: user.email }, { issuer: 'Portaria', sealer, now })
  if (begun.state !== 'pending') throw new Error('this user has a second factor already')
  const code = codeOf(begun.secret, clock.now)
  const confirmed = await storage.transaction((tx) => confirmTotp(tx, of, code, { sealer, now, ip: '192.0.2.1' }))
  if (confirmed === 'wrong_code') throw new Error('the code of a new secret was not taken')
  clock.now = Math.floor(clock.now / STEP_MS) * STEP_MS + 4.5 * STEP_MS
  return { ...confirmed, secret: begun.secret, code: (inSeconds = 0) => codeOf(begun.secret, clock.now + inSeconds * 1000) }
}

/** A code that is right at no moment near this one. */
export function wrongCode({ code }: Authenticator): string {
  const right = [-60, -30, 0, 30, 60].map((seconds) => code(seconds))
  for (let n = 0; ; n++) if (!right.includes(String(n).padStart(6, '0'))) return String(n).padStart(6, '0')
}

/** Opens the page that asks for the second factor; answers its flow, to be posted as often as one likes. */
export async function openSecondStep(browser: Browser, first: Pick<Answer, 'location' | 'status' | 'text'>): Promise<string> {
  if (first.location?.pathname !== '/second-factor')
    throw new Error(`no second factor is asked: ${first.status} ${first.location ?? first.text}`)
  return hiddenFlow((await browser.get(first.location.href)).text)
}

/** Types a code where the first step has led. */
export async function typeCode(browser: Browser, first: Answer, code: string): Promise<Answer> {
  return browser.submit('/second-factor', { flow: await openSecondStep(browser, first), code })
}
