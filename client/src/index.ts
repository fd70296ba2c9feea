// @portaria/client: for an app's server, to know the signed-in user and their access. Web-standard Request and Response; nothing of Node.

export { PortariaError, type PortariaErrorCode } from './error.ts'
export { createPortaria, type Portaria, type Profile } from './portaria.ts'
export type { Access, AccessQuery, AccessReason, DeniedReason, GrantedReason, SubscriptionStatus } from './service/access.ts'
export type { WithHeaders } from './service/sessions.ts'
export type { PortariaOptions } from './settings.ts'
export type { SignOut } from './sign-in/sign-out.ts'
export type { Session, SignedOutReason, User } from './user.ts'
