// audit: who did what to what, when, from where and why.
// Owns: the audit table, written in the same transaction as the deed, and its listing. Never changes or removes an entry.
// Does not own: request logs (http) or what a person's deeds mean.
export { type AuditRecord, SYSTEM } from './audit-entry.ts'
export { listAudit, recordAudit } from './store.ts'
