export class NotUnderstood extends Error {}

const ENTITY = /&(?:(amp|lt|gt|quot|apos)|#(\d{1,7})|#x([0-9a-f]{1,6}));|&/gi

const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

export const UNSTORABLE = /[^\t\n\r\x20-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u

export function decode(text: string): string {
  const decoded = text.replace(ENTITY, (_whole, name?: string, decimal?: string, hex?: string) => {
    const known = name && NAMED[name]
    if (known) return known
    const point = decimal ? Number(decimal) : hex ? Number.parseInt(hex, 16) : Number.NaN
    if (!(point <= 0x10ffff)) throw new NotUnderstood()
    return String.fromCodePoint(point)
  })
  if (UNSTORABLE.test(decoded)) throw new NotUnderstood()
  return decoded
}
