import { endpointStore } from '../../../app-events/index.ts'
import { disablesAt } from '../../../event-delivery/index.ts'
import { type Alert, type AlertDeps, listPath } from './alert.ts'

/** Endpoints that events do not reach: those that failures have disabled, and those that fail. An operator's own choice is no alert. */
export async function endpointsOf({ storage }: Pick<AlertDeps, 'storage'>): Promise<Alert[]> {
  const all = await endpointStore(storage.db).list()
  const disabled = all.flatMap((one) =>
    one.disabledAt !== undefined && one.disabledReason !== 'operator' ? [{ ...one, at: one.disabledAt }] : [],
  )
  const failing = all.flatMap((one) =>
    one.disabledAt === undefined && one.failingSince !== undefined ? [{ ...one, at: one.failingSince }] : [],
  )
  const ends = failing.map(({ at: failingSince, warnedAt }) => disablesAt({ failingSince, warnedAt }))
  const pathTo = (found: readonly { id: string }[], state: string) => {
    const [only] = found
    return only && found.length === 1 ? `/endpoints/${only.id}/show` : listPath('endpoints', { state })
  }
  const first = (found: readonly { at: number }[]) => Math.min(...found.map(({ at }) => at))
  const items = [
    { kind: 'endpoints_disabled', severity: 'bad', count: disabled.length, since: first(disabled), path: pathTo(disabled, 'disabled') },
    {
      kind: 'endpoints_failing',
      severity: 'warning',
      count: failing.length,
      since: first(failing),
      until: Math.min(...ends),
      path: pathTo(failing, 'failing'),
    },
  ] as const
  return items.filter((item) => item.count > 0)
}
