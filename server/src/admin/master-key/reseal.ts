import type { Sealer } from '../../kit/index.ts'

/**
 * `place` names the value, as in `signing_keys.private_sealed.<kid>`: neither key opens it, or its tax id is taken under the new index key.
 */
export type MasterKeyRefusal = { refusal: 'does_not_open' | 'tax_id_twice'; place: string }

export const PAGE = 500

export interface Sealed {
  id: string
  sealed: string
}

/** A column of sealed values: its name, how to read it and how to write it. */
export interface Column<T extends Sealed> {
  name: string
  /** The values after the id `cursor`, in the order of the ids. */
  page(after: { limit: number; cursor: string }): Promise<T[]>
  reseal(id: string, sealed: string): Promise<void>
  /** A value that nobody needs to open any more: if neither key opens it, it stays as it is. */
  isLost?(value: T): boolean
}

/** Seals a column anew and answers the number of values. */
export async function reseal<T extends Sealed>(column: Column<T>, sealer: Sealer): Promise<number> {
  let count = 0
  for (let cursor = ''; ; ) {
    const page = await column.page({ limit: PAGE, cursor })
    for (const value of page) {
      const place = `${column.name}.${value.id}`
      if (column.isLost?.(value) && sealer.open(value.sealed, place) === undefined) continue
      await column.reseal(value.id, sealer.seal(openOrStop(value.sealed, place, sealer), place))
      count++
    }
    const last = page.at(-1)
    if (!last || page.length < PAGE) return count
    cursor = last.id
  }
}

/** A complete list as the only page. */
export function allOf(values: readonly Sealed[]): Column<Sealed>['page'] {
  return async ({ cursor }) => (cursor === '' ? [...values] : [])
}

export function openOrStop(sealed: string, place: string, sealer: Sealer): string {
  const plain = sealer.open(sealed, place)
  if (plain === undefined) throw new Stuck({ refusal: 'does_not_open', place })
  return plain
}

/** Rolls the transaction back. */
export class Stuck extends Error {
  readonly refusal: MasterKeyRefusal
  constructor(refusal: MasterKeyRefusal) {
    super(refusal.refusal)
    this.refusal = refusal
  }
}

export interface Resealed {
  signingKeys: number
  webhookKeys: number
  gatewayCredentials: number
  endpoints: number
  taxIds: number
  identityProviders: number
  tickets: number
  secondFactors: number
  outbox: number
  idpAttempts: number
}
