import type { Audience, Checkout } from '../product.ts'

/** The answers so far. */
export interface Draft {
  name: string
  /** `undefined`: the one that follows from the name. */
  slug: string | undefined
  audience: Audience
  checkout: Checkout
  uri: string
}

export const emptyDraft: Draft = { name: '', slug: undefined, audience: 'external', checkout: 'external', uri: '' }

const MAX_SLUG = 64
const SLUG = /^[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?$/

export function isSlug(text: string): boolean {
  return SLUG.test(text)
}

export function slugOf({ name, slug }: Pick<Draft, 'name' | 'slug'>): string {
  return slug ?? suggestSlug(name)
}

/** `Clube do Livro & Café` → `clube-do-livro-cafe`. */
export function suggestSlug(name: string): string {
  const plain = name.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase()
  return trimHyphens(trimHyphens(plain.replaceAll(/[^a-z0-9]+/g, '-')).slice(0, MAX_SLUG))
}

function trimHyphens(text: string): string {
  return text.replaceAll(/^-+|-+$/g, '')
}
