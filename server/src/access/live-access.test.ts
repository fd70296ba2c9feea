import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { ChangeEvent, ChangeFeed, Knowledge } from '../changes/index.ts'
import { asciiJson } from '../http/index.ts'
import { accessSubject } from '../subscriptions/index.ts'
import { createLiveAccess } from './live-access.ts'

const QUESTION = '/api/saas/check-access?user_id=u1'
const body = asciiJson({ active: true })

function start() {
  const clock = { now: 1_000_000 }
  let announce: (change: ChangeEvent) => void = () => {}
  const feed: { knowledge: Knowledge } = { knowledge: 'current' }
  const changes: Pick<ChangeFeed, 'follow' | 'knowledge'> = {
    follow: (follower) => {
      announce = follower
    },
    knowledge: () => feed.knowledge,
  }
  const live = createLiveAccess({ changes, now: () => clock.now })
  const remember = (productId = 'p1', userId = 'u1', question = QUESTION, until = Number.POSITIVE_INFINITY) =>
    live.begin()({ productId, userId, question, body, until })
  return { live, clock, feed, remember, announce: (change: ChangeEvent) => announce(change) }
}

describe('Answers of access in memory', () => {
  it('are given for the very same question of the same product, and for no other', () => {
    const { live, remember } = start()
    remember()
    assert.equal(live.find('p1', QUESTION), body)
    assert.equal(live.find('p2', QUESTION), undefined)
    assert.equal(live.find('p1', `${QUESTION}1`), undefined)
  })

  it('end when the paid time does', () => {
    const { live, remember, clock } = start()
    remember('p1', 'u1', QUESTION, clock.now + 1_000)
    clock.now += 999
    assert.equal(live.find('p1', QUESTION), body)
    clock.now++
    assert.equal(live.find('p1', QUESTION), undefined)
  })

  it("are forgotten when that user's access changes, under the product's id of them or the account's", () => {
    const { live, remember, announce } = start()
    remember()
    remember('p1', 'u2', 'other')
    announce({ kind: 'access_changed', subject: accessSubject('p1', 'u1') })
    assert.equal(live.find('p1', QUESTION), undefined)
    assert.equal(live.find('p1', 'other'), body)
    announce({ kind: 'user_changed', subject: 'u2' })
    assert.equal(live.find('p1', 'other'), undefined)
    assert.equal(live.size(), 0)
  })

  it('H1: are forgotten when something is bought with the address that was asked for', () => {
    const { live, announce } = start()
    live.begin()({ productId: 'p1', userId: 'u1', address: 'ana@example.com', question: QUESTION, body, until: Number.POSITIVE_INFINITY })
    announce({ kind: 'access_changed', subject: accessSubject('p2', 'ana@example.com') })
    assert.equal(live.find('p1', QUESTION), body)
    announce({ kind: 'access_changed', subject: accessSubject('p1', 'ana@example.com') })
    assert.equal(live.find('p1', QUESTION), undefined)
    assert.equal(live.size(), 0)
  })

  it('are all forgotten when a product changes or the node has lost sight of the feed', () => {
    for (const kind of ['product_changed', 'everything_changed'] as const) {
      const { live, remember, announce } = start()
      remember()
      announce(kind === 'product_changed' ? { kind, subject: 'p1' } : { kind })
      assert.equal(live.size(), 0)
    }
  })

  it('are not kept when events came while the database was asked', () => {
    const { live, announce } = start()
    const keep = live.begin()
    announce({ kind: 'access_changed', subject: 'anyone' })
    keep({ productId: 'p1', userId: 'u1', question: QUESTION, body, until: Number.POSITIVE_INFINITY })
    assert.equal(live.find('p1', QUESTION), undefined)
  })

  it('are gone by while the feed is current, and not otherwise', () => {
    const { live, remember, feed } = start()
    remember()
    assert.equal(live.find('p1', QUESTION), body)
    for (const knowledge of ['unknown', 'away', 'lost'] as const) {
      feed.knowledge = knowledge
      assert.equal(live.find('p1', QUESTION), undefined)
    }
  })

  it('replace each other without leaving a trace', () => {
    const { live, remember, announce } = start()
    remember()
    remember()
    assert.equal(live.size(), 1)
    announce({ kind: 'user_changed', subject: 'u1' })
    assert.equal(live.size(), 0)
  })
})
