import { buyerDetailsIn, buyerTerms } from './buyer-details.ts'

/** The terms of the tax ids, phones and names of people in a JSON text. */
export function buyerTermsOf(json: string | undefined): string[] {
  return json === undefined ? [] : buyerTermsIn(parse(json))
}

/** The same of a value that was parsed already. */
export function buyerTermsIn(value: unknown): string[] {
  return buyerTerms(buyerDetailsIn(value))
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return undefined // a text that is not JSON names nobody
  }
}
