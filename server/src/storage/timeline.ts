import { readFileSync } from 'node:fs'
import { change, index, type Migration } from './migration.ts'
import * as frontDoor from './migrations/0001-front-door.ts'
import * as accounts from './migrations/0002-accounts.ts'
import * as purchases from './migrations/0003-purchases.ts'
import * as gateways from './migrations/0004-gateways.ts'
import * as outboxLanes from './migrations/0005-outbox-lanes.ts'
import * as onePaymentOneLine from './migrations/0006-one-payment-one-line.ts'
import * as secondFactor from './migrations/0007-second-factor.ts'
import * as passkeys from './migrations/0008-passkeys.ts'
import * as ownPage from './migrations/0009-own-page.ts'
import * as passkeySessions from './migrations/0010-passkey-sessions.ts'
import * as console from './migrations/0011-console.ts'
import * as goneSubscriptions from './migrations/0012-gone-subscriptions.ts'
import * as paidPeriods from './migrations/0013-paid-periods.ts'
import * as planRefs from './migrations/0015-plan-refs.ts'
import * as amounts from './migrations/0016-amounts.ts'
import * as profileRequirements from './migrations/0025-profile-requirements.ts'
import * as guestBuyers from './migrations/0026-guest-buyers.ts'

/** A version and the migrations that it knows, by name and in order. */
export interface Timeline {
  version: string
  migrations: Record<string, Migration>
}

/**
 * The one timeline, for both databases. A released migration is frozen: mend it with a later one. A new one says whether it only adds, and its steps (`migration.ts`), for example
 * `'0099-wishes': { adds: true, steps: [change(wishes.up), index(wishes.byAddress), fill(wishes.words)] }`.
 */
export const timeline: Timeline = {
  version: String(JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')).version),
  migrations: {
    '0001-front-door': { adds: true, steps: [change(frontDoor.up)] },
    '0002-accounts': { adds: true, steps: [change(accounts.up)] },
    '0003-purchases': { adds: true, steps: [change(purchases.up)] },
    '0004-gateways': { adds: true, steps: [change(gateways.up)] },
    '0005-outbox-lanes': { adds: true, steps: [change(outboxLanes.up)] },
    '0006-one-payment-one-line': { adds: true, steps: [change(onePaymentOneLine.up)] },
    '0007-second-factor': { adds: true, steps: [change(secondFactor.up)] },
    '0008-passkeys': { adds: true, steps: [change(passkeys.up)] },
    '0009-own-page': { adds: true, steps: [change(ownPage.up)] },
    '0010-passkey-sessions': { adds: true, steps: [change(passkeySessions.up)] },
    '0011-console': { adds: true, steps: [change(console.up)] },
    '0012-gone-subscriptions': { adds: true, steps: [change(goneSubscriptions.up)] },
    '0013-paid-periods': { adds: true, steps: [change(paidPeriods.up)] },
    '0015-plan-refs': { adds: true, steps: [change(planRefs.up)] },
    '0016-amounts': { adds: true, steps: [change(amounts.choice), change(amounts.amounts)] },
    '0025-profile-requirements': { adds: true, steps: [change(profileRequirements.up)] },
    '0026-guest-buyers': { adds: true, steps: [change(guestBuyers.up), index(guestBuyers.byPhone)] },
  },
}
