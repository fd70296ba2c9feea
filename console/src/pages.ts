import { administratorsPages } from './administrators/index.ts'
import { appearancePages } from './appearance/index.ts'
import { auditPages } from './audit/index.ts'
import { describedClientsPages } from './described-clients/index.ts'
import { endpointsPages } from './endpoints/index.ts'
import { identityProvidersPages } from './identity-providers/index.ts'
import { jobsPages } from './jobs/index.ts'
import { notificationsPages } from './notifications/index.ts'
import type { PageGroup } from './page-group.ts'
import { plansPages } from './plans/index.ts'
import { productsPages } from './products/index.ts'
import { searchPages } from './search/index.ts'
import { sessionsPages } from './sessions/index.ts'
import { signingKeysPages } from './signing-keys/index.ts'
import { subscriptionsPages } from './subscriptions/index.ts'
import { tokensPages } from './tokens/index.ts'
import { transactionsPages } from './transactions/index.ts'
import { usersPages } from './users/index.ts'
import { webhookTestPages } from './webhook-test/index.ts'

/** All page groups, in the order of the menu: add yours here. */
export const pageGroups: readonly PageGroup[] = [
  searchPages,
  usersPages,
  sessionsPages,
  productsPages,
  describedClientsPages,
  plansPages,
  subscriptionsPages,
  transactionsPages,
  notificationsPages,
  webhookTestPages,
  endpointsPages,
  jobsPages,
  identityProvidersPages,
  appearancePages,
  signingKeysPages,
  administratorsPages,
  tokensPages,
  auditPages,
]
