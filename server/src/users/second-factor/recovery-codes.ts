import { randomInt } from 'node:crypto'
import { sha256Base64Url } from '../../kit/index.ts'

export const RECOVERY_CODES = 10
/** Without those that are mistaken for each other when read or written by hand. */
const LETTERS = '23456789abcdefghjkmnpqrstuvwxyz'
const LENGTH = 16

/** Ten codes of 79 bits, each good once, for a user without their app: `xxxx-xxxx-xxxx-xxxx`. */
export function mintRecoveryCodes(): string[] {
  return Array.from({ length: RECOVERY_CODES }, () => {
    const text = Array.from({ length: LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join('')
    return text.replace(/(.{4})(?=.)/g, '$1-')
  })
}

/** However it was typed: spaces, hyphens, capitals. `undefined` for what is none. */
export function parseRecoveryCode(text: string): string | undefined {
  const plain = text.toLowerCase().replace(/[\s-]/g, '')
  return plain.length === LENGTH && [...plain].every((letter) => LETTERS.includes(letter)) ? plain : undefined
}

/**
 * What is stored. So long a random text needs neither salt nor a slow hash; and none with the master key, since a rotation of that would
 * void every code that somebody has on paper.
 */
export function hashRecoveryCode(userId: string, code: string): string {
  return sha256Base64Url(`recovery-code:${userId}:${code.replaceAll('-', '')}`)
}
