import { addCycles } from '../../gateways/index.ts'
import type { ImportRecord } from '../users/import/files/import-record.ts'
import { cellsOf, type HotmartRow, plainOf } from './hotmart-cells.ts'
import type { HotmartPlan } from './hotmart-plan.ts'
import { amountOf, iso, timeOf } from './hotmart-values.ts'

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

/** The records of our form that a row of Hotmart's report comes to: none for a sale that was never paid. */
export function* readHotmartRow(
  { line, value }: ImportRecord & { value: unknown },
  plans: ReadonlyMap<string, HotmartPlan>,
): Generator<ImportRecord> {
  const at = cellsOf(value as HotmartRow)
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
