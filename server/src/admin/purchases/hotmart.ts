import { addCycles, type Cycle } from '../../gateways/index.ts'
import type { ImportRecord } from '../users/import/files/import-record.ts'

/** A plan here, and for how long a payment at Hotmart pays for it; without a period, for good. */
export interface HotmartPlan {
  product: string
  plan: string
  period: Cycle | undefined
}

type Row = Readonly<Record<string, unknown>>

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

/** Its statuses of a sale, and the events that the sale came to: none where nothing was paid. */
const EVENTS_OF: ReadonlyArray<[events: readonly string[], statuses: readonly string[]]> = [
  [['paid'], ['aprovado', 'completo', 'approved', 'complete', 'completed']],
  [
    ['paid', 'refunded'],
    ['reembolsado', 'refunded'],
  ],
  [
    ['paid', 'partially_refunded'],
    ['parcialmente reembolsado', 'reembolsado parcialmente', 'partially refunded', 'partially_refunded'],
  ],
  [
    ['paid', 'disputed'],
    ['reclamado', 'em disputa', 'protesto', 'dispute', 'protested'],
  ],
  [
    ['paid', 'dispute_lost'],
    ['chargeback', 'estornado'],
  ],
  [[], ['cancelado', 'expirado', 'recusado', 'aguardando pagamento', 'boleto impresso', 'processando', 'em analise', 'iniciado']],
  [[], ['bloqueado', 'sem saldo', 'atrasado', 'pre-venda', 'canceled', 'cancelled', 'expired', 'blocked', 'overdue']],
  [[], ['waiting_payment', 'printed_billet', 'started', 'no_funds', 'under_analisys', 'processing_transaction', 'pre_order']],
]
const STATUSES = new Map(EVENTS_OF.flatMap(([events, statuses]) => statuses.map((status) => [status, events] as const)))

/** Whether the columns are those of Hotmart's report of sales. */
export function isHotmart(names: readonly string[]): boolean {
  const plain = new Set(names.map(plainOf))
  return (['payment', 'status', 'paidAt', 'email'] as const).every((column) => COLUMNS[column].some((name) => plain.has(name)))
}

/** The records of our form that a row of Hotmart's report comes to: none for a sale that was never paid. */
export function* readHotmartRow(
  { line, value }: ImportRecord & { value: unknown },
  plans: ReadonlyMap<string, HotmartPlan>,
): Generator<ImportRecord> {
  const at = cellsOf(value as Row)
  const refuse = (refused: string): ImportRecord => ({ line, refused })
  const events = STATUSES.get(plainOf(at('status') ?? ''))
  if (!events) return yield refuse('status: it is not known')
  if (events.length === 0) return
  const codes = [at('price'), at('product'), at('productName')].filter((code) => code !== undefined)
  const plan = codes.map((code) => plans.get(code)).find((found) => found !== undefined)
  if (!plan) return yield refuse(`${codes.join(', ') || 'its product'} has no plan here: name one with --plan CODE=PRODUCT/PLAN`)
  const paidAt = timeOf(at('paidAt')) ?? timeOf(at('orderedAt'))
  if (paidAt === undefined) return yield refuse('its dates are missing, or of another form than 31/12/2026 18:30:00')
  const [payment, subscriber] = [at('payment'), at('subscriber')]
  const period = plan.period && {
    period_start: iso(paidAt),
    period_end: iso(addCycles(paidAt, plan.period)),
  }
  const about = {
    at: iso(paidAt),
    email: at('email'),
    product: plan.product,
    plan: plan.plan,
    ...(payment !== undefined && { payment_id: `hotmart:${payment}` }),
    ...(subscriber !== undefined && { subscription_id: `hotmart:${subscriber}:${plan.product}/${plan.plan}` }),
  }
  const paid = { name: at('name'), tax_id: at('taxId'), amount: amountOf(at('amount'), at('currency')), ...period }
  for (const event of events) yield { line, value: { event, ...about, ...(event === 'paid' && paid) } }
}

/** Reads `CODE=PRODUCT/PLAN`, with `@12m`, `@1y` or `@30d` where a payment pays for a time. */
export function parseHotmartPlan(text: string): [code: string, plan: HotmartPlan] | undefined {
  const read = /^(?<code>.+)=(?<product>[^/=@]+)\/(?<plan>[^/=@]+?)(?:@(?<count>[1-9]\d{0,3})(?<unit>[dmy]))?$/.exec(text)?.groups
  if (!read) return undefined
  const { code = '', product = '', plan = '', count, unit } = read
  const period = count === undefined ? undefined : cycleOf(Number(count), unit)
  return [code.trim(), { product, plan, period }]
}

function cycleOf(count: number, unit: string | undefined): Cycle {
  if (unit === 'd') return { count, unit: 'days' }
  return { count: unit === 'y' ? count * 12 : count, unit: 'months' }
}

function cellsOf(row: Row): (column: Column) => string | undefined {
  const cells = new Map(Object.entries(row).map(([name, cell]) => [plainOf(name), String(cell ?? '').trim()]))
  return (column) => {
    const cell = COLUMNS[column].map((name) => cells.get(name)).find((found) => found !== undefined && found !== '')
    return cell === '(none)' ? undefined : cell
  }
}

/** Without case and accents. */
function plainOf(text: string): string {
  return text.normalize('NFKD').replaceAll(/\p{M}/gu, '').trim().toLowerCase()
}

/** Brasília is three hours behind UTC. Before 2019 its summers were two, and a payment of then is read an hour late. */
function timeOf(text: string | undefined): number | undefined {
  const read = /^(\d\d)\/(\d\d)\/(\d{4})(?:\s+(\d\d:\d\d)(?::(\d\d))?)?$/.exec(text ?? '')
  if (!read) return undefined
  const [, day, month, year, clock = '00:00', seconds = '00'] = read
  const at = Date.parse(`${year}-${month}-${day}T${clock}:${seconds}-03:00`)
  const isInCalendar = Number(day) <= new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate()
  return Number.isNaN(at) || !isInCalendar ? undefined : at
}

/** Centavos, of reais alone. `1.234,56` and `1234.56`. */
function amountOf(text: string | undefined, currency: string | undefined): number | undefined {
  if (text === undefined || (currency ?? 'BRL').toUpperCase() !== 'BRL') return undefined
  const plain = text.replace(/^R\$\s*/, '')
  const [, whole, decimals = ''] =
    /^(\d+)(?:\.(\d{1,2}))?0*$/.exec(plain.includes(',') ? plain.replaceAll('.', '').replace(',', '.') : plain) ?? []
  return whole === undefined ? undefined : Number(whole) * 100 + Number(decimals.padEnd(2, '0'))
}

function iso(at: number): string {
  return new Date(at).toISOString()
}
