/** The address of a list with its filters: the records that a figure counts. */
function listed(resource: string, filter: Readonly<Record<string, string>>): string {
  return `/${resource}?${new URLSearchParams({ filter: JSON.stringify(filter) })}`
}

/** The first and the last moment of the days that are shown, as ISO. */
export interface Moments {
  since: string
  until: string
}

export const lists = {
  activeSubscriptions: (planId?: string) => listed('subscriptions', { state: 'active', ...(planId !== undefined && { plan_id: planId }) }),
  changed: (changed: 'new' | 'returned' | 'lost', { since, until }: Moments) =>
    listed('subscriptions', { changed, changed_since: since, changed_until: until }),
  payments: ({ since, until }: Moments) => listed('notifications', { status: 'processed', since, until }),
  signIns: ({ since, until }: Moments) => listed('sessions', { sign_in: 'true', since, until }),
  newUsers: ({ since, until }: Moments) => listed('users', { created_since: since, created_until: until }),
  notifications: (status: 'unresolved' | 'failed', { since, until }: Moments) => listed('notifications', { status, since, until }),
}
