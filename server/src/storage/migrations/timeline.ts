import { readFileSync } from 'node:fs'
import * as initial from './0001-initial.ts'
import * as notificationAttempts from './later/0017-notification-attempts.ts'
import * as openIdSessions from './later/0018-openid-sessions.ts'
import * as describedClients from './later/0019-described-clients.ts'
import * as foreignAmounts from './later/0020-foreign-amounts.ts'
import * as touchIcons from './later/0021-touch-icons.ts'
import * as reportChanges from './later/0022-report-changes.ts'
import * as reportLists from './later/0023-report-lists.ts'
import * as periodPrices from './later/0024-period-prices.ts'
import * as failedSignIns from './later/0025-failed-sign-ins.ts'
import * as reportPrices from './later/0026-report-prices.ts'
import * as reportPlans from './later/0027-report-plans.ts'
import * as statedEnds from './later/0028-stated-ends.ts'
import * as purchaseAmounts from './later/0029-purchase-amounts.ts'
import { change, fill, index, type Migration } from './migration.ts'
import * as forwardAuth from './since/0002-forward-auth.ts'
import * as openid from './since/0003-openid.ts'
import * as backchannelLogout from './since/0004-backchannel-logout.ts'
import * as eventEndpoints from './since/0005-event-endpoints.ts'
import * as clientDocuments from './since/0006-client-documents.ts'
import * as reportedSubscriptions from './since/0007-reported-subscriptions.ts'
import { failedDeliveries } from './since/0008-failed-deliveries.ts'
import * as reportedUsers from './since/0009-reported-users.ts'
import * as externalIds from './since/0010-external-ids.ts'
import * as appearance from './since/0011-appearance.ts'
import * as managedSettings from './since/0012-managed-settings.ts'
import * as providerKinds from './since/0013-provider-kinds.ts'
import * as unusedImages from './since/0014-unused-images.ts'
import * as ownProfile from './since/0015-own-profile.ts'
import * as reports from './since/0016-reports.ts'

/** A version and the migrations that it knows, by name and in order. */
export interface Timeline {
  version: string
  migrations: Record<string, Migration>
}

/**
 * The one timeline, for both databases. A released migration is frozen: a later one corrects it. A new one says whether it only adds, and
 * lists its steps (`migration.ts`), for example `'0099-wishes': { adds: true, steps: [change(wishes.up), index(wishes.byAddress),
 * fill(wishes.words)] }`.
 */
export const timeline: Timeline = {
  version: String(JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')).version),
  migrations: {
    '0001-initial': { adds: true, steps: [change(initial.up)] },
    '0002-forward-auth': { adds: true, steps: [change(forwardAuth.up)] },
    '0003-openid': { adds: true, steps: [change(openid.products), change(openid.signingKeys), change(openid.tokens)] },
    '0004-backchannel-logout': {
      adds: true,
      steps: [change(backchannelLogout.sessionProducts), change(backchannelLogout.openPayloads), index(backchannelLogout.byLogoutAddress)],
    },
    '0005-event-endpoints': {
      adds: true,
      steps: [change(eventEndpoints.endpoints), change(eventEndpoints.events), change(eventEndpoints.reportedAccess)],
    },
    '0006-client-documents': { adds: true, steps: [change(clientDocuments.up)] },
    '0007-reported-subscriptions': { adds: true, steps: [change(reportedSubscriptions.reportedSubscriptions)] },
    '0008-failed-deliveries': { adds: true, steps: [index(failedDeliveries)] },
    '0009-reported-users': { adds: true, steps: [change(reportedUsers.reportedUsers)] },
    '0010-external-ids': { adds: true, steps: [change(externalIds.externalId), index(externalIds.byExternalId)] },
    '0011-appearance': { adds: true, steps: [change(appearance.appearances), change(appearance.brandImages)] },
    '0012-managed-settings': { adds: true, steps: [change(managedSettings.up)] },
    '0013-provider-kinds': { adds: true, steps: [change(providerKinds.kind)] },
    '0014-unused-images': { adds: true, steps: [change(unusedImages.unusedSince)] },
    '0015-own-profile': {
      adds: true,
      steps: [
        change(ownProfile.passwordChanged),
        change(ownProfile.taxIdCorrected),
        change(ownProfile.pictures),
        change(ownProfile.openedApps),
        index(ownProfile.byName),
      ],
    },
    '0016-reports': { adds: true, steps: [change(reports.countedAt), index(reports.uncounted), change(reports.reports)] },
    '0017-notification-attempts': {
      adds: true,
      steps: [change(notificationAttempts.duration), change(notificationAttempts.attempts), change(notificationAttempts.runs)],
    },
    '0018-openid-sessions': { adds: true, steps: [change(openIdSessions.openIdSince)] },
    '0019-described-clients': { adds: true, steps: [change(describedClients.describedClients), index(describedClients.byClient)] },
    '0020-foreign-amounts': { adds: true, steps: [change(foreignAmounts.foreignAmount)] },
    '0021-touch-icons': { adds: true, steps: [change(touchIcons.touchIcon)] },
    '0022-report-changes': { adds: true, steps: [change(reportChanges.reportChanges), change(reportChanges.recount)] },
    '0023-report-lists': {
      adds: true,
      steps: [change(reportLists.reportLists), change(reportChanges.recount), fill(reportLists.countUnlisted)],
    },
    '0024-period-prices': { adds: true, steps: [change(periodPrices.periodPrice)] },
    '0025-failed-sign-ins': {
      adds: true,
      steps: [change(failedSignIns.failedSignIns), change(failedSignIns.signInMethod), index(failedSignIns.byMethod)],
    },
    '0026-report-prices': {
      adds: true,
      steps: [
        ...[change(reportPrices.reportPrices), change(reportPrices.planOfChange), index(reportPrices.byPlan)],
        ...[change(reportChanges.recount), fill(reportPrices.countUnpriced)],
      ],
    },
    // Money is counted with the plan of its payments alone, no dispute is won by the end of an inquiry, and only Asaas goes by due days
    // (decisions 221 and 222).
    '0027-report-plans': { adds: true, steps: [change(reportChanges.recount), fill(reportPlans.countByOldRules)] },
    '0028-stated-ends': { adds: true, steps: [change(statedEnds.periodStatedAt)] },
    '0029-purchase-amounts': { adds: true, steps: [change(purchaseAmounts.purchaseAmount)] },
  },
}
