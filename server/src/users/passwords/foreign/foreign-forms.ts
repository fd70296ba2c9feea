import { BCRYPT_SALT_BYTES, BCRYPT_TAG_BYTES, bcryptBytes } from './bcrypt.ts'
import { parseCost } from './foreign-cost.ts'
import { type ForeignHash, parseForeignHash, storedForeignHash, type TooDear } from './foreign-hash.ts'
import type { Derivation } from './foreign-limits.ts'

/**
 * Reads a hash as another system writes it: PHC strings of argon2, scrypt and PBKDF2, Django's and Werkzeug's forms, better-auth's, phpass,
 * bcrypt and its form of WordPress, Firebase's scrypt with the parameters of its project. The form in which we store them is read too: an
 * export has it.
 * Answers the text to store, the limit it is beyond, or `undefined` for a form that is not known.
 */
export function readForeignForm(text: string): string | TooDear | undefined {
  const stored = parseForeignHash(text)
  if (stored) return readStored(stored)
  for (const form of FORMS) {
    const match = form.pattern.exec(text)
    const read = match && form.read(match.groups ?? {})
    if (read) return storedForeignHash(read.how, read.salt, read.tag)
  }
  return undefined
}

function readStored({ cost, salt, tag }: ForeignHash): string | undefined {
  const how = parseCost(cost)
  const again = how && how.length === tag.length ? storedForeignHash(how, salt, tag) : undefined
  return typeof again === 'string' ? again : undefined
}

interface Read {
  how: Derivation
  salt: Buffer
  tag: Buffer
}
type Groups = Record<string, string | undefined>
type Form = { pattern: RegExp; read: (groups: Groups) => Read | undefined }

