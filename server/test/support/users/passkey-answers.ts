import assert from 'node:assert/strict'
import type { Bend } from './passkey-device.ts'
import type { Asked } from './passkeys.ts'

export const REFUSED = 'credenciais invalidas'
export const UNVERIFIED = 0b001
export const ABSENT = 0b100
export const MINUTE = 60_000

/** Answers to a challenge that are wrong in one way. */
export const bends: Readonly<Record<string, Bend>> = {
  'from a page of another app of the domain': { origin: 'http://painel.localhost' },
  'from the same host on another port': { origin: 'http://localhost:1' },
  'for another relying party': { rpId: 'exemplo.com.br' },
  'of the other kind': { type: 'webauthn.other' },
  'of a device that saw nobody': { flags: ABSENT },
  'of a device that did not verify who was there': { flags: UNVERIFIED },
  'to a challenge that nobody made': { challenge: Buffer.alloc(32, 7).toString('base64url') },
}

export function assertSignedOut({ browser }: Pick<Asked, 'browser'>): void {
  for (const name of ['eg_session', 'portaria']) assert.equal(browser.cookies.has(name), false, name)
}
