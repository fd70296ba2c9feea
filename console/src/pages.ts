import { administratorsPages } from './administrators/index.ts'
import { auditPages } from './audit/index.ts'
import { jobsPages } from './jobs/index.ts'
import { notificationsPages } from './notifications/index.ts'
import type { PageGroup } from './page-group.ts'
import { plansPages } from './plans/index.ts'
import { sessionsPages } from './sessions/index.ts'
import { subscriptionsPages } from './subscriptions/index.ts'
import { tokensPages } from './tokens/index.ts'
import { usersPages } from './users/index.ts'
import { webhookTestPages } from './webhook-test/index.ts'

/** All page groups, in the order of the menu: add yours here. */
export const pageGroups: readonly PageGroup[] = [
  usersPages,
  sessionsPages,
  plansPages,
  subscriptionsPages,
  notificationsPages,
  webhookTestPages,
  jobsPages,
  administratorsPages,
  tokensPages,
  auditPages,
]
