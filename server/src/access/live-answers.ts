import type { ChangeFeed } from '../changes/index.ts'
import type { AsciiJson } from '../http/index.ts'
import { BoundedMap, type Now } from '../kit/index.ts'
import { accessSubject } from '../subscriptions/index.ts'

/** About 15 MB when full of ordinary questions. */
const MOST_REMEMBERED = 50_000
/** A user id and an address have room; parameters that nobody reads, at 16 KB a question, would fill the memory. */
const LONGEST_QUESTION = 512
/** Without news for longer than this a node asks the database again: someone may have paid, or had their money back. */
const TRUSTED_WITHOUT_NEWS_MS = 5_000

/** Answers of access for people whom a product has asked for before, kept true by the change feed. Only an answer that grants is worth keeping: who has nothing yet may buy at any moment. */
export interface LiveAnswers {
  /** The answer to this very question (an address with its query), without asking the database. */
  find(productId: string, question: string): AsciiJson | undefined
  /** To be called before the database is asked; what it answers keeps the outcome, unless news has come in between. */
  begin(): (asked: { productId: string; userId: string; question: string; body: AsciiJson; until: number }) => void
  size(): number
}

interface Entry {
  key: string
  body: AsciiJson
  /** Ms; when the answer may change in silence. */
  until: number
  userId: string
  subject: string
}

export function createLiveAnswers({ changes, now }: { changes: Pick<ChangeFeed, 'follow' | 'lastLookAt'>; now: Now }): LiveAnswers {
  const byQuestion = new BoundedMap<string, Entry>(MOST_REMEMBERED, (evicted) => forget(evicted))
  /** Questions by what is announced: the hash of a product's user, or the id of an account. */
  const bySubject = new Map<string, Set<string>>()
  let news = 0

  const forget = ({ key, userId, subject }: Entry) => {
    for (const about of [subject, userId]) {
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
  changes.follow((heard) => {
    if (heard.kind === 'access_changed' || heard.kind === 'user_changed') {
      news++
      for (const key of [...(bySubject.get(heard.subject) ?? [])]) drop(key)
    } else if (heard.kind === 'product_changed' || heard.kind === 'everything_changed') {
      news++
      byQuestion.clear()
      bySubject.clear()
    }
  })
  return {
    size: () => byQuestion.size,
    find(productId, question) {
      const entry = byQuestion.get(`${productId} ${question}`)
      if (!entry || now() - changes.lastLookAt() > TRUSTED_WITHOUT_NEWS_MS) return undefined
      return entry.until > now() ? entry.body : undefined
    },
    begin() {
      const before = news
      return ({ productId, userId, question, body, until }) => {
        if (news !== before || question.length > LONGEST_QUESTION) return
        const key = `${productId} ${question}`
        const entry = { key, body, until, userId, subject: accessSubject(productId, userId) }
        byQuestion.set(key, entry)
        for (const about of [entry.subject, userId]) {
          const keys = bySubject.get(about)
          if (keys) keys.add(key)
          else bySubject.set(about, new Set([key]))
        }
      }
    },
  }
}
