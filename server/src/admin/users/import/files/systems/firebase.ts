import { atProviders, firebaseText } from '../export-parts.ts'
import { isTrue, list, text, time } from '../export-values.ts'
import { BLOCKED, type OtherSystem } from './other-system.ts'

export const firebase = {
  marks: [['localId']],
  read(user, { firebase }) {
    if (isTrue(user.disabled)) return BLOCKED
    const [hash, salt] = [text(user.passwordHash), text(user.salt)]
    if (hash && !firebase)
      return { refused: 'password hash: the parameters of the Firebase project are needed: --firebase-parameters FILE' }
    return {
      external_id: text(user.localId),
      email: user.email,
      email_verified: isTrue(user.emailVerified),
      name: text(user.displayName),
      phone: text(user.phoneNumber),
      created_at: time(user.createdAt),
      identities: atProviders(list(user.providerUserInfo), 'providerId', 'rawId'),
      password_hash: hash && firebase && firebaseText(hash, salt ?? '', firebase),
    }
  },
} as const satisfies OtherSystem
