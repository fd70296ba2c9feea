import assert from 'node:assert/strict'
import { type EventType, endpointStore } from '../../../src/app-events/index.ts'
import { createEndpoint } from '../../../src/event-delivery/index.ts'
import type { TestService } from '../service.ts'
import { until } from '../until.ts'

const ACCESS_TYPES = ['access.granted', 'access.changed', 'access.revoked'] as const

/** An endpoint that is ready; it hears of access where no types are given. */
export async function addEndpoint(
  { context }: Pick<TestService, 'context'>,
  { url, product, types = ACCESS_TYPES }: { url: string; product?: string; types?: readonly EventType[] },
): Promise<{ id: string; secret: string }> {
  const made = await createEndpoint(
    { productSlug: product, url, types, description: '' },
    { ...context, actor: 'operator:test', isDevelopment: true },
  )
  assert.ok('secret' in made, JSON.stringify(made))
  const { id } = made.endpoint
  await until(async () => (await endpointStore(context.storage.db).findById(id))?.readyAt !== undefined)
  return { id, secret: made.secret }
}
