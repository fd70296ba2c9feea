import type { Announce } from '../../changes/index.ts'
import { normaliseEmail } from '../../kit/index.ts'
import type { NormalizedEvent } from '../../payment-history/index.ts'

/**
 * Collects the users who gain or lose a purchase: each is announced to all nodes. They may be other users than the one with the address.
 */
export function listenTo(announce: Announce): { recordingAnnounce: Announce; userIds: Set<string> } {
  const userIds = new Set<string>()
  const recordingAnnounce: Announce = (change) => {
    if (change.kind === 'user_changed') userIds.add(change.subject)
    announce(change)
  }
  return { recordingAnnounce, userIds }
}

export function addressesIn({ email }: NormalizedEvent): string[] {
  const normal = email === undefined ? undefined : normaliseEmail(email)
  return normal === undefined ? [] : [normal]
}
