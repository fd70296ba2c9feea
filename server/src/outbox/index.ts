// outbox: work that follows a commit and may take several tries: mails, calls to others. Owns: jobs, written in the transaction of the
// action itself; leases, lanes, back-off, the dead letter. A job may run more than once, and each handler must allow for it. Does not own:
// the work itself; each floor above brings its handler.

export { addJob, addOpenJobs } from './add-store.ts'
export { waitAfter } from './back-off.ts'
export { FatalJobFault, type JobHandler, type JobRecord, jobState, type OnGivenUp, TryLater } from './job.ts'
export { joinOutboxes } from './join-outboxes.ts'
export { createLooks } from './looks.ts'
export { countDeadJobs, countDeadLanes, countJobs, hasLivingJob } from './records/count-store.ts'
export { forgetDeadMails } from './records/dead-mail-store.ts'
export { findJob, listJobs, listJobsPage, reviveDeadJobs, reviveJob, takeIdleJob } from './records/record-store.ts'
export { listSealedJobs, resealJob, rewriteJob } from './records/sealed-store.ts'
export { createOutbox, type Outbox } from './worker.ts'
