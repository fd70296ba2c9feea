import { z } from 'zod'
import { type AuditRecord, findAudit, listAuditPage } from '../../audit/index.ts'
import type { Caller } from '../api/caller.ts'
import type { AdminDeps } from '../api/deps.ts'
import { answerPage, type ListFilters, type Listing, lastMoment, listQuery, moment, onePage } from '../api/list.ts'
import { maskChange } from '../api/mask.ts'
import { adminRoute, type Operations } from '../api/operations.ts'
import { auditJson } from './audit-json.ts'

const record = z.record(z.string(), z.unknown()).nullable()
const auditSchema = z
  .object({
    id: z.uuid(),
    at: z.iso.datetime(),
    actor: z.string().describe('`user:<id>`, `token:<id>`, `product:<id>`, `operator:cli` or `system`'),
    action: z.string(),
    target: z.string(),
    before: record,
    after: record,
    reason: z.string().nullable(),
    ip: z.string().nullable(),
  })
  .meta({ id: 'AuditEntry' })
const example = {
  id: '0199c2b4-a000-7b10-8c20-3d4e5f6a7b8c',
  at: '2026-11-20T12:00:00.000Z',
  actor: 'user:0199c2b4-7d3a-7c1e-9f52-1b6f0a4c8e21',
  action: 'user.disable',
  target: '0199c2b4-8a11-7d20-8f31-6c1f0d9b7a45',
  before: null,
  after: null,
  reason: 'account taken over',
  ip: '203.0.113.7',
}
const text = z.string().min(1).max(100).optional()
export const auditListQuery = listQuery(
  { sorts: ['at'], usual: '-at' },
  { actor: text, action: text, target: text, since: moment.optional(), until: lastMoment.optional() },
)

/** Free text about a user, and the address it came from. */
export const AUDIT_PERSONAL = ['reason', 'ip']

/** The audit log: who did what, when, from where and why. Read-only. */
export function auditRoutes(operations: Operations, deps: AdminDeps): void {
  adminRoute(operations, {
    method: 'GET',
    path: '/audit',
    operationId: 'listAudit',
    summary: 'List what was done',
    may: 'audit:read',
    personal: AUDIT_PERSONAL,
    query: auditListQuery,
    answer: onePage(auditSchema, example),
    refuses: ['bad_cursor'],
    work: ({ query, caller }) => answerPage('audit', query, auditListing(query, caller, deps), deps.cursors),
  })
  adminRoute(operations, {
    method: 'GET',
    path: '/audit/:id',
    operationId: 'showAudit',
    summary: 'Show one entry',
    may: 'audit:read',
    personal: AUDIT_PERSONAL,
    answer: { description: 'The entry', schema: auditSchema, example },
    refuses: ['not_found'],
    async work({ id, caller }) {
      const entry = await findAudit(deps.storage.db, id)
      return entry ? { body: shownTo(caller)(entry) } : { refusal: 'not_found' }
    },
  })
}

/** The audit log for a caller. */
export function auditListing(
  query: ListFilters<typeof auditListQuery>,
  { role }: Pick<Caller, 'role'>,
  { storage }: AdminDeps,
): Listing<AuditRecord, 'at'> {
  return {
    order: query.sort,
    read: (page) => listAuditPage(storage.db, query, page),
    placeOf: ({ id }) => ({ id, value: id }),
    json: shownTo({ role }),
  }
}

/** The values of a change are personal data; the fact of the change is not. */
function shownTo({ role }: Pick<Caller, 'role'>): (entry: AuditRecord) => ReturnType<typeof auditJson> {
  if (role !== 'viewer') return auditJson
  return (entry) => {
    const json = auditJson(entry)
    return { ...json, before: json.before && maskChange(json.before), after: json.after && maskChange(json.after) }
  }
}
