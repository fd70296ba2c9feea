export type HotmartRow = Readonly<Record<string, unknown>>

/** The columns of its two reports of sales, by what they say; the newer one's first. */
const COLUMNS = {
  payment: ['codigo da transacao', 'transacao'],
  status: ['status da transacao', 'status'],
  orderedAt: ['data da transacao', 'data de venda'],
  paidAt: ['confirmacao do pagamento', 'data de confirmacao'],
  email: ['email do(a) comprador(a)', 'email'],
  name: ['comprador(a)', 'nome'],
  taxId: ['documento'],
  price: ['codigo do preco', 'codigo de oferta'],
  product: ['codigo do produto'],
  productName: ['produto', 'nome do produto'],
  subscriber: ['codigo do assinante', 'codigo do(a) assinante'],
  amount: ['valor de compra com impostos', 'preco total'],
  currency: ['moeda de compra', 'moeda'],
} as const
type Column = keyof typeof COLUMNS

/** Whether the columns are those of Hotmart's report of sales. */
export function isHotmart(names: readonly string[]): boolean {
  const plain = new Set(names.map(plainOf))
  return (['payment', 'status', 'paidAt', 'email'] as const).every((column) => COLUMNS[column].some((name) => plain.has(name)))
}

export function cellsOf(row: HotmartRow): (column: Column) => string | undefined {
  const cells = new Map(Object.entries(row).map(([name, cell]) => [plainOf(name), String(cell ?? '').trim()]))
  return (column) => {
    const cell = COLUMNS[column].map((name) => cells.get(name)).find((found) => found !== undefined && found !== '')
    return cell === '(none)' ? undefined : cell
  }
}

/** Without case and accents. */
export function plainOf(text: string): string {
  return text.normalize('NFKD').replaceAll(/\p{M}/gu, '').trim().toLowerCase()
}
