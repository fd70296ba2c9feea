// outbox: work that follows a commit and may take several tries: mails, calls to others. Owns: jobs, written in the transaction of the
// action itself; leases, lanes, back-off, the dead letter. A job may run more than once, and each handler must allow for it. Does not own:
// the work itself; each floor above brings its handler.

export { waitAfter } from './back-off.ts'
export { countDeadJobs, countDeadLanes, countJobs, hasLivingJob } from './count-store.ts'
export { forgetDeadMails } from './dead-mail-store.ts'
export { FatalJobFault, type JobHandler, type JobRecord, jobState, TryLater } from './job.ts'
export { createLooks } from './looks.ts'
export {
  addJob,
  addOpenJob,
  findJob,
  listJobs,
  listJobsPage,
  listSealedJobs,
  resealJob,
  reviveDeadJobs,
  reviveJob,
  rewriteJob,
  takeIdleJob,
} from './store.ts'
export { createOutbox, joinOutboxes, type Outbox } from './worker.ts'
