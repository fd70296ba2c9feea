/** The fields that a product can require of its users. The full name is asked together with any of them. */
export const REQUIREMENTS = ['tax_id', 'phone', 'company'] as const

export type Requirement = (typeof REQUIREMENTS)[number]

/**
 * For users without a CPF or CNPJ where a product requires one: `refused`, they can't go on; `document`, they give a passport or a foreign
 * tax id; `exempt`, they declare that they have none.
 */
export const FOREIGNERS = ['refused', 'document', 'exempt'] as const

export type Foreigners = (typeof FOREIGNERS)[number]

/** A product's requirements of its users. */
export interface ProfileRequirements {
  requires: readonly Requirement[]
  foreigners: Foreigners
}

/** The contract's default: `/complete-profile` collects everything, a CPF or CNPJ of everyone. It holds where no product says otherwise. */
export const USUAL_REQUIREMENTS: ProfileRequirements = { requires: REQUIREMENTS, foreigners: 'refused' }
