// audit: who did what to what, when, from where and why.
// Owns: the audit table, written in the same transaction as the action, and its listing. Never removes an entry,
// and changes those of a person who is gone alone: ids and actions stay.
// Does not own: request logs (http) or what a person's actions mean.
export { type Actor, type AuditRecord, SYSTEM } from './audit-entry.ts'
export { findAudit, forgetInAudit, listAudit, listAuditPage, recordAudit } from './store.ts'
