import type { Locale } from '../i18n/locales.ts'

/** Centavos as forms show them: `39,90`, without sign. */
export function formatReais(centavos: number, locale: Locale): string {
  const digits = { minimumFractionDigits: 2, maximumFractionDigits: 2, useGrouping: false }
  return new Intl.NumberFormat(locale, digits).format(centavos / 100)
}

const COMMA = /^(\d+|\d{1,3}(?:\.\d{3})+)(?:,(\d{1,2}))?$/
const POINT = /^(\d+|\d{1,3}(?:,\d{3})+)(?:\.(\d{1,2}))?$/

/** A typed amount in centavos, with comma or point, in any language: `39,9`, `1.234,50`, `1,234.50`. `NaN`: no amount; `null`: nothing. */
export function parseReais(text: string): number | null {
  const plain = text.replaceAll(/R\$|\s/g, '')
  if (plain === '') return null
  const [, whole, cents = ''] = COMMA.exec(plain) ?? POINT.exec(plain) ?? []
  return whole === undefined ? Number.NaN : Number(whole.replaceAll(/[.,]/g, '')) * 100 + Number(cents.padEnd(2, '0'))
}
