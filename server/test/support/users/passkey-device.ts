import { createHash, createSign, generateKeyPairSync, type KeyObject, randomBytes, X509Certificate } from 'node:crypto'

/** A device that holds passkeys, as far as the wire goes: what it makes and signs is as a browser would pass it on (WebAuthn Level 3). */
export interface PasskeyDevice {
  /** Makes a passkey for the options of a page; answers what the page posts. */
  make(options: CreationOptions, bend?: Bend): string
  /** Signs the challenge of a page with its newest passkey; the same. */
  sign(options: { challenge: string; rpId: string }, bend?: Bend): string
  credentialId(): string
}

export interface CreationOptions {
  challenge: string
  rp: { id: string }
  user: { id: string }
}

/** Deviations from a right answer. `flags`: user present 1, user verified 4, backup eligible 8, backed up 16; a new key besides 64. */
export interface Bend {
  origin?: string
  rpId?: string
  type?: string
  flags?: number
  counter?: number
  challenge?: string
  userHandle?: string | null
  credentialId?: string
  signature?: (signature: Buffer) => Buffer
  /** Its maker vouches for it, as PEM. */
  attestation?: { certificate: string; key: string }
}

const PRESENT_AND_VERIFIED = 0b101

export function passkeyDevice(origin: string, { counts = false }: { counts?: boolean } = {}): PasskeyDevice {
  let key: KeyObject | undefined
  let id = Buffer.alloc(0)
  let userHandle = ''
  let counter = 0
  const clientData = (type: string, challenge: string, bend: Bend) =>
    Buffer.from(
      JSON.stringify({
        type: bend.type ?? type,
        challenge: bend.challenge ?? challenge,
        origin: bend.origin ?? origin,
        crossOrigin: false,
      }),
    )
  const authenticatorData = (rpId: string, bend: Bend, attested = Buffer.alloc(0)) => {
    const flags = (bend.flags ?? PRESENT_AND_VERIFIED) | (attested.length > 0 ? 0b1000000 : 0)
    const count = Buffer.alloc(4)
    count.writeUInt32BE(bend.counter ?? (counts ? ++counter : 0))
    return Buffer.concat([sha256(Buffer.from(bend.rpId ?? rpId)), Buffer.from([flags]), count, attested])
  }
  const posted = (response: Record<string, unknown>, bend: Bend) => {
    const credentialId = bend.credentialId ?? id.toString('base64url')
    return JSON.stringify({ id: credentialId, rawId: credentialId, type: 'public-key', response })
  }
  return {
    credentialId: () => id.toString('base64url'),
    make({ challenge, rp, user }, bend = {}) {
      const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' })
      key = pair.privateKey
      id = randomBytes(32)
      userHandle = user.id
      const { x = '', y = '' } = pair.publicKey.export({ format: 'jwk' })
      const cose = map([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, Buffer.from(x, 'base64url')],
        [-3, Buffer.from(y, 'base64url')],
      ])
      const length = Buffer.alloc(2)
      length.writeUInt16BE(id.length)
      const authData = authenticatorData(rp.id, bend, Buffer.concat([Buffer.alloc(16), length, id, cose]))
      const client = clientData('webauthn.create', challenge, bend)
      const { attestation } = bend
      const statement = attestation ? vouch(attestation, Buffer.concat([authData, sha256(client)])) : map([])
      const object = map([
        ['fmt', attestation ? 'packed' : 'none'],
        ['attStmt', { raw: statement }],
        ['authData', authData],
      ])
      const response = {
        clientDataJSON: client.toString('base64url'),
        attestationObject: object.toString('base64url'),
        transports: ['internal', 'hybrid'],
      }
      return posted(response, bend)
    },
    sign({ challenge, rpId }, bend = {}) {
      if (!key) throw new Error('this device has no passkey')
      const client = clientData('webauthn.get', challenge, bend)
      const data = authenticatorData(rpId, bend)
      const signature = createSign('sha256')
        .update(Buffer.concat([data, sha256(client)]))
        .sign(key)
      const handle = bend.userHandle === undefined ? userHandle : bend.userHandle
      const response = {
        clientDataJSON: client.toString('base64url'),
        authenticatorData: data.toString('base64url'),
        signature: (bend.signature?.(signature) ?? signature).toString('base64url'),
        ...(handle !== null && { userHandle: handle }),
      }
      return posted(response, bend)
    },
  }
}

/** A packed attestation with its maker's certificate (WebAuthn §8.2). */
function vouch({ certificate, key }: { certificate: string; key: string }, signed: Buffer): Buffer {
  return map([
    ['alg', -7],
    ['sig', createSign('sha256').update(signed).sign(key)],
    ['x5c', [new X509Certificate(certificate).raw]],
  ])
}

function sha256(bytes: Buffer): Buffer {
  return createHash('sha256').update(bytes).digest()
}

// CBOR (RFC 8949), as much as it takes.

type Item = number | string | Buffer | Item[] | { raw: Buffer }

function map(entries: Array<[number | string, Item]>): Buffer {
  return Buffer.concat([head(5, entries.length), ...entries.flatMap(([name, value]) => [encode(name), encode(value)])])
}

function encode(item: Item): Buffer {
  if (typeof item === 'number') return item < 0 ? head(1, -1 - item) : head(0, item)
  if (typeof item === 'string') return Buffer.concat([head(3, Buffer.byteLength(item)), Buffer.from(item)])
  if (Buffer.isBuffer(item)) return Buffer.concat([head(2, item.length), item])
  if (Array.isArray(item)) return Buffer.concat([head(4, item.length), ...item.map(encode)])
  return item.raw
}

function head(major: number, value: number): Buffer {
  if (value < 24) return Buffer.from([(major << 5) | value])
  if (value < 256) return Buffer.from([(major << 5) | 24, value])
  return Buffer.from([(major << 5) | 25, value >> 8, value & 255])
}
