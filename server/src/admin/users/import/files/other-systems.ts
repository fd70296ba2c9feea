import type { LineRefusal } from './import-record.ts'

/** The fields of a record, of another system's export or of ours. */
export type Fields = Record<string, unknown>

/** The parameters of a Firebase project, as its console shows them: keys in base64. */
export interface FirebaseParameters {
  signerKey: string
  saltSeparator: string
  rounds: string
  memoryCost: string
}

interface OtherSystem {
  /** The fields that only this system's exports have, all together. */
  marks: ReadonlyArray<readonly string[]>
  read(fields: Fields, firebase: FirebaseParameters | undefined): Fields | LineRefusal
}

const BLOCKED: LineRefusal = { refused: 'the account is blocked in the other system' }

/** Each turns a record of an export into one of ours. */
export const OTHER_SYSTEMS = {
  auth0: {
    marks: [
      ['user_id', 'identities'],
      ['passwordHash', '_id'],
    ],
    read(user) {
      if (isTrue(user.blocked)) return BLOCKED
      return {
        email: user.email,
        email_verified: isTrue(user.email_verified),
        // Auth0 puts the address where it has no name.
        name: user.name === user.email ? undefined : text(user.name),
        phone: text(user.phone_number),
        created_at: time(user.created_at),
        password_hash: text(user.passwordHash),
      }
    },
  },
  firebase: {
    marks: [['localId']],
    read(user, firebase) {
      if (isTrue(user.disabled)) return BLOCKED
      const [hash, salt] = [text(user.passwordHash), text(user.salt)]
      if (hash && !firebase)
        return { refused: 'password hash: the parameters of the Firebase project are needed: --firebase-parameters FILE' }
      return {
        email: user.email,
        email_verified: isTrue(user.emailVerified),
        name: text(user.displayName),
        phone: text(user.phoneNumber),
        created_at: time(user.createdAt),
        password_hash: hash && firebase && firebaseText(hash, salt ?? '', firebase),
      }
    },
  },
  supabase: {
    marks: [['encrypted_password']],
    read(user) {
      const banned = time(user.banned_until)
      if (text(user.deleted_at) || (banned && Date.parse(banned) > Date.now())) return BLOCKED
      const more = object(user.raw_user_meta_data)
      return {
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
        email,
        email_verified: (text(user.verified_email_addresses) ?? '').split(/[\s,;|]+/).includes(email ?? ''),
        name: joined(user.first_name, user.last_name),
        phone: text(user.primary_phone_number),
        password_hash: text(user.password_digest),
      }
    },
  },
  'better-auth': {
    marks: [['emailVerified', 'createdAt', 'updatedAt']],
    read(user) {
      if (isTrue(user.banned)) return BLOCKED
      return {
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
      const hash = keycloakHash(user.credentials)
      return {
        email: user.email,
        email_verified: isTrue(user.emailVerified),
        name: joined(user.firstName, user.lastName),
        created_at: time(user.createdTimestamp),
        password_hash: hash,
      }
    },
  },
  wordpress: {
    marks: [['user_pass', 'user_email']],
    // WordPress asks for no mailbox: no address is verified.
    read: (user) => ({
      email: user.user_email,
      name: text(user.display_name),
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

/** Reads the block of Firebase's console, or JSON with the same names. */
export function parseFirebaseParameters(written: string): FirebaseParameters | undefined {
  const value = (name: string) => new RegExp(`\\b${name}\\b["']?\\s*[:=]\\s*["']?([\\w+/=-]+)`).exec(written)?.[1]
  const [signerKey, rounds, memoryCost] = [value('base64_signer_key'), value('rounds'), value('mem_cost')]
  if (!signerKey || !rounds || !memoryCost) return undefined
  return { signerKey: standard(signerKey), saltSeparator: standard(value('base64_salt_separator') ?? ''), rounds, memoryCost }
}

/** The hash as Supabase writes it, with the parameters of its project. */
function firebaseText(hash: string, salt: string, { memoryCost, rounds, saltSeparator, signerKey }: FirebaseParameters): string {
  return `$fbscrypt$v=1,n=${memoryCost},r=${rounds},p=1,ss=${saltSeparator},sk=${signerKey}$${standard(salt)}$${standard(hash)}`
}

/** Keycloak has the parts of a hash in two texts of JSON. */
function keycloakHash(credentials: unknown): string | undefined {
  const password = Array.isArray(credentials) ? credentials.map(object).find((one) => one.type === 'password') : undefined
  if (!password) return undefined
  const [secret, data] = [object(password.secretData), object(password.credentialData)]
  const parts = `$${bare(secret.salt)}$${bare(secret.value)}`
  const algorithm = String(data.algorithm)
  if (algorithm !== 'argon2') return `$${algorithm.replace(/^pbkdf2$/, 'pbkdf2-sha1')}$${Number(data.hashIterations)}${parts}`
  const more = object(data.additionalParameters)
  const one = (name: string) => String(more[name])
  const version = one('version') === '1.3' ? '19' : one('version')
  return `$argon2${one('type')}$v=${version}$m=${one('memory')},t=${Number(data.hashIterations)},p=${one('parallelism')}${parts}`
}

function bare(base64: unknown): string {
  return String(base64).replace(/=+$/, '')
}

/** Standard base64: Firebase's command writes the URL's form. */
function standard(base64: string): string {
  return base64.replaceAll('-', '+').replaceAll('_', '/')
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined
}

function joined(...values: unknown[]): string | undefined {
  return text(values.map((value) => text(value) ?? '').join(' '))
}

function isTrue(value: unknown): boolean {
  return value === true || value === 1 || (typeof value === 'string' && ['true', 't', '1'].includes(value.trim().toLowerCase()))
}

/** An object, or the text of one, as tables have it. */
function object(value: unknown): Fields {
  if (typeof value === 'object' && value !== null) return value as Fields
  try {
    const parsed: unknown = typeof value === 'string' ? JSON.parse(value) : undefined
    return typeof parsed === 'object' && parsed !== null ? (parsed as Fields) : {}
  } catch {
    return {}
  }
}

/** Milliseconds, or a time as databases write it: UTC where it names no zone. */
function time(value: unknown): string | undefined {
  const ms = typeof value === 'number' || (typeof value === 'string' && /^\d{12,14}$/.test(value)) ? Number(value) : undefined
  const written = text(value)
    ?.replace(/^(\d{4}-\d\d-\d\d) /, '$1T')
    .replace(/([+-]\d\d)$/, '$1:00')
  if (written === undefined && ms === undefined) return undefined
  const at = ms ?? Date.parse(/T[\d:.]+$/.test(written ?? '') ? `${written}Z` : (written ?? ''))
  return Number.isFinite(at) && Math.abs(at) < 8e15 ? new Date(at).toISOString() : written
}
