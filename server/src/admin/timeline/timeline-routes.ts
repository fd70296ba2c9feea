import { z } from 'zod'
import type { PageAfter } from '../../storage/index.ts'
import type { User } from '../../users/index.ts'
import type { AdminAnswer, AdminCall } from '../api/admin-route.ts'
import { type Caller, mayAlso } from '../api/caller.ts'
import type { AdminDeps } from '../api/deps.ts'
import { listQuery, onePage, readPage, writePage } from '../api/list.ts'
import { adminRoute, type Operations } from '../api/operations.ts'
import { withUser } from '../users/show-user.ts'
import { newestFirst, placeOf, TIMELINE_KINDS, type TimelineEntry, timelineEntryJson } from './timeline-entry.ts'
import { timelineStore } from './timeline-store.ts'

const timelineEntrySchema = z
  .object({
    id: z.string(),
    kind: z.enum(TIMELINE_KINDS),
    what: z.string().describe('in the words of its kind: why a session ended, what became of a payment, which mail, which action'),
    at: z.iso.datetime(),
    details: z.record(z.string(), z.union([z.string(), z.number()]).nullable()),
    path: z.string().nullable().describe('where the console shows it'),
  })
  .meta({ id: 'TimelineEntry' })
const example = {
  id: '0199c2b4-8a11-7d20-8f31-6c1f0d9b7a45',
  kind: 'sign_in',
  what: 'sign_in',
  at: '2026-11-20T12:00:00.000Z',
  details: { product: null, ip: '203.0.113.7', user_agent: 'Mozilla/5.0 …' },
  path: null,
}
const timelineQuery = listQuery({ sorts: ['at'], usual: '-at' }, {}).omit({ sort: true })
const order = { sort: 'at', direction: 'desc' } as const

/** All events of one user, in one list. */
export function timelineRoutes(operations: Operations, deps: AdminDeps): void {
  adminRoute(operations, {
    method: 'GET',
    path: '/users/:id/timeline',
    operationId: 'listTimeline',
    summary: 'List what happened to a user: sign-ins, purchases, their notifications, mails, changes',
    description: 'The newest first. A script sees what its scopes let it read.',
    may: 'users:read',
    personal: ['reason', 'ip', 'user_agent'],
    query: timelineQuery,
    answer: onePage(timelineEntrySchema, example),
    refuses: ['not_found', 'bad_cursor'],
    work: (call) => withUser(call.id, deps, (user) => list(user, call, deps)),
  })
}

async function list(
  user: User,
  { query, caller }: AdminCall<z.output<typeof timelineQuery>, unknown>,
  deps: AdminDeps,
): Promise<AdminAnswer> {
  const { storage, cursors } = deps
  const [name, asked] = [`timeline of ${user.id}`, { ...query, sort: order }]
  const read = readPage(name, asked, cursors)
  if ('refusal' in read) return read
  const found = await readTimeline(user, caller, { db: storage.db, after: read.page.after, limit: read.page.limit })
  return { body: writePage(name, found, asked, { cursors, placeOf, json: timelineEntryJson }) }
}

/** The newest of every kind, as many of each as the page holds: any omitted one is older than all of those. */
async function readTimeline(
  { id, email, emailVerifiedAt }: User,
  caller: Caller,
  { db, ...place }: { db: AdminDeps['storage']['db']; after: PageAfter | undefined; limit: number },
): Promise<TimelineEntry[]> {
  const entries = timelineStore(db, place)
  const found = await Promise.all([
    entries.listMails(id),
    ...(mayAlso(caller, 'sessions:read') ? [entries.listSignIns(id), entries.listSessionEnds(id)] : []),
    ...(mayAlso(caller, 'subscriptions:read') ? [entries.listPurchases(id)] : []),
    ...(mayAlso(caller, 'notifications:read') && emailVerifiedAt !== undefined ? [entries.listNotifications(email)] : []),
    ...(mayAlso(caller, 'audit:read') ? [entries.listChanges('target', id), entries.listChanges('actor', `user:${id}`)] : []),
  ])
  const sorted = found.flat().toSorted(newestFirst)
  // A user's action on themselves is found both ways.
  return sorted.filter((one, at) => one.kind !== 'change' || sorted.findIndex(({ id, kind }) => id === one.id && kind === 'change') === at)
}
