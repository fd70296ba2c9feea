import { versionOf } from '../kit/index.ts'
import type { EventType } from './event-types.ts'

/** Where events are delivered to. Times in ms. */
export interface Endpoint {
  id: string
  /** `undefined`: the operator's, which hears of every product. */
  productId: string | undefined
  url: string
  types: readonly EventType[]
  description: string
  /** When a rotated secret stops to sign. */
  previousUntil: number | undefined
  /** Changes since then are reported; `undefined` while the states before it are still being read. */
  readyAt: number | undefined
  disabledAt: number | undefined
  disabledReason: string | undefined
  failingSince: number | undefined
  warnedAt: number | undefined
  /** Until then nothing is sent, as it has asked. */
  pausedUntil: number | undefined
  createdAt: number
}

export const ENDPOINT_STATES = ['preparing', 'enabled', 'failing', 'disabled'] as const

export type EndpointState = (typeof ENDPOINT_STATES)[number]

export function endpointState({ readyAt, disabledAt, failingSince }: Endpoint): EndpointState {
  if (disabledAt !== undefined) return 'disabled'
  if (readyAt === undefined) return 'preparing'
  return failingSince === undefined ? 'enabled' : 'failing'
}

/** The version of an endpoint's settings: deliveries and their health change nothing of it. */
export function endpointVersion({ url, types, description }: Endpoint): string {
  return versionOf({ url, types, description })
}
