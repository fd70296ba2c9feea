// users: the users who sign in. Owns: users, their company profile, passwords, passkeys, tax ids, beta users and the NDA, consents, and the
// limits on guessing any of them. Does not own: sessions (they end there when a user changes here), purchases (subscriptions).

export { beginEmailChange, changePassword, finishEmailChange, reportSignIn } from './change-credentials.ts'
export { changeUser, type UserChange } from './change-user.ts'
export { isLastOwner, requestDeletion, takeBack, undoDeletion } from './deletion.ts'
export { deletionStore } from './deletion-store.ts'
export { type FirstFactor, holdFirstFactor } from './first-factor.ts'
export { type Identity, identityStore } from './identities/identity-store.ts'
export { type IdentityMatch, type IdentityRefusal, linkIdentity, resolveIdentity } from './identities/resolve-identity.ts'
export { unlinkIdentity } from './identities/unlink-identity.ts'
export { insertUser, isName, type NewUser, type UserRefusal } from './insert-user.ts'
export { addPasskey, beginPasskey, passkeyName, removePasskey, verifyNewPasskey } from './passkeys/change-passkeys.ts'
export { passkeyChallengeStore } from './passkeys/passkey-challenge-store.ts'
export { type Passkey, passkeyStore } from './passkeys/passkey-store.ts'
export { beginPasskeySignIn, type PasskeyRefusal, verifyPasskey } from './passkeys/verify-passkey.ts'
export { type Attempts, createAttempts } from './passwords/attempts.ts'
export { type Authentication, type AuthenticationRefusal, createAuthenticator } from './passwords/authenticate.ts'
export { createDeviceCookies, type DeviceCookies } from './passwords/device-cookie.ts'
export { noteForeignHash } from './passwords/foreign/foreign-cost-store.ts'
export { readForeignForm } from './passwords/foreign/foreign-forms.ts'
export { MAX_FOREIGN_COSTS, parseForeignHash } from './passwords/foreign/foreign-hash.ts'
export { createPasswordHasher, type PasswordHasher, refusePassword } from './passwords/passwords.ts'
export { type CorrectionRefusal, correctProfile, type ProfileCorrection } from './profile/correct-profile.ts'
export { editProfile, type OwnProfileInput, profileVersion } from './profile/edit-profile.ts'
export { findMaskedTaxId, findTaxId, openTaxId } from './profile/find-tax-id.ts'
export { acceptNda, currentNda, type Nda } from './profile/nda.ts'
export { openedAppStore } from './profile/opened-app-store.ts'
export { changeOwnTaxId, type OwnTaxIdRefusal, type OwnTaxIdState, readOwnTaxIdState } from './profile/own-tax-id.ts'
export { ownTaxIdStore } from './profile/own-tax-id-store.ts'
export { parsePhone } from './profile/phone.ts'
export { changePicture, MAX_PICTURE_BYTES, ownPicturePath, PICTURES, type PictureRefusal, parsePicture } from './profile/picture.ts'
export { pictureStore } from './profile/picture-store.ts'
export { type ProfileError, type ProfileErrors, type ProfileField, type ProfileInput, saveProfile } from './profile/profile.ts'
export {
  type AskedFields,
  askedFields,
  FOREIGNERS,
  type Foreigners,
  type ProfileRequirements,
  REQUIREMENTS,
  type Requirement,
  USUAL_REQUIREMENTS,
} from './profile/profile-requirements.ts'
export { profileStore, type Sharing } from './profile/profile-store.ts'
export { sealTaxId } from './profile/seal-tax-id.ts'
export { queueTaxIdChangedBySupport } from './profile/tax-id-mails.ts'
export { beginRecovery, finishRecovery, queueRecovery, readRecoveryProduct } from './recovery.ts'
export { type ReportUsersDeps, reportUsers } from './reported/report-users.ts'
export { exportedUserStore } from './rows/exported-user-store.ts'
export { importedUserStore } from './rows/imported-user-store.ts'
export { searchTermStore } from './search-term-store.ts'
export {
  beginTotp,
  confirmTotp,
  type FactorCheckDeps,
  type FactorState,
  hasSecondFactor,
  importTotp,
  needsSecondFactor,
  openTotpSecret,
  readSecondFactor,
  removeSecondFactor,
  renewRecoveryCodes,
  verifySecondFactor,
} from './second-factor/second-factor.ts'
export { secondFactorStore } from './second-factor/second-factor-store.ts'
export { parseTotpSecret, totpSecretOf } from './second-factor/totp.ts'
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
export { type UserStore, userStore } from './store.ts'
export {
  type MailJobDeps,
  mailJobs,
  mailLanguage,
  mintReportUrl,
  queueAccountDeletedMail,
  queueInvitation,
  queueMail,
  queueRoleGiven,
  ticketUrl,
} from './tickets/mail-jobs.ts'
export { sentMailStore } from './tickets/sent-mail-store.ts'
export { findTicket, mintTicket, type Ticket, takeTicket, takeTicketByCode } from './tickets/ticket.ts'
export { ticketStore } from './tickets/ticket-store.ts'
export { type NdaAcceptance, nameFrom, newUser, nextStep, type ProfileStep, type User, userVersion } from './user.ts'
