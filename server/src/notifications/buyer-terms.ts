import { hashAddress } from './addresses.ts'
import { buyerDetailsIn, buyerTerms } from './buyer-details.ts'

/**
 * Hashes of the tax ids, phones and names of people in a JSON text. No secrets, as those of addresses are none: what they are of stands in
 * the clear beside them, and all of it goes together.
 */
export function hashBuyer(json: string | undefined): string[] {
  return json === undefined ? [] : hashBuyerIn(parse(json))
}

/** The same of a value that was parsed already. */
export function hashBuyerIn(value: unknown): string[] {
  return hashTerms(buyerTerms(buyerDetailsIn(value)))
}

export function hashTerms(terms: readonly string[]): string[] {
  return terms.map(hashAddress)
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return undefined // what is not JSON names nobody
  }
}
