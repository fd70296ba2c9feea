import assert from 'node:assert/strict'
import { it } from 'node:test'
import { sql } from 'kysely'
import { findUser } from '../../../src/admin/index.ts'
import type { Queryable } from '../../../src/storage/index.ts'
import { claimUnverifiedAccount } from '../../../src/users/claim-unverified-account.ts'
import { openedAppStore, resolveIdentity } from '../../../src/users/index.ts'
import { pictureStore } from '../../../src/users/profile/picture-store.ts'
import { finishSignUp } from '../../../src/users/sign-up/finish-sign-up.ts'
import { eachDatabase } from '../../support/databases.ts'
import { startService } from '../../support/service.ts'
import { until } from '../../support/until.ts'

const IDENTITY = { providerId: 'um', issuer: 'https://idp.example', subject: 'ana-1' }

eachDatabase('11: an account with an unverified address', (database) => {
  async function begin() {
    const service = await startService(await database.fresh())
    const { id, email } = await service.user('ana@exemplo.com.br')
    const { db } = service.context.storage
    await db.updateTable('users').set({ email_verified_at: null }).where('id', '=', id).execute()
    const rowOf = () =>
      db.selectFrom('users').innerJoin('users_company', 'user_id', 'id').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    return { service, id, email, db, rowOf }
  }

  it('is claimed without the apps that somebody else went to in it', async () => {
    const { service, id, email } = await begin()
    const { changes, storage, now } = service.context
    const { product } = await service.product({ slug: 'segredo', name: 'Clube Secreto', audience: 'internal', checkout: 'integrated' })
    await openedAppStore(storage.db).note(id, product.id, now())
    assert.equal((await openedAppStore(storage.db).list(id, 9)).length, 1)
    const user = (await findUser(storage.db, email)) ?? assert.fail()
    await changes.transaction((tx, announce) => claimUnverifiedAccount(tx, user, { announce, now }))
    assert.deepEqual(await openedAppStore(storage.db).list(id, 9), [])
  })

  it('loses its picture by a claim, and nothing that the operator has written meanwhile', async () => {
    const { service, id, email, db, rowOf } = await begin()
    const { changes, now } = service.context
    await pictureStore(db).put(id, { name: 'theirs', content: Buffer.from('x') }, now())
    await db.updateTable('users_company').set({ avatar_url: 'https://conta.example/theirs.png' }).where('user_id', '=', id).execute()
    const user = (await findUser(db, email)) ?? assert.fail()
    await db.updateTable('users').set({ role: 'support' }).where('id', '=', id).execute()
    await db.updateTable('users_company').set({ name: 'Ana Flávia', rank_name: 'Ouro' }).where('user_id', '=', id).execute()
    await changes.transaction((tx, announce) => claimUnverifiedAccount(tx, user, { announce, now }))
    const { role, name, rank_name, avatar_url } = await rowOf()
    assert.deepEqual({ role, name, rank_name, avatar_url }, { role: 'support', name: 'Ana Flávia', rank_name: 'Ouro', avatar_url: null })
  })

  /** Whether a transaction waits for another one. SQLite begins none meanwhile. */
  async function isWaiting(db: Queryable): Promise<boolean> {
    if (database.name === 'sqlite') return true
    const waiting = sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    return (await waiting.execute(db)).rows.length > 0
  }

  for (const way of ['provider', 'sign-up'] as const)
    it(`is claimed by no ${way} once it is an administrator’s, though it became one while the claim waited`, async () => {
      const { service, id, email, db, rowOf } = await begin()
      const { changes, storage, now } = service.context
      const { password_hash: before } = await rowOf()
      const identity = { ...IDENTITY, email, emailVerified: true, name: undefined, pictureUrl: undefined, saysSecondFactor: false }
      const ticket = { id, purpose: 'sign_up', userId: undefined, email, createdAt: 1, payload: { name: 'Bia', flow: 'x' } } as const
      const claim = () =>
        changes.transaction<unknown>(async (tx, announce) =>
          way === 'provider'
            ? resolveIdentity(tx, identity, { announce, now, hasAccount: false })
            : finishSignUp(tx, ticket, { announce, now }),
        )
      const [isHeld, mayGoOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
      const giving = storage.transaction(async (tx) => {
        await tx.updateTable('users').set({ role: 'owner' }).where('id', '=', id).execute()
        isHeld.resolve()
        await mayGoOn.promise
      })
      await isHeld.promise
      const claiming = claim()
      await until(() => isWaiting(db))
      mayGoOn.resolve()
      await giving
      assert.deepEqual(await claiming, way === 'provider' ? { refusal: 'link_with_password', email } : { refusal: 'taken' })
      const { password_hash, role, email_verified_at } = await rowOf()
      assert.deepEqual({ password_hash, role, email_verified_at }, { password_hash: before, role: 'owner', email_verified_at: null })
      assert.deepEqual(await db.selectFrom('identities').selectAll().execute(), [])
    })
})
