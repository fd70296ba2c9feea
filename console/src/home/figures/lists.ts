/** The address of a list with its filters: the records that a figure counts. */
function listed(resource: string, filter: Readonly<Record<string, string>>): string {
  return `/${resource}?${new URLSearchParams({ filter: JSON.stringify(filter) })}`
}

type PartOfNet = 'received' | 'refunded' | 'lost_in_disputes'

/** The first and the last moment of the days that are shown, as ISO. */
export interface Moments {
  since: string
  until: string
}

/** The plan of a row, and its product; `null`: it has none. */
interface OfPlan {
  plan_id: string | null
  product_id: string | null
}

const FAILED_KEPT_MS = 30 * 86_400_000

export const lists = {
  /** `day`: of the figure, as `2026-10-31`. */
  active: (day: string, of?: OfPlan) => listed('subscriptions', { active_on: day, ...planOf(of) }),
  mrr: (day: string, { of, currency }: { of?: OfPlan; currency?: string } = {}) =>
    listed('subscriptions', { active_on: day, figure: 'mrr', ...(currency !== undefined && { currency }), ...planOf(of) }),
  changed: (changed: 'new' | 'returned' | 'lost', { since, until }: Moments, of?: OfPlan) =>
    listed('subscriptions', { changed, changed_since: since, changed_until: until, ...planOf(of) }),
  transactions: ({ since, until }: Moments, { of, ...filter }: { figure?: PartOfNet; currency?: string; of?: OfPlan } = {}) =>
    listed('transactions', { ...filter, since, until, ...planOf(of) }),
  signIns: ({ since, until }: Moments, filter: { sign_in_method?: string } = {}) =>
    listed('sessions', { sign_in: 'true', ...filter, since, until }),
  /** Begins at the oldest moment that still has rows. `undefined` where all days are older. */
  failedSignIns: ({ since, until }: Moments, filter: { kind?: string } = {}) => {
    const oldest = Date.now() - FAILED_KEPT_MS
    if (Date.parse(until) < oldest) return undefined
    return listed('failed-sign-ins', { ...filter, since: new Date(Math.max(Date.parse(since), oldest)).toISOString(), until })
  },
  newUsers: ({ since, until }: Moments) => listed('users', { created_since: since, created_until: until }),
  /** Those that are stuck now. */
  notifications: ({ since, until }: Moments, filter: { status?: 'unresolved' | 'failed' } = {}) =>
    listed('notifications', { ...filter, stuck: 'true', since, until }),
}

/** In the words of the lists. */
function planOf(of: OfPlan | undefined): Record<string, string> {
  return of ? { plan_id: of.plan_id ?? 'none', product_id: of.product_id ?? 'none' } : {}
}

/** The figures of a row that its lists depend on. */
type RowFigures = Readonly<
  Record<'active' | 'mrr' | 'new' | 'lost' | 'payments' | 'payments_without_amount' | 'refunds' | PartOfNet, number>
>

/**
 * The lists of a row: those of a plan, or those of another currency, which lack the numbers of subscriptions. A figure of nothing has none;
 * what is left may be nothing because it was given back.
 */
export function listsOfRow(
  { to, moments }: { to: string; moments: Moments },
  row: { of: OfPlan } | { currency: string },
  { active, mrr, new: made, lost, payments, payments_without_amount, ...money }: RowFigures,
): Readonly<Record<'active' | 'mrr' | 'new' | 'lost' | 'received' | 'net', string | undefined>> {
  const of = 'of' in row ? row.of : undefined
  // Some amounts are not known.
  const hasReceived = money.received !== 0 || payments + payments_without_amount > 0
  const hasMoved = hasReceived || money.refunds !== 0 || money.refunded !== 0 || money.lost_in_disputes !== 0
  return {
    active: of && active !== 0 ? lists.active(to, of) : undefined,
    mrr: mrr !== 0 ? lists.mrr(to, row) : undefined,
    new: of && made !== 0 ? lists.changed('new', moments, of) : undefined,
    lost: of && lost !== 0 ? lists.changed('lost', moments, of) : undefined,
    received: hasReceived ? lists.transactions(moments, { figure: 'received', ...row }) : undefined,
    net: hasMoved ? lists.transactions(moments, row) : undefined,
  }
}
