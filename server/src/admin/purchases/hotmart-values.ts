/** Brasília is three hours behind UTC. Before 2019 its summers were two, and a payment of then is read an hour late. */
export function timeOf(text: string | undefined): number | undefined {
  const read = /^(\d\d)\/(\d\d)\/(\d{4})(?:\s+(\d\d:\d\d)(?::(\d\d))?)?$/.exec(text ?? '')
  if (!read) return undefined
  const [, day, month, year, clock = '00:00', seconds = '00'] = read
  const at = Date.parse(`${year}-${month}-${day}T${clock}:${seconds}-03:00`)
  const isInCalendar = Number(day) <= new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate()
  return Number.isNaN(at) || !isInCalendar ? undefined : at
}

/** Centavos, of reais alone. `1.234,56` and `1234.56`. */
export function amountOf(text: string | undefined, currency: string | undefined): number | undefined {
  if (text === undefined || (currency ?? 'BRL').toUpperCase() !== 'BRL') return undefined
  const plain = text.replace(/^R\$\s*/, '')
  const [, whole, decimals = ''] =
    /^(\d+)(?:\.(\d{1,2}))?0*$/.exec(plain.includes(',') ? plain.replaceAll('.', '').replace(',', '.') : plain) ?? []
  return whole === undefined ? undefined : Number(whole) * 100 + Number(decimals.padEnd(2, '0'))
}

export function iso(at: number): string {
  return new Date(at).toISOString()
}
