import { endpointJson, readSlugs } from '../../admin/index.ts'
import { type Endpoint, endpointState } from '../../app-events/index.ts'
import { fields } from '../command/layout.ts'
import type { CommandContext } from '../command/open-context.ts'

export const WHICH = "the endpoint's id, as `endpoint list` shows it"

export async function shownEndpoint(endpoint: Endpoint, { storage, localTime }: CommandContext): Promise<{ json: object; text: string }> {
  const slugs = await readSlugs(storage.db)
  const json = await endpointJson(endpoint, { db: storage.db, slugs })
  const text = fields([
    ['id', endpoint.id],
    ['product', productOf(endpoint, slugs)],
    ['url', endpoint.url],
    ['events', endpoint.types],
    ['description', endpoint.description || undefined],
    ['state', endpointState(endpoint)],
    ['failing since', localTime(endpoint.failingSince)],
    ['will be disabled', json.disables_at === null ? undefined : localTime(Date.parse(json.disables_at))],
    ['last success', json.last_success_at ?? undefined],
    ['waiting', json.waiting === 0 ? undefined : String(json.waiting)],
    ['disabled', endpoint.disabledAt === undefined ? undefined : `${localTime(endpoint.disabledAt)} (${endpoint.disabledReason})`],
  ])
  return { json, text }
}

export function productOf({ productId }: Endpoint, slugs: ReadonlyMap<string, string>): string {
  return productId === undefined ? "every product's" : (slugs.get(productId) ?? productId)
}
