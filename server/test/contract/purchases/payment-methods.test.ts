import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { it } from 'node:test'
import { addApiKey, changeProduct, type PaymentMethod, revokeApiKey } from '../../../src/products/index.ts'
import { oneDatabase } from '../../support/databases.ts'
import { startForSuite } from '../../support/service.ts'

oneDatabase('GET /api/products/{id}/payment-methods', (database) => {
  const started = startForSuite(database)
  const ask = async (id: string, apiKey?: string, query = '') => {
    const headers = apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }
    const answer = await fetch(`${started().url}/api/products/${id}/payment-methods${query}`, { headers })
    return { status: answer.status, body: await answer.json(), headers: answer.headers }
  }
  const answerOf = async (...asked: Parameters<typeof ask>) => {
    const { status, body } = await ask(...asked)
    return { status, body }
  }
  const operator = () => ({ ...started().context, actor: 'operator:test' })

  it("answers the matrix of the key's own product, method by method, as the operator has set it", async () => {
    const { product, apiKey } = await started().product({ slug: 'matriz' })
    const first = await ask(product.id, apiKey)
    assert.deepEqual([first.status, first.body], [200, []])
    assert.equal(first.headers.get('content-type'), 'application/json; charset=utf-8')
    assert.equal(first.headers.get('cache-control'), 'no-store')
    const matrix: PaymentMethod[] = [
      { method: 'pix', gateway: 'asaas' },
      { method: 'boleto', gateway: 'mercadopago' },
      { method: 'card', gateway: 'stripe' },
    ]
    await changeProduct('matriz', { paymentMethods: matrix.toReversed() }, operator())
    const { body } = await ask(product.id, apiKey)
    assert.deepEqual(sorted(body), sorted(matrix))
    assert.deepEqual(sorted((await ask(product.id.toUpperCase(), apiKey)).body), sorted(matrix))
  })

  it('answers 401 invalid_api_key without a live API key in the header', async () => {
    const { product, apiKey } = await started().product({ slug: 'sem-chave' })
    const refused = { status: 401, body: { error: 'invalid_api_key' } }
    const added = await addApiKey(product, operator())
    assert.equal((await ask(product.id, added.apiKey)).status, 200)
    await revokeApiKey(product, added.id, operator())
    for (const key of [undefined, '', 'x', product.publishableKey, added.apiKey, `${apiKey}x`])
      assert.deepEqual(await answerOf(product.id, key), refused)
    assert.deepEqual(await answerOf(product.id, undefined, `?api_key=${apiKey}`), refused)
    assert.deepEqual(await answerOf(randomUUID()), refused, 'the key is looked at first')
  })

  it("answers 404 to another product's id, to what is none, and where the checkout is external", async () => {
    const [own, other] = [await started().product({ slug: 'minha' }), await started().product({ slug: 'outra' })]
    const missing = { status: 404, body: { error: 'Recurso nao encontrado' } }
    for (const id of [other.product.id, randomUUID(), 'minha', '%00', 'x'.repeat(200), '..%2f..'])
      assert.deepEqual(await answerOf(id, own.apiKey), missing, id)
    const outside = await started().product({ slug: 'fora', audience: 'external', checkout: 'external' })
    assert.deepEqual(await answerOf(outside.product.id, outside.apiKey), missing)
    assert.equal((await ask(own.product.id, own.apiKey)).status, 200)
  })

  it('answers other methods with 405', async () => {
    const { product, apiKey } = await started().product({ slug: 'outros-verbos' })
    const answer = await fetch(`${started().url}/api/products/${product.id}/payment-methods`, {
      method: 'POST',
      headers: { authorization: `Bearer ${apiKey}` },
    })
    assert.deepEqual([answer.status, await answer.json()], [405, { error: 'Metodo nao permitido' }])
  })
})

const sorted = (matrix: unknown) => (Array.isArray(matrix) ? matrix : []).map((row) => JSON.stringify(row)).sort()

oneDatabase('GET /api/products/self', (database) => {
  const started = startForSuite(database)
  const ask = async (apiKey?: string) => {
    const headers = apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }
    const answer = await fetch(`${started().url}/api/products/self`, { headers })
    return { status: answer.status, cache: answer.headers.get('cache-control'), body: (await answer.json()) as Record<string, unknown> }
  }

  it('shows the product of the key what is registered of it, and nothing secret', async () => {
    const uris = ['http://localhost:4801/auth/callback']
    const { product, apiKey } = await started().product({ slug: 'eu', name: 'Eu Mesma', uris, trusted: ['https://longe.example/cb'] })
    await started().product({ slug: 'alheia', uris: ['http://localhost:4802/auth/callback'] })
    const { status, cache, body } = await ask(apiKey)
    assert.deepEqual([status, cache], [200, 'no-store'])
    const { id, publishableKey: publishable_key } = product
    assert.deepEqual(
      { ...body, redirect_uris: undefined },
      {
        ...{ id, slug: 'eu', name: 'Eu Mesma', audience: 'internal', checkout: 'integrated' },
        ...{
          scopes: ['read:email', 'read:profile'],
          publishable_key,
          redirect_uris: undefined,
          openid_kind: null,
          backchannel_logout_uri: null,
        },
      },
    )
    const registered = [
      { uri: uris[0], trusted: false },
      { uri: 'https://longe.example/cb', trusted: true },
    ]
    assert.deepEqual(
      new Set((body.redirect_uris as unknown[]).map((one) => JSON.stringify(one))),
      new Set(registered.map((one) => JSON.stringify(one))),
    )
  })

  it('answers 401 invalid_api_key without a live API key', async () => {
    const { product, apiKey } = await started().product({ slug: 'calada' })
    for (const key of [undefined, product.publishableKey, `${apiKey}x`]) {
      const { status, body } = await ask(key)
      assert.deepEqual([status, body], [401, { error: 'invalid_api_key' }])
    }
  })

  it('sees an address become a trusted one, and none of another product', async () => {
    const uri = 'https://depois.example/cb'
    const { apiKey } = await started().product({ slug: 'depois', uris: [uri] })
    const other = await started().product({ slug: 'depois-outra' })
    const operator = { ...started().context, actor: 'operator:test' }
    assert.deepEqual(await changeProduct('depois-outra', { addUris: [{ uri, trusted: true }] }, operator), { refusal: 'uri_taken', uri })
    await changeProduct('depois', { addUris: [{ uri, trusted: true }] }, operator)
    assert.deepEqual((await ask(apiKey)).body.redirect_uris, [{ uri, trusted: true }])
    assert.deepEqual((await ask(other.apiKey)).body.redirect_uris, [])
  })
})
