import { countRefused, notificationListStore, REFUSED_LATELY_MS } from '../../../notifications/index.ts'
import { type Alert, type AlertDeps, listPath } from './alert.ts'

export async function notificationsOf({ storage, now }: AlertDeps): Promise<Alert[]> {
  const open = await notificationListStore(storage.db).countOpen()
  const count = (wanted: string) => open.filter(({ state }) => state === wanted).reduce((sum, one) => sum + one.count, 0)
  const lately = now - REFUSED_LATELY_MS
  const refused = await countRefused(storage.db, lately)
  const items = [
    {
      kind: 'unresolved_notifications',
      severity: 'warning',
      count: count('unresolved'),
      path: listPath('notifications', { status: 'unresolved', stuck: 'true' }),
    },
    { kind: 'failed_notifications', severity: 'bad', count: count('failed'), path: listPath('notifications', { status: 'failed' }) },
    {
      kind: 'refused_notifications',
      severity: 'warning',
      ...refused,
      path: listPath('notifications', { status: 'refused', since: new Date(lately).toISOString() }),
    },
  ] as const
  return items.filter((item) => item.count > 0)
}
