import { signDelivery } from '../../event-delivery/index.ts'
import { reasonOf } from '../command/faults.ts'

export interface TailedEvent {
  id: string
  type: string
  occurred_at: string
  data: Record<string, unknown> | null
}
const FORWARD_MS = 30_000

/** Answers a line about it. */
export async function forward(
  { id, type, occurred_at: timestamp, data }: TailedEvent,
  { url, secret }: { url: URL; secret: string },
  signal: AbortSignal,
): Promise<string> {
  const body = JSON.stringify({ type, timestamp, data })
  const at = Math.floor(Date.now() / 1000)
  const from = performance.now()
  const about = `${timestamp}  ${type}  ${id}`
  try {
    const { status } = await fetch(url, {
      method: 'POST',
      redirect: 'manual',
      headers: {
        'content-type': 'application/json',
        'webhook-id': id,
        'webhook-timestamp': String(at),
        'webhook-signature': signDelivery([secret], { id, at, body }),
      },
      body,
      signal: AbortSignal.any([signal, AbortSignal.timeout(FORWARD_MS)]),
    })
    return `${about}  ${status} in ${Math.round(performance.now() - from)} ms`
  } catch (fault) {
    const cause = fault instanceof Error && fault.cause instanceof Error ? fault.cause : fault
    return `${about}  no answer: ${reasonOf(cause)}`
  }
}
