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

const MAX_URL = 2_048
const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\]|.+\.localhost)$/

/** Whether an address is of this machine. */
export function isLoopback({ hostname }: URL): boolean {
  return LOOPBACK.test(hostname)
}

/**
 * An address in the form that it is called by; `undefined` for any that is not https. In development a loopback address may be http.
 * Where a name leads is looked at with each connection.
 */
export function parseEndpointUrl(text: string, { isDevelopment }: { isDevelopment: boolean }): string | undefined {
  if (text.length > MAX_URL || !URL.canParse(text)) return undefined
  const url = new URL(text)
  const isHttpHere = isDevelopment && url.protocol === 'http:' && isLoopback(url)
  if (url.protocol !== 'https:' && !isHttpHere) return undefined
  return url.username === '' && url.password === '' && url.hash === '' ? url.href : undefined
}
