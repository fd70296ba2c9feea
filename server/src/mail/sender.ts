import { normaliseEmail } from '../kit/index.ts'

export interface Sender {
  name: string
  address: string
}

/** Reads `address`, `Name <address>` or `"Name" <address>`; the default name is Portaria. `localhost` may be its host. Throws otherwise. */
export function parseSender(text: string): Sender {
  const { name = '', address = '' } = /^(?:"?(?<name>[^"<>\p{C}]*?)"?\s*<(?<address>[^<>]+)>)$/u.exec(text.trim())?.groups ?? {
    address: text.trim(),
  }
  const local = /^[a-z0-9._-]{1,64}@localhost$/.test(address) ? address : undefined
  const checked = local ?? normaliseEmail(address)
  if (checked === undefined)
    throw new TypeError('the sender must be an address, or a name and an address as in Portaria <no-reply@example.com>')
  return { name: name.trim() || 'Portaria', address: checked }
}
