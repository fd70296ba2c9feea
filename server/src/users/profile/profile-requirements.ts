import type { PersonalId } from '../../kit/index.ts'

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

/** The missing fields. `with_cnpj`: the company's name is required only with a CNPJ. */
export interface AskedFields {
  taxId: boolean
  phone: boolean
  company: 'no' | 'with_cnpj' | 'always'
}

/** The part of a user's profile that products can require. */
interface ProfileFacts {
  taxIdKind: PersonalId['kind'] | 'none' | undefined
  phone: string | undefined
  companyName: string | undefined
}

export function askedFields({ taxIdKind, phone, companyName }: ProfileFacts, { requires, foreigners }: ProfileRequirements): AskedFields {
  const taxId = requires.includes('tax_id') && !isIdentified(taxIdKind, foreigners)
  return {
    taxId,
    phone: requires.includes('phone') && phone === undefined,
    company: requires.includes('company') ? companyAsked({ taxId, taxIdKind, companyName }, requires) : 'no',
  }
}

/** Whether any field is missing. */
export function asksAnything({ taxId, phone, company }: AskedFields): boolean {
  return taxId || phone || company === 'always'
}

function isIdentified(kind: ProfileFacts['taxIdKind'], foreigners: Foreigners): boolean {
  if (kind === 'cpf' || kind === 'cnpj') return true
  if (kind === 'none') return foreigners === 'exempt'
  return kind !== undefined && foreigners !== 'refused'
}

/** A company has a CNPJ; where no tax id is required, the company's name is asked of everyone. */
function companyAsked(
  { taxId, taxIdKind, companyName }: Pick<AskedFields, 'taxId'> & Pick<ProfileFacts, 'taxIdKind' | 'companyName'>,
  requires: readonly Requirement[],
): AskedFields['company'] {
  if (taxId) return 'with_cnpj'
  const isDue = taxIdKind === 'cnpj' || !requires.includes('tax_id')
  return isDue && companyName === undefined ? 'always' : 'no'
}
