import { isVisibleLine } from '../../kit/index.ts'

export type PlanRefusal = {
  refusal: 'slug_malformed' | 'slug_taken' | 'name_malformed' | 'price_malformed' | 'no_such_product' | 'not_found' | 'changed_meanwhile'
}

/** The fields that are checked without the database; an absent one stays as it is. */
interface PlanFields {
  slug?: string | undefined
  name?: string | undefined
  price?: number | undefined
}

export function refusePlan({ slug, name, price }: PlanFields): PlanRefusal | undefined {
  if (slug !== undefined && !/^[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?$/.test(slug)) return { refusal: 'slug_malformed' }
  if (name !== undefined && !isVisibleLine(name, 100)) return { refusal: 'name_malformed' }
  return price === undefined || (Number.isSafeInteger(price) && price >= 0) ? undefined : { refusal: 'price_malformed' }
}
