import { type PersonalId, versionOf } from '../kit/index.ts'
import { askedFields, asksAnything, type ProfileRequirements } from './profile/profile-requirements.ts'

/** A user. `email` is normalised; everything below `name` is the row of `users_company`. */
export interface User {
  id: string
  email: string
  emailVerifiedAt: number | undefined
  passwordHash: string | undefined
  role: 'owner' | 'support' | 'viewer' | undefined
  disabledAt: number | undefined
  /** When this user's data goes, because they asked for it: until then the account is closed, and a mailed link opens it again. */
  leavesAt: number | undefined
  createdAt: number
  name: string
  avatarUrl: string | undefined
  isProducer: boolean
  companyName: string | undefined
  rankName: string | undefined
  /** What the user is identified by; `none`: a foreigner who says that they have no such number. */
  taxIdKind: PersonalId['kind'] | 'none' | undefined
  phone: string | undefined
  /** The language of this user's mails: the one of their last sign-in; `undefined` before. */
  language: string | undefined
  /** There while the user is a beta user. */
  beta: { ndaAcceptedAt: number | undefined } | undefined
}

/** What the server saw when the NDA was accepted. */
export interface NdaAcceptance {
  at: number
  ip: string
  userAgent: string
  version: string
  textHash: string
}

/**
 * A name for an account as it is now, by which it is known what an editor has seen: another one as soon as anything changes that an editor
 * sees. Its password is no such thing, nor is the language of its last sign-in.
 */
export function userVersion({ passwordHash: _, language: __, ...shown }: User): string {
  return versionOf(shown)
}

export type ProfileStep = 'profile' | 'nda' | 'done'

/**
 * What is still to be asked of a user before an app is entered. A declined NDA is asked again at the next sign-in, not before; so is a
 * profile that was put off.
 */
export function nextStep(
  user: Pick<User, 'taxIdKind' | 'phone' | 'companyName' | 'beta'>,
  requirements: ProfileRequirements,
  { ndaDeclined, profileSkipped }: { ndaDeclined: boolean; profileSkipped: boolean },
): ProfileStep {
  if (!profileSkipped && asksAnything(askedFields(user, requirements))) return 'profile'
  if (user.beta && user.beta.ndaAcceptedAt === undefined && !ndaDeclined) return 'nda'
  return 'done'
}

/** A new user's account, with nothing in it but what is known at once. */
export function newUser(
  known: Pick<User, 'id' | 'email' | 'createdAt' | 'name'> &
    Partial<Pick<User, 'emailVerifiedAt' | 'passwordHash' | 'role' | 'avatarUrl' | 'isProducer' | 'beta'>>,
): User {
  return {
    emailVerifiedAt: undefined,
    passwordHash: undefined,
    role: undefined,
    disabledAt: undefined,
    leavesAt: undefined,
    avatarUrl: undefined,
    isProducer: false,
    companyName: undefined,
    rankName: undefined,
    taxIdKind: undefined,
    phone: undefined,
    language: undefined,
    beta: undefined,
    ...known,
  }
}

/** What to call someone of whom nothing but the address is known. */
export function nameFrom(email: string): string {
  return email.slice(0, email.lastIndexOf('@'))
}
