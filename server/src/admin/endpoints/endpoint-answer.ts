import { type Endpoint, endpointVersion } from '../../app-events/index.ts'
import type { AdminAnswer } from '../api/admin-route.ts'
import type { AdminDeps } from '../api/deps.ts'
import { endpointJson, readSlugs } from './endpoint-json.ts'
import { endpointSchema, endpointExample as example } from './endpoint-schemas.ts'

export const endpointAnswer = { description: 'The endpoint', schema: endpointSchema, example }

export async function shownEndpoint(endpoint: Endpoint, { storage }: AdminDeps): Promise<AdminAnswer> {
  return { body: await endpointJson(endpoint, { db: storage.db, slugs: await readSlugs(storage.db) }), version: endpointVersion(endpoint) }
}
