import { type PersonalId, versionOf } from '../kit/index.ts'
import { askedFields, asksAnything } from './profile/asked-fields.ts'
import type { ProfileRequirements } from './profile/profile-requirements.ts'

/** A user. `email` is normalised; everything below `name` is the row of `users_company`. */
export interface User {
  id: string
  email: string
  emailVerifiedAt: number | undefined
  passwordHash: string | undefined
  role: 'owner' | 'support' | 'viewer' | undefined
  disabledAt: number | undefined
  /** The time of the deletion that the user requested: until then the account is closed, and a mailed link opens it again. */
  leavesAt: number | undefined
  createdAt: number
  /** The id in the system that the user was imported from. */
  externalId: string | undefined
  name: string
  avatarUrl: string | undefined
  isProducer: boolean
  companyName: string | undefined
  rankName: string | undefined
  /** The user's identification; `none`: a foreigner who declares that they have no such number. */
  taxIdKind: PersonalId['kind'] | 'none' | undefined
  phone: string | undefined
  /** The language of this user's mails: the one of their last sign-in; `undefined` before. */
  language: string | undefined
  /** There while the user is a beta user. */
  beta: { ndaAcceptedAt: number | undefined } | undefined
}

/** The details of the request that accepted the NDA. */
export interface NdaAcceptance {
  at: number
  ip: string
  userAgent: string
  version: string
  textHash: string
}

/**
 * A hash of the account's present state, which shows whether an editor's copy is out of date. It covers all that an editor shows, so
 * neither the password nor the language of the last sign-in.
 */
export function userVersion({ passwordHash: _, language: __, ...shown }: User): string {
  return versionOf(shown)
}

export type ProfileStep = 'profile' | 'nda' | 'done'

/**
 * The steps that a user must pass before an app. A declined NDA is asked again at the next sign-in, not before; so is a postponed profile.
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

/** A new user's account, with only the data known at once. */
export function newUser(
  known: Pick<User, 'id' | 'email' | 'createdAt' | 'name'> &
    Partial<Pick<User, 'emailVerifiedAt' | 'passwordHash' | 'externalId' | 'role' | 'avatarUrl' | 'isProducer' | 'beta'>>,
): User {
  return {
    emailVerifiedAt: undefined,
    passwordHash: undefined,
    externalId: undefined,
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

/** A name for a user of whom only the address is known. */
export function nameFrom(email: string): string {
  return email.slice(0, email.lastIndexOf('@'))
}
