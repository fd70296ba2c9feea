import assert from 'node:assert/strict'
import { after, it } from 'node:test'
import type { KyselyPlugin } from 'kysely'
import { eachDatabase } from '../../test/support/databases.ts'
import { createChangeFeed } from '../changes/index.ts'
import { createSealer, fixedClock } from '../kit/index.ts'
import { migrate, openStorage, parseDatabaseUrl, type Storage } from '../storage/index.ts'
import { apiKeyStore, changeProduct, createProduct, createProductDirectory, revokeApiKey } from './index.ts'

eachDatabase('The memory of products', (database) => {
  const opened: Storage[] = []
  after(() => Promise.all(opened.map((storage) => storage.close())))

  async function begin() {
    const storage = await openStorage(parseDatabaseUrl((await database.fresh()).url) ?? assert.fail())
    opened.push(storage)
    await migrate(storage)
    const deps = {
      changes: createChangeFeed({ storage, clock: fixedClock(Date.now), onFault: assert.ifError }),
      now: Date.now,
      actor: 'test',
    }
    const made = await createProduct(
      {
        slug: 'loja',
        name: 'Loja',
        audience: 'external',
        checkout: 'external',
        handoff: 'eg_token',
        scopes: ['read:email'],
        queryKeyAllowed: true,
        redirectUris: [{ uri: 'https://loja.example/callback', trusted: false }],
      },
      { ...deps, sealer: createSealer([Buffer.alloc(32, 1)]) },
    )
    if ('refusal' in made) assert.fail(JSON.stringify(made))
    const reads = { count: 0, onAnswer: async () => {} }
    const counting: KyselyPlugin = {
      transformQuery({ node }) {
        reads.count++
        return node
      },
      async transformResult({ result }) {
        await reads.onAnswer()
        return result
      },
    }
    const directory = createProductDirectory({
      now: Date.now,
      storage: { ...storage, db: storage.db.withPlugin(counting) },
      changes: deps.changes,
    })
    const [key] = await apiKeyStore(storage.db).listApiKeys(made.product.id)
    const revoke = () => revokeApiKey(made.product, key?.id ?? '', deps)
    return { ...made, directory, reads, deps, revoke }
  }

  it('finds an API key in the database once, and refuses it from the moment it is revoked', async () => {
    const { directory, reads, apiKey, product, revoke } = await begin()
    for (let i = 0; i < 3; i++) assert.equal((await directory.findByApiKey(apiKey))?.id, product.id)
    assert.equal(reads.count, 1)
    assert.equal(await revoke(), 'revoked')
    assert.equal(await directory.findByApiKey(apiKey), undefined)
    assert.equal(directory.rememberedByApiKey(apiKey), undefined)
  })

  it('is never filled by a read that began before the key was revoked', async () => {
    const { directory, reads, apiKey, revoke } = await begin()
    reads.onAnswer = async () => {
      reads.onAnswer = async () => {}
      await revoke()
    }
    await directory.findByApiKey(apiKey)
    assert.equal(await directory.findByApiKey(apiKey), undefined)
  })

  it('asks the database nothing for a key that is none, or of another kind', async () => {
    const { directory, reads, apiKey, product, webhookKey } = await begin()
    for (const key of [undefined, '', 'sk_', `${apiKey}0`, product.publishableKey, webhookKey])
      assert.equal(await directory.findByApiKey(key), undefined)
    assert.equal(reads.count, 0)
  })

  it('knows a redirect URI by its exact bytes, and its origin for as long as it is registered', async () => {
    const { directory, deps } = await begin()
    assert.equal((await directory.findTarget('https://loja.example/callback'))?.product.slug, 'loja')
    for (const uri of [
      'https://loja.example/Callback',
      'https://loja.example/callback/',
      'https://loja.example/callback?',
      'HTTPS://loja.example/callback',
    ]) {
      assert.equal(await directory.findTarget(uri), undefined, uri)
    }
    assert.deepEqual([...(await directory.redirectOrigins())], ['https://loja.example'])
    await changeProduct('loja', { removeUris: ['https://loja.example/callback'] }, deps)
    assert.deepEqual([...(await directory.redirectOrigins())], [])
    assert.equal(await directory.findTarget('https://loja.example/callback'), undefined)
  })
})
