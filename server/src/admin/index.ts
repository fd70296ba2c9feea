// admin: what the operator does to people and waiting mails, as use cases that reach across floors in one transaction; and /api/admin.
// Owns: creating, changing, disabling and removing people by the operator's hand, with their sessions and the audit entry; trying or dropping jobs of the outbox;
// sealing everything anew; admin tokens, and who may call /api/admin; the test of the purchase webhook.
// Does not own: how it is asked for on the command line (cli).
export { ADMIN_SCOPES, type AdminScope, type AdminToken, adminTokenState, ROLES, type Role } from './admin-token.ts'
export { type AdminTokenRefusal, createAdminToken, revokeAdminToken } from './change-tokens.ts'
export { removeFactors } from './remove-factors.ts'
export { type MasterKeyRefusal, rotateMasterKey } from './rotate-master-key.ts'
export { adminRoutes } from './routes.ts'
export { dropJob, type JobRefusal, retryDeadJobs, retryJob } from './tend-outbox.ts'
export { EVENTS, VARIANTS, type Variant } from './test-purchase.ts'
export { createOwnCalls, testWebhook, type WebhookTestRefusal } from './test-webhook.ts'
export { adminTokenStore } from './token-store.ts'
export {
  createUser,
  deleteDue,
  deleteUser,
  disableUser,
  enableUser,
  findUser,
  type PasswordRefusal,
  revokeUserSessions,
  setUser,
  setUserPassword,
} from './users.ts'
