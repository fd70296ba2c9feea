// outbox: work that follows a commit and may take several tries: mails, calls to others.
// Owns: jobs, written in the transaction of the deed itself; leases, back-off, the dead letter. A job may run more than once: handlers say how they bear it.
// Does not own: what a job does; each floor above brings its handler.
export { FatalJobFault, type JobHandler, type JobRecord, jobState } from './job.ts'
export { addJob, countJobs, findJob, listJobs, listSealedJobs, resealJob, reviveDeadJobs, reviveJob, takeIdleJob } from './store.ts'
export { createOutbox, type Outbox } from './worker.ts'
