import { type AppDoor, type AppKind, appFacts, kindsOf } from '../doors/app-kinds.ts'
import type { Audience, Checkout } from '../product.ts'

/** The answers so far. */
export interface Draft {
  name: string
  /** `undefined`: the one that follows from the name. */
  slug: string | undefined
  kind: AppKind
  audience: Audience
  checkout: Checkout
  uri: string
  /** Of an app behind a proxy, which has no redirect URI. */
  host: string
}

export const emptyDraft: Draft = {
  name: '',
  slug: undefined,
  kind: 'client',
  audience: 'external',
  checkout: 'external',
  uri: '',
  host: '',
}

/** The draft with another door: the first app behind it, and a company that may use it. */
export function withDoor(draft: Draft, door: AppDoor): Draft {
  const kind = kindsOf(door)[0] ?? 'client'
  return { ...draft, kind, ...(door === 'forward_auth' && { audience: 'internal', checkout: 'integrated' }) }
}

/** A product as the API makes it from the answers. */
export function productBody({ name, audience, checkout, kind, uri, host, ...draft }: Draft): object {
  const { door, openid } = appFacts[kind]
  const base = { slug: slugOf({ name, ...draft }), name: name.trim(), audience, checkout }
  if (door === 'forward_auth') return { ...base, forward_auth: { access: 'signed_in', plans: [], hosts: [host] } }
  return { ...base, redirect_uris: [{ uri }], ...(openid && { openid }) }
}

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
