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
  /** None of days that are over for so long that no row is left. */
  failedSignIns: ({ since, until }: Moments, filter: { kind?: string } = {}) =>
    Date.parse(until) < Date.now() - FAILED_KEPT_MS ? undefined : listed('failed-sign-ins', { ...filter, since, until }),
  newUsers: ({ since, until }: Moments) => listed('users', { created_since: since, created_until: until }),
  notifications: (status: 'unresolved' | 'failed', { since, until }: Moments) => listed('notifications', { status, since, until }),
}

/** In the words of the lists. */
function planOf(of: OfPlan | undefined): Record<string, string> {
  return of ? { plan_id: of.plan_id ?? 'none', product_id: of.product_id ?? 'none' } : {}
}

/** The lists of a row: those of a plan, or those of another currency, which lack the numbers of subscriptions. */
export function listsOfRow(
  { to, moments }: { to: string; moments: Moments },
  row: { of: OfPlan } | { currency: string },
): Readonly<Record<'active' | 'mrr' | 'new' | 'lost' | 'received' | 'net', string | undefined>> {
  const of = 'of' in row ? row.of : undefined
  return {
    active: of && lists.active(to, of),
    mrr: lists.mrr(to, row),
    new: of && lists.changed('new', moments, of),
    lost: of && lists.changed('lost', moments, of),
    received: lists.transactions(moments, { figure: 'received', ...row }),
    net: lists.transactions(moments, row),
  }
}
