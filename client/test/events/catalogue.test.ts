import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { EVENT_TYPES, type EventType } from '../../../server/src/app-events/index.ts'
import { EVENT_CATALOGUE } from '../../../server/src/event-delivery/index.ts'
import { parseEvent } from '../../src/events/event.ts'
import type { PortariaEvent } from '../../src/events/index.ts'

/** Held by the type check: the client has a type for every event that Portaria sends. */
const known: Record<EventType, PortariaEvent['type']> = Object.fromEntries(EVENT_TYPES.map((type) => [type, type])) as {
  [Type in EventType]: Type
}

describe("The client's events", () => {
  it('are those of the catalogue, each read with its own fields', () => {
    for (const type of EVENT_TYPES) {
      const body = JSON.stringify({ type, timestamp: '2026-11-23T12:00:00.000Z', data: EVENT_CATALOGUE[type].example })
      const event = parseEvent('evt', body)
      assert.equal(event?.type, known[type])
    }
  })
})
