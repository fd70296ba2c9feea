/** Centavos as prices are written: `R$ 99,00`. */
export function reais(centavos: number): string {
  return money(centavos, 'BRL')
}

/** An amount in the smallest unit of its currency, written as in Brazil: `US$ 19,90`. */
export function money(units: number, currency: string): string {
  const format = new Intl.NumberFormat('pt-BR', { style: 'currency', currency })
  return format.format(units / 10 ** placesOf(currency)).replace('\u{a0}', ' ')
}

/** The decimal places of a currency. */
export function placesOf(currency: string): number {
  return new Intl.NumberFormat('pt-BR', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2
}
