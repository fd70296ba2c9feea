import type { GatewayEvent } from '../gateway-event.ts'
import { isObject, listAt, textAt } from './fields.ts'

interface Sold {
  isOffer: boolean
  isOfSubscription: boolean
}

/**
 * The names of an object's plan. Only the merchant writes metadata, so it names the plan or none; a reference may be the merchant's own
 * number.
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
 * A subscription to a plan of theirs begins at its link, where the buyer can write any reference into the address (`&external_reference=`,
 * as integrators use it): only `preapproval_plan_id` names the plan. A subscription without such a plan is made only by the merchant's
 * server.
 */
function isMadeByTheSeller(preapproval: unknown): boolean {
  return isObject(preapproval) && textAt(preapproval, 'preapproval_plan_id') === undefined
}

function distinct(texts: ReadonlyArray<string | undefined>): string[] {
  return [...new Set(texts.filter((text) => text !== undefined))]
}
