import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { auditListQuery } from '../audit/audit-routes.ts'
import { countsQuery, notificationListQuery } from '../notifications/notification-queries.ts'
import { failedSignInListQuery } from '../sessions/failed-sign-in-schemas.ts'
import { sessionListQuery } from '../sessions/session-schemas.ts'
import { subscriptionListQuery } from '../subscriptions/subscription-schemas.ts'
import { userListQuery } from '../users/user-schemas.ts'

describe('The end of the time that a list is asked for', () => {
  const next = Date.parse('2026-11-21T03:00:00.000Z')
  for (const [list, read] of Object.entries({
    audit: (until: string) => auditListQuery.parse({ until }).until,
    notifications: (until: string) => notificationListQuery.parse({ until }).until,
    counts: (until: string) => countsQuery.parse({ until }).until,
    failedSignIns: (until: string) => failedSignInListQuery.parse({ until }).until,
    sessions: (until: string) => sessionListQuery.parse({ until }).until,
    subscriptions: (until: string) => subscriptionListQuery.parse({ until }).until,
    users: (until: string) => userListQuery.parse({ created_until: until }).created_until,
  })) {
    it(`has the last millisecond of a day in it: ${list}`, () => {
      assert.equal(read('2026-11-20T23:59:59.999-03:00'), next)
      assert.equal(read('2026-11-21T00:00:00.000-03:00'), next)
      assert.equal(read('2026-11-20T23:59:59.998-03:00'), next - 2)
    })
  }
})
