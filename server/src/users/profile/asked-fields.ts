import type { PersonalId } from '../../kit/index.ts'
import type { Foreigners, ProfileRequirements, Requirement } from './profile-requirements.ts'

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
