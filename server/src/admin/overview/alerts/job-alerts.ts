import { type Alert, type AlertDeps, listPath } from './alert.ts'
import { alertStore } from './alert-store.ts'

export async function jobsOf({ storage }: AlertDeps): Promise<Alert[]> {
  const { count, since } = await alertStore(storage.db).countDeadJobs()
  return count === 0 ? [] : [{ kind: 'dead_jobs', severity: 'bad', count, since, path: listPath('jobs', { state: 'dead' }) }]
}
