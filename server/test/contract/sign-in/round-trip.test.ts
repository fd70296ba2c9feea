import assert from 'node:assert/strict'
import { it } from 'node:test'
import { oneDatabase } from '../../support/databases.ts'
import { PASSWORD, startService } from '../../support/service.ts'
import { goOn } from '../../support/users/sign-in-steps.ts'

oneDatabase('A sign-in by form', (database) => {
  it('brings a session to an internal and to an external app, and ends in both when the user signs out', async () => {
    const service = await startService(await database.fresh())
    const ana = await service.user('ana@exemplo.com.br')
    await service.product({ slug: 'painel', uris: ['http://localhost:4001/callback'] })
    const loja = await service.product({
      slug: 'loja',
      audience: 'external',
      checkout: 'external',
      uris: ['http://127.0.0.1:4002/callback'],
    })
    const browser = service.browser()

    const internal = await browser.follow(
      await browser.signIn(`/auth/login?redirect_to=${encodeURIComponent('http://localhost:4001/callback')}&state=a1`, {
        email: ana.email,
        password: PASSWORD,
      }),
    )
    const token = internal.location?.searchParams.get('eg_session') ?? ''
    assert.equal(internal.location?.searchParams.get('state'), 'a1')
    const check = await fetch(`${service.url}/auth/check`, { headers: { cookie: `eg_session=${token}` } })
    assert.deepEqual(await check.json(), {
      authenticated: true,
      session: { sub: ana.id, email: ana.email, name: 'Ana Flávia Conceição', is_producer: false, is_beta: false, plan_slug: null },
    })

    const target = encodeURIComponent('http://127.0.0.1:4002/callback')
    const external = await goOn(
      browser,
      await browser.get(`/auth/login?redirect_to=${target}&api_key=${loja.product.publishableKey}&state=b2`),
    )
    const handoff = external.location?.searchParams.get('eg_token')
    const exchange = () =>
      fetch(`${service.url}/auth/verify`, {
        method: 'POST',
        headers: { authorization: `Bearer ${loja.apiKey}`, 'content-type': 'application/json' },
        body: JSON.stringify({ token: handoff }),
      })
    const verified = await exchange()
    assert.equal(verified.status, 200)
    const { user, eg_session } = (await verified.json()) as { user: { sub: string }; eg_session: string }
    assert.equal(user.sub, ana.id)
    assert.equal((await exchange()).status, 401)
    const asLoja = { cookie: `eg_session=${eg_session}`, authorization: `Bearer ${loja.apiKey}` }
    const checkExternal = async () =>
      (await (await fetch(`${service.url}/auth/check`, { headers: asLoja })).json()) as { authenticated: boolean }
    assert.equal((await checkExternal()).authenticated, true)

    await browser.get('/auth/signout')
    assert.deepEqual(await checkExternal(), { authenticated: false, reason: 'invalid_session' })
  })
})