const FORMS: readonly Form[] = [
  {
    pattern: /^\$(?<kind>argon2(?:id|i|d))\$v=19\$m=(?<m>\d+),t=(?<t>\d+),p=(?<p>\d+)\$(?<salt>[\w+/]+)\$(?<tag>[\w+/]+)$/,
    read({ kind, m, t, p, salt, tag }) {
      if (kind !== 'argon2id' && kind !== 'argon2i' && kind !== 'argon2d') return undefined
      const bytes = base64(tag)
      const how: Derivation = { kind, memory: Number(m), passes: Number(t), lanes: Number(p), length: bytes.length }
      return { how, salt: base64(salt), tag: bytes }
    },
  },
  {
    pattern: /^\$scrypt\$ln=(?<n>\d+),r=(?<r>\d+),p=(?<p>\d+)\$(?<salt>[\w+/]+)\$(?<tag>[\w+/]+)$/,
    read: ({ n, r, p, salt, tag }) => scrypt({ logN: Number(n), r, p }, base64(salt), base64(tag)),
  },
  {
    // Firebase's scrypt as Supabase writes it: `ss` is the separator, `sk` the signer key.
    pattern: /^\$fbscrypt\$v=1,n=(?<n>\d+),r=(?<r>\d+),p=1,ss=(?<ss>[\w+/]*=*),sk=(?<sk>[\w+/]+=*)\$(?<salt>[\w+/]+=*)\$(?<tag>[\w+/]+=*)$/,
    read({ n, r, ss, sk, salt, tag }) {
      const bytes = base64(tag)
      const project = { logN: Number(n), blockSize: Number(r), signerKey: base64(sk), separator: base64(ss) }
      return { how: { kind: 'firebase', ...project, length: bytes.length }, salt: base64(salt), tag: bytes }
    },
  },
  {
    // Werkzeug: the salt is text.
    pattern: /^scrypt:(?<n>\d+):(?<r>\d+):(?<p>\d+)\$(?<salt>[\x21-\x23\x25-\x7e]+)\$(?<tag>(?:[\da-f]{2})+)$/,
    read: ({ n, r, p, salt, tag }) => scrypt({ logN: Math.log2(Number(n)), r, p }, Buffer.from(salt ?? ''), Buffer.from(tag ?? '', 'hex')),
  },
  {
    // better-auth: the salt is its hexadecimal text, and the password in NFKC.
    pattern: /^(?<salt>[\da-f]{32}):(?<tag>[\da-f]{128})$/,
    read: ({ salt, tag }) => scrypt({ logN: 14, r: '16', p: '1', form: 'nfkc' }, Buffer.from(salt ?? ''), Buffer.from(tag ?? '', 'hex')),
  },
  {
    // Django: the salt is text.
    pattern: /^pbkdf2_(?<h>sha1|sha256|sha512)\$(?<i>\d+)\$(?<salt>[\x21-\x23\x25-\x7e]+)\$(?<tag>[\w+/]+=*)$/,
    read: ({ h, i, salt, tag }) => pbkdf2(h, i, Buffer.from(salt ?? ''), base64(tag)),
  },
  {
    // Passlib, whose base64 has a dot for the plus; and the PHC form, which names its parameters.
    pattern: /^\$pbkdf2-(?<h>sha1|sha256|sha512)\$(?:i=)?(?<i>\d+)(?:,l=\d+)?\$(?<salt>[\w+/.]+)\$(?<tag>[\w+/.]+)$/,
    read: ({ h, i, salt, tag }) => pbkdf2(h, i, base64(salt), base64(tag)),
  },
  {
    pattern: /^\$[PH]\$(?<n>[./\dA-Za-z])(?<salt>[./\dA-Za-z]{8})(?<tag>[./\dA-Za-z]{22})$/,
    read: ({ n = '', salt = '', tag = '' }) => {
      const bytes = phpassBytes(tag)
      return { how: { kind: 'phpass', logRounds: PHPASS.indexOf(n), length: bytes.length }, salt: Buffer.from(salt), tag: bytes }
    },
  },
  {
    // `$2x$` is a hash of a faulty implementation, and not read.
    pattern: /^(?<wp>\$wp)?\$2[aby]\$(?<n>0[4-9]|[12]\d|3[01])\$(?<salt>[./\dA-Za-z]{22})(?<tag>[./\dA-Za-z]{31})$/,
    read: ({ wp, n, salt = '', tag = '' }) => ({
      how: { kind: 'bcrypt', logRounds: Number(n), form: wp ? 'wordpress' : 'as_typed', length: BCRYPT_TAG_BYTES },
      salt: bcryptBytes(salt, BCRYPT_SALT_BYTES),
      tag: bcryptBytes(tag, BCRYPT_TAG_BYTES),
    }),
  },
]

function scrypt(
  { logN, r, p, form = 'as_typed' }: { logN: number; r: string | undefined; p: string | undefined; form?: 'as_typed' | 'nfkc' },
  salt: Buffer,
  tag: Buffer,
): Read {
  return { how: { kind: 'scrypt', logN, blockSize: Number(r), lanes: Number(p), length: tag.length, form }, salt, tag }
}

function pbkdf2(digest: string | undefined, iterations: string | undefined, salt: Buffer, tag: Buffer): Read | undefined {
  if (digest !== 'sha1' && digest !== 'sha256' && digest !== 'sha512') return undefined
  return { how: { kind: 'pbkdf2', digest, iterations: Number(iterations), length: tag.length }, salt, tag }
}

function base64(text = ''): Buffer {
  return Buffer.from(text.replaceAll('.', '+'), 'base64')
}

const PHPASS = './0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** The 16 bytes of phpass's own base64, whose lowest bits come first. */
function phpassBytes(text: string): Buffer {
  const bytes: number[] = []
  for (let at = 0; at < text.length; at += 4) {
    const group = [...text.slice(at, at + 4)].reduce((sum, character, place) => sum + PHPASS.indexOf(character) * 64 ** place, 0)
    bytes.push(group & 255, (group >> 8) & 255, (group >> 16) & 255)
  }
  return Buffer.from(bytes.slice(0, 16))
}
