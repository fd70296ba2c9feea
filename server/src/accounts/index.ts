// accounts: people.
// Owns: users, their company profile, passwords, passkeys, tax ids, beta users and the NDA, consents, and the limits on guessing any of them.
// Does not own: sessions (they end there when an account changes here) or what a person has bought.
export { type Account, accountVersion, type NdaAcceptance, nextStep, type ProfileStep } from './account.ts'
export { type Attempts, createAttempts } from './attempts.ts'
export { type Authentication, type AuthenticationRefusal, createAuthenticator } from './authenticate.ts'
export { type AccountChange, changeAccount } from './change-account.ts'
export { beginEmailChange, changePassword, disownSignIn, finishEmailChange } from './change-credentials.ts'
export { addPasskey, beginPasskey, passkeyName, removePasskey, verifyNewPasskey } from './change-passkeys.ts'
export { type CorrectionRefusal, correctProfile, type ProfileCorrection } from './correct-profile.ts'
export { type AccountRefusal, createAccount, type NewAccount } from './create-account.ts'
export { isLastOwner, requestDeletion, takeBack, undoDeletion } from './deletion.ts'
export { deletionStore } from './deletion-store.ts'
export { createDeviceCookies, type DeviceCookies } from './device-cookie.ts'
export { factorStore } from './factor-store.ts'
export { type Identity, identityStore } from './identity-store.ts'
export {
  type MailJobDeps,
  mailJobs,
  mailLanguage,
  mintNotMeUrl,
  queueFarewell,
  queueInvitation,
  queueMail,
  queueRoleGiven,
  ticketUrl,
} from './mail-jobs.ts'
export { acceptNda, currentNda, type Nda } from './nda.ts'
export { passkeyChallengeStore } from './passkey-challenge-store.ts'
export { type Passkey, passkeyStore } from './passkey-store.ts'
export { createPasswordHasher, type PasswordHasher, refusePassword } from './passwords.ts'
export { type ProfileError, type ProfileField, type ProfileInput, saveProfile } from './profile.ts'
export {
  type AskedFields,
  askedFields,
  FOREIGNERS,
  type Foreigners,
  type ProfileRequirements,
  REQUIREMENTS,
  type Requirement,
  USUAL_REQUIREMENTS,
} from './profile-requirements.ts'
export { profileStore, type Sharing } from './profile-store.ts'
export { holdProof, type Proof } from './proof.ts'
export { beginPasskeySignIn, type PasskeyRefusal, provePasskey } from './prove-passkey.ts'
export { beginRecovery, finishRecovery, queueRecovery } from './recovery.ts'
export { type IdentityMatch, type IdentityRefusal, linkIdentity, resolveIdentity } from './resolve-identity.ts'
export {
  beginTotp,
  confirmTotp,
  type FactorCheckDeps,
  type FactorState,
  hasSecondFactor,
  needsTwoFactors,
  proveSecondFactor,
  readSecondFactor,
  removeSecondFactor,
  renewRecoveryCodes,
} from './second-factor.ts'
export { sentMailStore } from './sent-mail-store.ts'
export {
  beginIdentitySignUp,
  beginSignUp,
  findPasswordError,
  findSignUpErrors,
  finishSignUp,
  readPendingSignUp,
  type SignUpError,
  type SignUpErrors,
  type SignUpField,
} from './sign-up.ts'
export { type AccountStore, accountStore } from './store.ts'
export { findMaskedTaxId, findTaxId } from './tax-id-of.ts'
export { findTicket, mintTicket, type Ticket, takeTicket, takeTicketByCode } from './ticket.ts'
export { ticketStore } from './ticket-store.ts'
export { unlinkIdentity } from './unlink-identity.ts'
export { wordStore } from './word-store.ts'
