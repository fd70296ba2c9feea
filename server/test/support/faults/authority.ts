import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'

/** A certificate authority that lives as long as a test, and the certificates that it ever gave out. */
export interface Authority {
  /** The certificate to trust, as PEM. */
  certificate: string
  /** SHA-256 of the authority's public key, in base64: the browser's flag to trust this authority and no other. */
  pin: string
  /** For the server of all hosts, as PEM: its key, and its certificate with the authority's. */
  server: ServerIdentity
  /** The same with a certificate that has expired. */
  expired: ServerIdentity
}

export interface ServerIdentity {
  key: string
  cert: string
}

/**
 * Makes an authority and its certificate for `hosts`: X.509 (RFC 5280) in the few shapes needed, since Node signs, but writes no
 * certificates.
 */
export function createAuthority(hosts: readonly string[]): Authority {
  const authority = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const server = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const issued = { issuer: 'Portaria test authority', signedWith: authority.privateKey }
  const root = certify({ ...issued, subject: issued.issuer, publicKey: authority.publicKey, extensions: [isAuthority] })
  const leaf = { ...issued, subject: 'Portaria test server', publicKey: server.publicKey, extensions: [namesOf(hosts)] }
  const key = server.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  return {
    certificate: root,
    pin: createHash('sha256').update(publicKeyInfo(authority.publicKey)).digest('base64'),
    server: { key, cert: certify(leaf) + root },
    expired: { key, cert: certify({ ...leaf, hours: -1 }) + root },
  }
}

interface Certified {
  issuer: string
  subject: string
  publicKey: KeyObject
  signedWith: KeyObject
  extensions: readonly Buffer[]
  /** From now to its end; a day. */
  hours?: number
}

/** One certificate (RFC 5280 §4.1). */
function certify({ issuer, subject, publicKey, signedWith, extensions, hours = 24 }: Certified): string {
  const now = Date.now()
  const certificate = sequence(
    der(EXPLICIT_0, der(INTEGER, Buffer.of(2))), // version 3
    der(INTEGER, Buffer.concat([Buffer.of(1), randomBytes(8)])),
    ecdsaWithSha256,
    name(issuer),
    sequence(time(now - 2 * HOUR_MS), time(now + hours * HOUR_MS)),
    name(subject),
    publicKeyInfo(publicKey),
    der(EXPLICIT_3, sequence(...extensions)),
  )
  const signature = der(BIT_STRING, Buffer.of(0), sign('sha256', certificate, signedWith))
  const bytes = sequence(certificate, ecdsaWithSha256, signature).toString('base64')
  return `-----BEGIN CERTIFICATE-----\n${bytes.replace(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----\n`
}

const HOUR_MS = 3_600_000

// Tags of ITU-T X.690, and the object identifiers of what is used here.
const [BOOLEAN, INTEGER, BIT_STRING, OCTET_STRING, OBJECT_ID, UTF8_STRING, GENERALIZED_TIME] = [0x01, 0x02, 0x03, 0x04, 0x06, 0x0c, 0x18]
const [SEQUENCE, SET, EXPLICIT_0, EXPLICIT_3, DNS_NAME] = [0x30, 0x31, 0xa0, 0xa3, 0x82]
const ecdsaWithSha256 = sequence(der(OBJECT_ID, Buffer.from('2a8648ce3d040302', 'hex'))) // 1.2.840.10045.4.3.2
const COMMON_NAME = der(OBJECT_ID, Buffer.from('550403', 'hex')) // 2.5.4.3
const BASIC_CONSTRAINTS = der(OBJECT_ID, Buffer.from('551d13', 'hex')) // 2.5.29.19
const ALTERNATIVE_NAMES = der(OBJECT_ID, Buffer.from('551d11', 'hex')) // 2.5.29.17
const YES = der(BOOLEAN, Buffer.of(0xff))
const isAuthority = sequence(BASIC_CONSTRAINTS, YES, der(OCTET_STRING, sequence(YES)))

function namesOf(hosts: readonly string[]): Buffer {
  return sequence(ALTERNATIVE_NAMES, der(OCTET_STRING, sequence(...hosts.map((host) => der(DNS_NAME, Buffer.from(host))))))
}

function name(text: string): Buffer {
  return sequence(der(SET, sequence(COMMON_NAME, der(UTF8_STRING, Buffer.from(text)))))
}

function time(at: number): Buffer {
  const digits = new Date(at).toISOString().replace(/\D/g, '').slice(0, 14)
  return der(GENERALIZED_TIME, Buffer.from(`${digits}Z`))
}

function publicKeyInfo(key: KeyObject): Buffer {
  return key.export({ type: 'spki', format: 'der' })
}

function sequence(...parts: readonly Buffer[]): Buffer {
  return der(SEQUENCE, ...parts)
}

/** Tag, length, value (X.690 §8.1). */
function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const value = Buffer.concat(parts)
  const { length } = value
  const bytes = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.of(tag, ...bytes), value])
}
