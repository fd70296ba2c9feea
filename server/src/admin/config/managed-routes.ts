import { z } from 'zod'
import type { AdminDeps } from '../api/deps.ts'
import { adminRoute, type Operations } from '../api/operations.ts'
import { MANAGED_KINDS, markStore } from './mark-store.ts'

const MAX_ID = 64
const managedSchema = z
  .object({ managed_by: z.string().nullable().describe('who declares it in a file of settings; null: nobody does') })
  .meta({ id: 'Managed' })

/** Whether a file of settings declares something, so that a change by hand would not last. */
export function managedRoutes(operations: Operations, deps: AdminDeps): void {
  adminRoute(operations, {
    method: 'GET',
    path: '/managed',
    operationId: 'showManager',
    summary: 'Show which file of settings declares something',
    may: 'products:read',
    query: z.strictObject({ kind: z.enum(MANAGED_KINDS), id: z.string().min(1).max(MAX_ID) }),
    answer: { description: 'Its manager', schema: managedSchema, example: { managed_by: 'config' } },
    work: async ({ query: { kind, id } }) => ({ body: { managed_by: (await markStore(deps.storage.db).find(kind, id)) ?? null } }),
  })
}
