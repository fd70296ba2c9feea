import assert from 'node:assert/strict'
import { foldEvents } from '../../../src/payment-history/fold/fold.ts'
import { eventStore } from '../../../src/payment-history/index.ts'
import type { Storage } from '../../../src/storage/index.ts'
import { subscriptionStore } from '../../../src/subscriptions/index.ts'
import type { Book } from './purchase-senders.ts'

/** The hash at the end of a notification's digest, which begins with the seconds of its time. */
const hashIn = ({ digest }: { digest: string }) => digest.slice('00000000'.length)

/** The hashes of what was answered with 200 and is not there. */
export async function lostOf({ acknowledged }: Pick<Book, 'acknowledged'>, { db }: Pick<Storage, 'db'>): Promise<string[]> {
  const kept = new Set((await db.selectFrom('notifications').select('digest').execute()).map(hashIn))
  return [...acknowledged.keys()].filter((hash) => !kept.has(hash))
}

/** Every buyer has access: a guest by address, a user with an account by the account's id too. */
export async function assertAsNotified(
  url: string,
  sales: readonly { email: string }[],
  { apiKey, users }: { apiKey: string; users: readonly { id: string; email: string }[] },
): Promise<void> {
  const buyers = [...new Set(sales.map(({ email }) => email))]
  const questions = buyers.flatMap((email) => {
    const user = users.find((one) => one.email === email)
    return [`email=${email}`, ...(user ? [`user_id=${user.id}`] : [])]
  })
  for (let at = 0; at < questions.length; at += 16) {
    await Promise.all(
      questions.slice(at, at + 16).map(async (question) => {
        const answer = await fetch(`${url}/api/saas/check-access?${question}`, { headers: { authorization: `Bearer ${apiKey}` } })
        const { active, reason } = (await answer.json()) as { active?: boolean; reason?: string }
        assert.deepEqual([answer.status, active, reason], [200, true, 'paid'], question)
      }),
    )
  }
}

/** Everything that was answered with 200 is there once, nothing else is, and no subscription says other than its events. */
export async function assertProcessed(book: Book, storage: Storage): Promise<void> {
  assert.deepEqual(book.open, [])
  const kept = await storage.db.selectFrom('notifications').select(['digest', 'status']).execute()
  const hashes = kept.map(hashIn).sort()
  assert.deepEqual(hashes, [...book.acknowledged.keys()].sort(), 'a purchase is gone, or there twice, or one that nobody has sent')
  assert.deepEqual([...new Set(kept.map(({ status }) => status))], ['processed'])
  await assertFolded(storage)
}

/** Each stream's subscriptions follow from its stored events, each purchase is one event, and no subscription is without one. */
async function assertFolded({ db }: Storage): Promise<void> {
  const lines = await db.selectFrom('event_streams').select('id').execute()
  for (const { id } of lines) {
    const folded = foldEvents(await eventStore(db).list(id))
    const rows = await subscriptionStore(db).listOfStream(id)
    assert.deepEqual(
      rows.map(({ state, planId, email, method, periodEnd, changedAt }) => ({ state, planId, email, method, periodEnd, changedAt })),
      folded.map(({ state, planId, email, method, periodEnd, changedAt }) => ({ state, planId, email, method, periodEnd, changedAt })),
    )
    assert.deepEqual(new Set(rows.map(({ accessUntil }) => accessUntil)), new Set([Number.POSITIVE_INFINITY]))
  }
  const notifications = await db.selectFrom('notifications').select(['id', 'subscription_id']).where('status', '=', 'processed').execute()
  const event = await db.selectFrom('subscription_events').select('notification_id').execute()
  assert.deepEqual(event.map(({ notification_id }) => notification_id).sort(), notifications.map(({ id }) => id).sort())
  const subscriptions = await db.selectFrom('subscriptions').select(['id', 'stream_id']).execute()
  assert.deepEqual(new Set(subscriptions.map(({ stream_id }) => stream_id)), new Set(lines.map(({ id }) => id)))
  assert.deepEqual(new Set(notifications.map(({ subscription_id }) => subscription_id)), new Set(subscriptions.map(({ id }) => id)))
}
