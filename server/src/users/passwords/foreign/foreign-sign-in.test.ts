import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { it } from 'node:test'
import { eachDatabase } from '../../../../test/support/databases.ts'
import { startForSuite, type TestService } from '../../../../test/support/service.ts'
import { FIREBASE_HASH, FOREIGN_HASHES } from '../../../../test/support/users/foreign-hashes.ts'
import { newId } from '../../../kit/index.ts'
import { userStore } from '../../store.ts'
import { newUser } from '../../user.ts'
import { passwordStore } from '../password-store.ts'
import { createPasswordHasher } from '../passwords.ts'
import { foreignCostStore } from './foreign-cost-store.ts'
import { readForeignForm } from './foreign-forms.ts'
import { parseForeignHash } from './foreign-hash.ts'

const PASSWORD = 'senha de Ana 1ç'
const PHPASS = '$P$Babcdefgh.xFw/fkCt8DTYfNHlBveV/'

eachDatabase('A user with a hash of another system', (database) => {
  const started = startForSuite(database, { passwords: createPasswordHasher({ cores: 2 }) })

  /** As an import leaves it. */
  async function comeAlong(service: TestService, email: string, form = PHPASS) {
    const { storage } = service.context
    const passwordHash = readForeignForm(form)
    assert.ok(typeof passwordHash === 'string')
    const { cost } = parseForeignHash(passwordHash) ?? assert.fail()
    const user = newUser({ id: newId(), email, name: 'Ana', emailVerifiedAt: Date.now(), createdAt: Date.now(), passwordHash })
    await storage.transaction(async (tx) => {
      await foreignCostStore(tx).add(cost)
      assert.ok(await userStore(tx).insert(user))
    })
    return { ...user, foreign: passwordHash, cost }
  }
  const hashOf = async ({ context }: TestService, id: string) => (await userStore(context.storage.db).findById(id))?.passwordHash
  const signIn = (service: TestService, email: string, password: string) => service.browser().signIn('/login', { email, password })

  it('signs in with the old password, and has a hash of ours from then on', async () => {
    const service = started()
    const ana = await comeAlong(service, 'ana@exemplo.com.br')
    assert.equal((await signIn(service, ana.email, 'wrong')).status, 401)
    assert.equal(await hashOf(service, ana.id), ana.foreign, 'a wrong password replaces nothing')
    assert.equal((await signIn(service, ana.email, PASSWORD)).location?.pathname, '/complete-profile')
    assert.match((await hashOf(service, ana.id)) ?? '', /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    assert.equal((await signIn(service, ana.email, PASSWORD)).location?.pathname, '/complete-profile')
    assert.equal((await signIn(service, ana.email, 'wrong')).status, 401)
  })

  for (const [name, form, password] of [...FOREIGN_HASHES, ['Firebase scrypt', FIREBASE_HASH, 'user1password'] as const]) {
    it(`signs in once with ${name}, and has a hash of ours in its place`, async () => {
      const service = started()
      const user = await comeAlong(service, `${randomUUID()}@exemplo.com.br`, form)
      assert.equal((await signIn(service, user.email, `${password}x`)).status, 401)
      assert.equal(await hashOf(service, user.id), user.foreign)
      assert.equal((await signIn(service, user.email, password)).location?.pathname, '/complete-profile')
      assert.match((await hashOf(service, user.id)) ?? '', /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
      assert.deepEqual(await passwordStore(service.context.storage.db).listForeignCosts(), [])
    })
  }

  it('signs in from several browsers at once', async () => {
    const service = started()
    const bia = await comeAlong(service, 'bia@exemplo.com.br')
    const answers = await Promise.all([1, 2, 3].map(() => signIn(service, bia.email, PASSWORD)))
    assert.deepEqual(
      answers.map(({ location }) => location?.pathname),
      ['/complete-profile', '/complete-profile', '/complete-profile'],
    )
  })

  it('no longer costs a sign-in anything once the last one has signed in', async () => {
    const service = started()
    const { db } = service.context.storage
    const [carla, dora] = [await comeAlong(service, 'carla@exemplo.com.br'), await comeAlong(service, 'dora@exemplo.com.br')]
    await signIn(service, carla.email, PASSWORD)
    assert.deepEqual(await passwordStore(db).listForeignCosts(), [dora.cost])
    await signIn(service, dora.email, PASSWORD)
    assert.deepEqual(await passwordStore(db).listForeignCosts(), [])
  })
})
