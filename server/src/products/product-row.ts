import type { ApiKeyRow, ProductRow } from '../storage/index.ts'
import { FOREIGNERS, type ProfileRequirements, REQUIREMENTS, USUAL_REQUIREMENTS } from '../users/index.ts'
import type { ApiKeyInfo } from './keys/key-info.ts'
import { readOpenId } from './openid/openid-settings.ts'
import { isScope, type Product } from './product.ts'

// A product and its keys as their rows have them.

export function toApiKey({ id, hint, created_at, revoked_at, last_used_at }: ApiKeyRow): ApiKeyInfo {
  return { id, hint, createdAt: created_at, revokedAt: revoked_at ?? undefined, lastUsedAt: last_used_at ?? undefined }
}

export function toColumns(product: Product) {
  return {
    slug: product.slug,
    name: product.name,
    audience: product.audience,
    checkout: product.checkout,
    handoff: product.handoff,
    scopes: product.scopes.join(' '),
    publishable_key: product.publishableKey,
    query_key_allowed: product.queryKeyAllowed ? 1 : 0,
    requires: product.requirements.requires.join(' '),
    foreigners: product.requirements.foreigners,
    openid: product.openid ? JSON.stringify(product.openid) : null,
    backchannel_logout_uri: product.backchannelLogoutUri ?? null,
  }
}

export function fromRow(row: ProductRow | undefined): Product | undefined {
  return row && toProduct(row)
}

export function toProduct(row: ProductRow): Product {
  return {
    id: row.id,
    slug: row.slug,
    name: row.name,
    audience: row.audience === 'external' ? 'external' : 'internal',
    checkout: row.checkout === 'external' ? 'external' : 'integrated',
    handoff: row.handoff === 'eg_token' ? 'eg_token' : 'eg_session',
    scopes: row.scopes.split(' ').filter(isScope),
    publishableKey: row.publishable_key,
    queryKeyAllowed: row.query_key_allowed === 1,
    requirements: requirementsOf(row),
    openid: readOpenId(row.openid),
    backchannelLogoutUri: row.backchannel_logout_uri ?? undefined,
    createdAt: row.created_at,
  }
}

/** A row written by an older version has neither, and asks for the usual. */
function requirementsOf({ requires, foreigners }: ProductRow): ProfileRequirements {
  const names = requires?.split(' ')
  return {
    requires: names ? REQUIREMENTS.filter((one) => names.includes(one)) : USUAL_REQUIREMENTS.requires,
    foreigners: FOREIGNERS.find((one) => one === foreigners) ?? USUAL_REQUIREMENTS.foreigners,
  }
}
