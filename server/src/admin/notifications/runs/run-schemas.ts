import { z } from 'zod'
import { moment } from '../../api/list.ts'
import { reason } from '../../api/request/reason.ts'
import { RUN_STATES } from './notification-run.ts'

const time = z.iso.datetime().nullable()

export const openQuery = z.strictObject({ since: moment.describe('received since then') })

export const openSchema = z
  .object({
    unresolved: z.int().describe('that wait for the operator'),
    failed: z.int().describe('whose gateways were asked in vain'),
    awaiting_gateway: z.int().describe('whose gateways are being asked already: a run leaves them alone'),
  })
  .meta({ id: 'OpenSince' })
export const openExample = { unresolved: 4, failed: 9, awaiting_gateway: 1 }

export const runBody = z.strictObject({
  since: moment.describe('every one that waits or failed and was received since then'),
  reason: reason.optional(),
})

export const runSchema = z
  .object({
    id: z.uuid(),
    since: time,
    state: z.enum(RUN_STATES),
    actor: z.string().describe('who began it'),
    total: z.int().describe('how many there were at its beginning'),
    done: z.int().describe('how many it has looked at; fewer than `total` at the end where others were faster'),
    processed: z.int(),
    asked: z.int().describe('whose gateways it had asked again'),
    asked_by_now: z
      .object({ awaiting: z.int(), processed: z.int(), failed: z.int(), other: z.int() })
      .describe('what became of those asked, at this moment: the answer may come later than the end of the run'),
    pending: z
      .record(z.string(), z.int())
      .describe(
        'how many wait on, by reason; `not_allowed`: of somebody who has a role; `changed_meanwhile`: somebody else was faster; `fault`: the service failed, its log says why',
      ),
    created_at: time,
    updated_at: time,
    finished_at: time,
  })
  .meta({ id: 'NotificationRun' })
export const runListSchema = z.object({ data: z.array(runSchema) })

export const runExample = {
  id: '0199c2b4-f555-7a60-8171-8c9d0e1f2031',
  since: '2026-11-20T10:00:00.000Z',
  state: 'done',
  actor: 'user:0199c2b4-7d3a-7c1e-9f52-1b6f0a4c8e21',
  total: 13,
  done: 13,
  processed: 3,
  asked: 9,
  asked_by_now: { awaiting: 1, processed: 8, failed: 0, other: 0 },
  pending: { unknown_plan: 1 },
  created_at: '2026-11-20T12:00:00.000Z',
  updated_at: '2026-11-20T12:00:01.000Z',
  finished_at: '2026-11-20T12:00:01.000Z',
}
