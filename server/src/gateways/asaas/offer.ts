import type { Charge } from './payload.ts'

/**
 * Everything in Asaas is a charge, even a transfer into the merchant's account. Relevant are those of a subscription or payment link, and
 * those whose reference can be a plan's slug.
 */
export function isOurs(charge: Charge): boolean {
  return isOffer(charge) || slugsIn(charge.externalReference).length > 0
}

export function isOffer({ subscription, paymentLink }: Charge): boolean {
  return subscription !== undefined || paymentLink !== undefined
}

/** A reference may be the merchant's own number. A reference that says it is a slug names that plan, and no other of this product's. */
export function isPlanNamed(reference: { externalReference?: string | undefined } | undefined): boolean {
  return reference?.externalReference?.startsWith('slug:') === true
}

/** An external reference can be a plan's slug, alone or as `slug:easy-pro`. */
export function slugsIn(...references: (string | undefined)[]): string[] {
  return distinct(...references.map((reference) => /^(?:slug:)?([a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?)$/.exec(reference ?? '')?.[1]))
}

export function distinct(...texts: (string | undefined)[]): string[] {
  return [...new Set(texts.flatMap((text) => text ?? []))]
}
