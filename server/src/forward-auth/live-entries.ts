import type { ChangeFeed } from '../changes/index.ts'
import type { Now } from '../kit/index.ts'
import type { ForwardedHost } from '../products/index.ts'
import type { LiveSession } from '../sessions/index.ts'

/** Of one session. Nobody has more products open than this; the oldest answer goes. */
const MAX_PRODUCTS = 16

/**
 * Answers that let a session pass, kept beside the session object that they were made from. The change feed drops that object at any change
 * of the session, its user, their purchases, or a product, and the answers go with it (decision 160). A refusal is not kept: the user may
 * complete the profile or buy at any moment.
 */
export interface LiveEntries<Answer> {
  find(session: LiveSession, host: ForwardedHost): Answer | undefined
  /** `until`: in ms; the answer may change then without an announcement. */
  remember(session: LiveSession, host: ForwardedHost, answer: Answer, until: number): void
}

interface Entry<Answer> {
  productId: string
  answer: Answer
  until: number
}

export function createLiveEntries<Answer>({ changes, now }: { changes: Pick<ChangeFeed, 'knowledge'>; now: Now }): LiveEntries<Answer> {
  const bySession = new WeakMap<LiveSession, Array<Entry<Answer>>>()
  return {
    find(session, { product, rule }) {
      // As with every answer about a purchase: while the feed can't be read, someone may have been refunded.
      if (rule.access !== 'signed_in' && changes.knowledge() !== 'current') return undefined
      const entry = bySession.get(session)?.find(({ productId }) => productId === product.id)
      return entry && entry.until > now() ? entry.answer : undefined
    },
    remember(session, { product }, answer, until) {
      const others = (bySession.get(session) ?? []).filter(({ productId }) => productId !== product.id)
      bySession.set(session, [{ productId: product.id, answer, until }, ...others.slice(0, MAX_PRODUCTS - 1)])
    },
  }
}
