import type { ChangeFeed } from '../changes/index.ts'
import type { AsciiJson } from '../http/index.ts'
import { BoundedMap, type Now } from '../kit/index.ts'
import { accessSubject } from '../subscriptions/index.ts'

/** About 15 MB when full of ordinary questions. */
const MAX_REMEMBERED = 50_000
/** There is room for a user id and an address. Unknown parameters, at 16 KB a question, would fill the memory. */
const LONGEST_QUESTION = 512

/**
 * Remembered answers about access, kept true by the change feed. Only an answer that grants is kept: a user without access may buy at any
 * moment.
 */
export interface LiveAccess {
  /** The remembered answer to this very question (an address with its query). */
  find(productId: string, question: string): AsciiJson | undefined
  /** Call it before the database is asked. The function that it answers keeps the outcome, unless a change has come in between. */
  begin(): (asked: Asked) => void
  size(): number
}

interface Asked {
  productId: string
  userId: string
  /** The address in the question, in normal form. */
  address?: string | undefined
  question: string
  body: AsciiJson
  /** Ms; the answer may change then without an announcement. */
  until: number
}

interface Entry {
  key: string
  body: AsciiJson
  /** Ms; the answer may change then without an announcement. */
  until: number
  /** The keys under which a change of the answer is announced. */
  subjects: readonly string[]
}

export function createLiveAccess({ changes, now }: { changes: Pick<ChangeFeed, 'follow' | 'knowledge'>; now: Now }): LiveAccess {
  const byQuestion = new BoundedMap<string, Entry>(MAX_REMEMBERED, (evicted) => forget(evicted))
  /** Questions by announced key: the hash of a product's user or of an address, or an account's id. */
  const bySubject = new Map<string, Set<string>>()
  let changeCount = 0

  const forget = ({ key, subjects }: Entry) => {
    for (const about of subjects) {
      const keys = bySubject.get(about)
      keys?.delete(key)
      if (keys?.size === 0) bySubject.delete(about)
    }
  }
  const drop = (key: string) => {
    const entry = byQuestion.get(key)
    byQuestion.delete(key)
    if (entry) forget(entry)
  }
  changes.follow((change) => {
    if (change.kind === 'access_changed' || change.kind === 'user_changed') {
      changeCount++
      for (const key of [...(bySubject.get(change.subject) ?? [])]) drop(key)
    } else if (change.kind === 'product_changed' || change.kind === 'everything_changed') {
      changeCount++
      byQuestion.clear()
      bySubject.clear()
    }
  })
  return {
    size: () => byQuestion.size,
    find(productId, question) {
      const entry = byQuestion.get(`${productId} ${question}`)
      // Without a change the database is asked again: someone may have paid, or been refunded.
      if (!entry || changes.knowledge() !== 'current') return undefined
      return entry.until > now() ? entry.body : undefined
    },
    begin() {
      const before = changeCount
      return ({ productId, userId, address, question, body, until }) => {
        if (changeCount !== before || question.length > LONGEST_QUESTION) return
        const key = `${productId} ${question}`
        const names = address === undefined ? [userId] : [userId, address]
        const entry = { key, body, until, subjects: [userId, ...names.map((name) => accessSubject(productId, name))] }
        byQuestion.set(key, entry)
        for (const about of entry.subjects) {
          const keys = bySubject.get(about)
          if (keys) keys.add(key)
          else bySubject.set(about, new Set([key]))
        }
      }
    },
  }
}
