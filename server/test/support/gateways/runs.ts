import assert from 'node:assert/strict'
import { until } from '../until.ts'
import type { adminOf } from '../users/admins.ts'

export interface ShownRun {
  id: string
  state: 'running' | 'done' | 'stopped'
  total: number
  done: number
  processed: number
  asked: number
  asked_by_now: { awaiting: number; processed: number; failed: number; other: number }
  pending: Record<string, number>
  actor: string
}

type Admin = Pick<Awaited<ReturnType<typeof adminOf>>, 'get' | 'send'>

/** Has everything processed again since then (ISO), by the service, and answers the run once it has ended. */
export async function ranSince(admin: Admin, since: string): Promise<ShownRun> {
  const begun = await admin.send('POST', '/notification-runs', { since })
  assert.equal(begun.status, 200, begun.text)
  return ended(admin, begun.json<ShownRun>().id)
}

/** Waits for the end of a run. */
export async function ended(admin: Admin, id: string): Promise<ShownRun> {
  const read = async () => (await admin.get(`/notification-runs/${id}`)).json<ShownRun>()
  await until(async () => (await read()).state !== 'running')
  return read()
}
