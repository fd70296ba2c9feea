import { hkdfSync } from 'node:crypto'

/** The separate keys that the one master key yields (RFC 5869), so that a weakness of one use never reaches another. */
export interface MasterKeys {
  sealing: Buffer
  taxIdIndex: Buffer
  emailIndex: Buffer
  flow: Buffer
  flowCookie: Buffer
  deviceCookie: Buffer
  ticketCode: Buffer
  cursor: Buffer
}

/** The 32 bytes of a base64 master key, or `undefined` when the text is anything else. */
export function parseMasterKey(text: string): Buffer | undefined {
  const trimmed = text.trim()
  if (!/^[A-Za-z0-9+/_-]{43}=?$/.test(trimmed)) return undefined
  const bytes = Buffer.from(trimmed, 'base64')
  return bytes.length === 32 ? bytes : undefined
}

export function deriveKeys(master: Uint8Array): MasterKeys {
  const derive = (use: string) => Buffer.from(hkdfSync('sha256', master, new Uint8Array(0), `portaria/${use}`, 32))
  return {
    sealing: derive('sealing'),
    taxIdIndex: derive('tax-id-index'),
    emailIndex: derive('email-index'),
    flow: derive('flow'),
    flowCookie: derive('flow-cookie'),
    deviceCookie: derive('device-cookie'),
    ticketCode: derive('ticket-code'),
    cursor: derive('cursor'),
  }
}
