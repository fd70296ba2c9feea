import { randomInt } from 'node:crypto'
import { sha256Base64Url } from '../../kit/index.ts'

export const RECOVERY_CODES = 10
/** Without letters and digits that look alike. */
const LETTERS = '23456789abcdefghjkmnpqrstuvwxyz'
const LENGTH = 16

/** Ten codes of 79 bits, each good once, for a user without their app: `xxxx-xxxx-xxxx-xxxx`. */
export function mintRecoveryCodes(): string[] {
  return Array.from({ length: RECOVERY_CODES }, () => {
    const text = Array.from({ length: LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join('')
    return text.replace(/(.{4})(?=.)/g, '$1-')
  })
}

/** A typed code in any spelling: spaces, hyphens, capitals. `undefined` for an invalid one. */
export function parseRecoveryCode(text: string): string | undefined {
  const plain = text.toLowerCase().replace(/[\s-]/g, '')
  return plain.length === LENGTH && [...plain].every((letter) => LETTERS.includes(letter)) ? plain : undefined
}

/**
 * The stored hash. A random text this long needs neither salt nor a slow hash. The master key is not used: its rotation would void every
 * code that a user has on paper.
 */
export function hashRecoveryCode(userId: string, code: string): string {
  return sha256Base64Url(`recovery-code:${userId}:${code.replaceAll('-', '')}`)
}
