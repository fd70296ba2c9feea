import { type Clock, fixOnSetBack } from '../../kit/index.ts'
import { createLooks, type Outbox } from '../../outbox/index.ts'
import { reportSubscriptions } from '../../subscriptions/index.ts'
import { type ReportUsersDeps, reportUsers } from '../../users/index.ts'
import { lookAgainAfter, type ReportDeps, reportDue } from './report-access.ts'
import { isAnyHearing } from './report-store.ts'

/**
 * Reports changes of access, at each wake and every second, and those of users and subscriptions with them. A wake does nothing while
 * nobody hears of access or users.
 */
export function createAccessReporter({ onFault, onReported, ...deps }: ReporterDeps): Pick<Outbox, 'start' | 'stop' | 'wake'> {
  let isFollowed = false
  const fixAfterSetBack = fixOnSetBack(deps, (wasSetBack) => lookAgainAfter(wasSetBack, deps))
  const work = async () => {
    isFollowed = await isAnyHearing(deps.storage.db)
    await fixAfterSetBack()
    const parts = isFollowed ? [() => reportDue(deps), () => reportUsers(deps)] : []
    // Some of each at a time, so that none waits until all of another is done; and each of them though another has faulted.
    for (const part of [...parts, () => reportSubscriptions(deps)]) {
      const did = await part().catch(onFault)
      if (did && did.looked > 0) onReported()
      if (did?.more) looks.wake()
    }
  }
  const looks = createLooks(work, onFault)
  return {
    wake() {
      if (isFollowed) looks.wake()
    },
    start: looks.start,
    stop: looks.stop,
  }
}

interface ReporterDeps extends ReportDeps, ReportUsersDeps, Pick<Clock, 'setBacks'> {
  onFault: (error: unknown) => void
  /** Called when there may be something to deliver. */
  onReported: () => void
}
