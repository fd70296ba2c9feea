import { FatalJobFault } from '../../outbox/index.ts'
import type { UnknownToGateway } from './gateway-api.ts'

/**
 * A gateway may announce an object some seconds before its own API shows it. By the back-off, the sixth try is 43 minutes after the first.
 */
const UNKNOWN_TRIES = 6

export function notKnownYet({ message }: UnknownToGateway, attempts: number): Error {
  if (attempts < UNKNOWN_TRIES) return new Error(`${message}: it may later, and is asked ${UNKNOWN_TRIES} times in about an hour`)
  return new FatalJobFault(`${message}: asked for about an hour`)
}

export function messageOf(fault: unknown): string {
  return fault instanceof Error ? fault.message.slice(0, 300) : 'unknown fault'
}
