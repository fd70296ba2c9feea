import { atProviders } from '../export-parts.ts'
import { isTrue, language, list, object, text, time } from '../export-values.ts'
import { BLOCKED, type OtherSystem } from './other-system.ts'

export const auth0 = {
  marks: [
    ['user_id', 'identities'],
    ['passwordHash', '_id'],
  ],
  read(user, { auth0Hashes, auth0Factors }) {
    if (isTrue(user.blocked)) return BLOCKED
    const identities = list(user.identities)
    const ids = [
      // The file of hashes has it for users whose id is not that of their row.
      text(user.alt_id),
      text(object(user._id).$oid),
      text(user.user_id)?.match(/^auth0\|(.+)$/)?.[1],
      ...identities.flatMap((one) => (one.provider === 'auth0' ? text(one.user_id) : [])),
    ]
    const id = ids.find((one) => one !== undefined)
    const externalId = text(user.user_id) ?? (id && `auth0|${id}`)
    const address = list(user.identifiers).find(({ type }) => type === 'email')
    return {
      external_id: externalId,
      email: user.email ?? address?.value,
      email_verified: isTrue(user.email_verified ?? address?.verified),
      // Auth0 puts the address where it has no name.
      name: user.name === user.email ? undefined : text(user.name),
      phone: text(user.phone_number),
      created_at: time(user.created_at),
      language: language(user.locale),
      identities: atProviders(identities, 'provider', 'user_id'),
      totp_secret: auth0Factors?.get(externalId ?? ''),
      password_hash: text(user.passwordHash) ?? auth0Hashes?.get(id ?? ''),
    }
  },
} as const satisfies OtherSystem
