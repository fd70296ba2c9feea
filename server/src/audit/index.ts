// audit: who did what to what, when, from where and why. Owns: the audit table, written in the same transaction as the action, and its
// listing. It never removes an entry, and changes only those of removed users: ids and actions stay. Does not own: request logs (http), the
// meaning of actions.
export { type Actor, type AuditRecord, SYSTEM } from './audit-entry.ts'
export { findAudit, forgetInAudit, listAudit, listAuditPage, recordAudit } from './store.ts'
