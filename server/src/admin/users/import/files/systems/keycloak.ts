import { atProviders, keycloakHash, keycloakTotp } from '../export-parts.ts'
import { isTrue, joined, language, list, object, text, time } from '../export-values.ts'
import { BLOCKED, type OtherSystem } from './other-system.ts'

export const keycloak = {
  marks: [['username', 'createdTimestamp']],
  read(user) {
    if (user.enabled === false) return BLOCKED
    const more = object(user.attributes)
    return {
      external_id: text(user.id),
      email: user.email,
      email_verified: isTrue(user.emailVerified),
      name: joined(user.firstName, user.lastName),
      language: language(Array.isArray(more.locale) ? more.locale[0] : undefined),
      created_at: time(user.createdTimestamp),
      identities: atProviders(list(user.federatedIdentities), 'identityProvider', 'userId', 'all'),
      totp_secret: keycloakTotp(list(user.credentials)),
      password_hash: keycloakHash(list(user.credentials)),
    }
  },
} as const satisfies OtherSystem
