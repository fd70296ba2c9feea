import type { GatewayEvent } from '../gateway.ts'
import { isObject, listAt, textAt } from './fields.ts'

interface Sold {
  isOffer: boolean
  isOfSubscription: boolean
}

/**
 * What names the plan of a thing. Metadata is the seller's alone, and names the plan or none; a reference may be the seller's own number.
 */
export function planOf(thing: unknown, preapproval: unknown, { isOffer, isOfSubscription }: Sold): GatewayEvent['plan'] {
  const named = textAt(thing, 'metadata', 'plan_slug')
  const isTheSellers = !isOfSubscription || isMadeByTheSeller(preapproval)
  const references = isTheSellers ? [textAt(thing, 'external_reference'), textAt(preapproval, 'external_reference')] : []
  const items = [...listAt(thing, 'additional_info', 'items'), ...listAt(thing, 'items')]
  const refs = [textAt(preapproval, 'preapproval_plan_id'), ...items.map((item) => textAt(item, 'id'))]
  return { slugs: distinct([named, ...references]), refs: distinct(refs), isOffer: isOffer && named === undefined }
}

/**
 * A subscription to a plan of theirs is made by its link, and there the reference is whatever the buyer writes into the address
 * (`&external_reference=`, as integrators use it): which plan it is says `preapproval_plan_id`. One without a plan only the seller's server
 * makes.
 */
function isMadeByTheSeller(preapproval: unknown): boolean {
  return isObject(preapproval) && textAt(preapproval, 'preapproval_plan_id') === undefined
}

function distinct(texts: ReadonlyArray<string | undefined>): string[] {
  return [...new Set(texts.filter((text) => text !== undefined))]
}
