import { type Derivation, findLimit } from './foreign-limits.ts'

export const PREFIX = '$f$'

/** `undefined` for a text that is no cost, or one beyond a limit: such a hash is never computed. */
export function parseCost(cost: string): Derivation | undefined {
  const [, , kind = '', parameters = ''] = cost.split('$')
  const derivation = read(kind, new Map(parameters.split(',').map((pair) => [pair.slice(0, 1), pair.slice(2)])))
  return derivation && findLimit(derivation) === undefined ? derivation : undefined
}

function read(kind: string, values: ReadonlyMap<string, string>): Derivation | undefined {
  const number = (name: string) => Number(values.get(name))
  const bytes = (name: string) => Buffer.from(values.get(name) ?? '', 'base64url')
  const length = number('l')
  if (kind === 'argon2id' || kind === 'argon2i' || kind === 'argon2d')
    return { kind, memory: number('m'), passes: number('t'), lanes: number('p'), length }
  if (kind === 'scrypt') {
    const form = values.get('f') === 'nfkc' ? 'nfkc' : 'as_typed'
    return { kind, logN: number('n'), blockSize: number('r'), lanes: number('p'), length, form }
  }
  const digest = values.get('h')
  if (kind === 'pbkdf2' && (digest === 'sha1' || digest === 'sha256' || digest === 'sha512'))
    return { kind, digest, iterations: number('i'), length }
  if (kind === 'firebase') return { kind, logN: number('n'), blockSize: number('r'), signerKey: bytes('k'), separator: bytes('s'), length }
  if (kind === 'bcrypt') return { kind, logRounds: number('n'), form: values.get('f') === 'wordpress' ? 'wordpress' : 'as_typed', length }
  return kind === 'phpass' ? { kind, logRounds: number('n'), length } : undefined
}

export function costText(derivation: Derivation): string {
  const { kind, length } = derivation
  const text = (parameters: string) => `${PREFIX}${kind}$${parameters},l=${length}`
  switch (derivation.kind) {
    case 'scrypt':
      return text(`n=${derivation.logN},r=${derivation.blockSize},p=${derivation.lanes},f=${derivation.form}`)
    case 'pbkdf2':
      return text(`h=${derivation.digest},i=${derivation.iterations}`)
    case 'firebase': {
      const [key, separator] = [derivation.signerKey.toString('base64url'), derivation.separator.toString('base64url')]
      return text(`n=${derivation.logN},r=${derivation.blockSize},k=${key},s=${separator}`)
    }
    case 'phpass':
      return text(`n=${derivation.logRounds}`)
    case 'bcrypt':
      return text(`n=${derivation.logRounds},f=${derivation.form}`)
    default:
      return text(`m=${derivation.memory},t=${derivation.passes},p=${derivation.lanes}`)
  }
}
