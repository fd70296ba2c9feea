const MIN_CHARACTERS = 8

export const MAX_BYTES = 1_024

/** Why a password can't be set; `undefined` when it can. Only length decides here: no composition rules (NIST SP 800-63B §3.1.1.2). */
export function refusePassword(password: string): 'too_short' | 'too_long' | undefined {
  if (Buffer.byteLength(password) > MAX_BYTES) return 'too_long'
  return [...password].length < MIN_CHARACTERS ? 'too_short' : undefined
}
