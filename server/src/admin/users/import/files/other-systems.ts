import { atProviders, type FirebaseParameters, firebaseText, keycloakHash, keycloakTotp } from './export-parts.ts'
import { type Fields, idOf, isTrue, joined, language, list, object, text, time } from './export-values.ts'
import type { LineRefusal } from './import-record.ts'

/** Files that some systems send beside their export. */
export interface ExportParts {
  firebase?: FirebaseParameters | undefined
  /** The hashes of Auth0's users, by their ids in its database. */
  auth0Hashes?: ReadonlyMap<string, string> | undefined
  /** The secrets of their authenticator apps, by their whole ids. */
  auth0Factors?: ReadonlyMap<string, string> | undefined
}

interface OtherSystem {
  /** The fields that only this system's exports have, all together. */
  marks: ReadonlyArray<readonly string[]>
  read(fields: Fields, parts: ExportParts): Fields | LineRefusal
}

const BLOCKED: LineRefusal = { refused: 'the account is blocked in the other system' }

/** Each turns a record of an export into one of ours. */
export const OTHER_SYSTEMS = {
  auth0: {
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
  },
  firebase: {
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
  },
  supabase: {
    marks: [['encrypted_password']],
    read(user) {
      const banned = time(user.banned_until)
      if (text(user.deleted_at) || (banned && Date.parse(banned) > Date.now())) return BLOCKED
      // It names subjects at providers too, which the user may have written there: nothing may be linked by them.
      const more = object(user.raw_user_meta_data)
      return {
        external_id: text(user.id),
        email: user.email,
        email_verified: text(user.email_confirmed_at) !== undefined,
        name: text(more.full_name) ?? text(more.name),
        // Supabase has numbers without the plus.
        phone: text(user.phone)?.replace(/^(?=\d)/, '+'),
        created_at: time(user.created_at),
        password_hash: text(user.encrypted_password),
      }
    },
  },
  // The table of its dashboard, which alone has hashes; it has no times.
  clerk: {
    marks: [['primary_email_address']],
    read(user) {
      const email = text(user.primary_email_address)
      return {
        external_id: text(user.id),
        email,
        email_verified: (text(user.verified_email_addresses) ?? '').split(/[\s,;|]+/).includes(email ?? ''),
        name: joined(user.first_name, user.last_name),
        phone: text(user.primary_phone_number),
        totp_secret: text(user.totp_secret),
        password_hash: text(user.password_digest),
      }
    },
  },
  'better-auth': {
    marks: [['emailVerified', 'createdAt', 'updatedAt']],
    read(user) {
      if (isTrue(user.banned)) return BLOCKED
      return {
        external_id: idOf(user.id),
        email: user.email,
        email_verified: isTrue(user.emailVerified),
        name: text(user.name),
        phone: text(user.phoneNumber),
        created_at: time(user.createdAt),
        password_hash: text(user.password),
      }
    },
  },
  keycloak: {
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
  },
  wordpress: {
    marks: [['user_pass', 'user_email']],
    // WordPress asks for no mailbox: no address is verified.
    read: (user) => ({
      external_id: idOf(user.ID),
      email: user.user_email,
      name: text(user.display_name),
      language: language(user.locale),
      created_at: time(user.user_registered),
      password_hash: text(user.user_pass),
    }),
  },
} as const satisfies Record<string, OtherSystem>

export type OtherSystemName = keyof typeof OTHER_SYSTEMS

/** The system whose export has these fields, where one alone has them. */
export function recogniseSystem(names: readonly string[]): OtherSystemName | undefined {
  const found = Object.entries<OtherSystem>(OTHER_SYSTEMS).filter(([, { marks }]) =>
    marks.some((mark) => mark.every((name) => names.includes(name))),
  )
  return found.length === 1 ? (found[0]?.[0] as OtherSystemName) : undefined
}
