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

export const lists = {
  /** `day`: of the figure, as `2026-10-31`. */
  active: (day: string, of: { plan_id?: string; product_id?: string } = {}) => listed('subscriptions', { active_on: day, ...of }),
  changed: (changed: 'new' | 'returned' | 'lost', { since, until }: Moments) =>
    listed('subscriptions', { changed, changed_since: since, changed_until: until }),
  transactions: ({ since, until }: Moments, filter: { figure?: PartOfNet; currency?: string } = {}) =>
    listed('transactions', { ...filter, since, until }),
  signIns: ({ since, until }: Moments, filter: { sign_in_method?: string } = {}) =>
    listed('sessions', { sign_in: 'true', ...filter, since, until }),
  failedSignIns: ({ since, until }: Moments, filter: { kind?: string } = {}) => listed('failed-sign-ins', { ...filter, since, until }),
  newUsers: ({ since, until }: Moments) => listed('users', { created_since: since, created_until: until }),
  notifications: (status: 'unresolved' | 'failed', { since, until }: Moments) => listed('notifications', { status, since, until }),
}
