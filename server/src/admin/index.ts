// admin: what the operator does to people, as use cases that reach across floors in one transaction.
// Owns: creating, changing, disabling and removing people by the operator's hand, with their sessions and the audit entry; sealing everything anew.
// Does not own: how it is asked for (cli; later the HTTP API of the console).
export { type MasterKeyRefusal, rotateMasterKey } from './rotate-master-key.ts'
export {
  createUser,
  deleteUser,
  disableUser,
  enableUser,
  findUser,
  type PasswordRefusal,
  revokeUserSessions,
  setUser,
  setUserPassword,
} from './users.ts'
