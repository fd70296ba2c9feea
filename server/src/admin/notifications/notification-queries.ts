import { z } from 'zod'
import { lastMoment, listQuery, moment } from '../api/list.ts'
import { MAX_COUNTED } from './notification-list-store.ts'
import { status } from './notification-schemas.ts'

const filters = {
  source: z.string().max(40).optional().describe("`purchase`, or a gateway's name"),
  product_id: z.uuid().optional(),
  email: z.string().max(254).optional().describe("the buyer's"),
  since: moment.optional(),
  until: lastMoment.optional(),
}

export const notificationListQuery = listQuery(
  { sorts: ['received_at'], usual: '-received_at' },
  {
    status: status.optional(),
    stuck: z
      .literal('true')
      .optional()
      .describe('only those that need somebody: failed, or unresolved while no gateway is being asked about them'),
    ...filters,
  },
)

export const countsQuery = z.strictObject(filters)
const counted = z.int().describe(`${MAX_COUNTED + 1}: there are more than ${MAX_COUNTED}`)
export const countsSchema = z.object({ all: counted, unresolved: counted, failed: counted }).meta({ id: 'NotificationCounts' })
export const countsExample = { all: 321, unresolved: 4, failed: 9 }
