import { totpSecretOf } from '../../../../users/index.ts'
import { type Fields, idOf, object, text } from './export-values.ts'

/** The parameters of a Firebase project, as its console shows them: keys in base64. */
export interface FirebaseParameters {
  signerKey: string
  saltSeparator: string
  rounds: string
  memoryCost: string
}

/** Auth0's file of hashes: one user a line, with the id in its database. A user who was brought there is known by `alt_id` instead. */
export async function readAuth0Hashes(lines: AsyncIterable<string>): Promise<Map<string, string> | undefined> {
  const hashes = new Map<string, string>()
  for await (const line of lines) {
    if (line.trim() === '') continue
    const user = object(line)
    const [id, hash] = [text(object(user._id).$oid), text(user.passwordHash)]
    if (id === undefined) return undefined
    if (hash !== undefined) hashes.set(text(user.alt_id) ?? id, hash)
  }
  return hashes.size > 0 ? hashes : undefined
}

/** Auth0's file of second factors: one factor a line, with the user's whole id. Only authenticator apps have an `otp_secret`. */
export async function readAuth0Factors(lines: AsyncIterable<string>): Promise<Map<string, string> | undefined> {
  const secrets = new Map<string, string>()
  for await (const line of lines) {
    if (line.trim() === '') continue
    const factor = object(line)
    const [id, secret] = [text(factor.user_id), text(factor.otp_secret)]
    if (id === undefined) return undefined
    if (secret !== undefined) secrets.set(id, secret)
  }
  return secrets.size > 0 ? secrets : undefined
}

/** Reads the block of Firebase's console, or JSON with the same names. */
export function parseFirebaseParameters(written: string): FirebaseParameters | undefined {
  const value = (name: string) => new RegExp(`\\b${name}\\b["']?\\s*[:=]\\s*["']?([\\w+/=-]+)`).exec(written)?.[1]
  const [signerKey, rounds, memoryCost] = [value('base64_signer_key'), value('rounds'), value('mem_cost')]
  if (!signerKey || !rounds || !memoryCost) return undefined
  return { signerKey: standard(signerKey), saltSeparator: standard(value('base64_salt_separator') ?? ''), rounds, memoryCost }
}

/** The hash as Supabase writes it, with the parameters of its project. */
export function firebaseText(hash: string, salt: string, { memoryCost, rounds, saltSeparator, signerKey }: FirebaseParameters): string {
  return `$fbscrypt$v=1,n=${memoryCost},r=${rounds},p=1,ss=${saltSeparator},sk=${signerKey}$${standard(salt)}$${standard(hash)}`
}

/** Keycloak has the parts of a hash in two texts of JSON. */
export function keycloakHash(credentials: Fields[]): string | undefined {
  const password = credentials.find(({ type }) => type === 'password')
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

/** Keycloak has the bytes of a secret as letters, and in base32 since it says so; the kind of code stands beside. */
export function keycloakTotp(credentials: Fields[]): string | undefined {
  const one = credentials.find(({ type }) => type === 'otp')
  if (!one) return undefined
  const [{ value }, data] = [object(one.secretData), object(one.credentialData)]
  const secret = data.secretEncoding === 'BASE32' ? String(value) : totpSecretOf(Buffer.from(String(value)))
  const algorithm = String(data.algorithm ?? 'HmacSHA1').replace(/^Hmac/i, '')
  const kind = new URLSearchParams({ secret, algorithm, digits: String(data.digits ?? 6), period: String(data.period ?? 30) })
  return `otpauth://${String(data.subType ?? 'totp')}/?${kind}`
}

/** Subjects that stay the same for a new client of the same project or team at the provider. Microsoft's do not. */
const ISSUERS = new Map([
  ...['google', 'google-oauth2', 'google.com'].map((name) => [name, 'https://accounts.google.com'] as const),
  ...['apple', 'apple.com'].map((name) => [name, 'https://appleid.apple.com'] as const),
  ...['facebook', 'facebook.com'].map((name) => [name, 'https://www.facebook.com'] as const),
])

/** Links to providers. Those that are none of `ISSUERS` are left out, or named as they are there with `all`. */
export function atProviders(links: Fields[], provider: string, subject: string, others?: 'all'): Fields[] {
  return links.flatMap((one) => {
    const name = text(one[provider]) ?? ''
    const known = ISSUERS.get(name) ?? (others === 'all' ? name : undefined)
    return known === undefined ? [] : [{ provider: known, subject: idOf(one[subject]) }]
  })
}

function bare(base64: unknown): string {
  return String(base64).replace(/=+$/, '')
}

/** Standard base64: Firebase's command writes the URL's form. */
function standard(base64: string): string {
  return base64.replaceAll('-', '+').replaceAll('_', '/')
}
