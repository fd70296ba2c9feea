import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type Harness, startHarness } from './harness/harness.ts'
import { isKnown, signIn } from './harness/steps.ts'
import { assertAccessible } from './pages/every-page.ts'

describe('The example apps', () => {
  let harness: Harness
  before(async () => {
    harness = await startHarness()
    await harness.service.user('ana@exemplo.com.br')
  })
  after(() => harness.close())

  it('are open to all, light and dark, without a word in the console', async () => {
    const tab = await harness.visitor()
    await tab.goto(harness.livraria)
    await assertAccessible(tab)
    await tab.goto(harness.painel)
    await signIn(tab, 'ana@exemplo.com.br')
    await isKnown(tab, harness.painel, 'Ana Flávia Conceição')
    await assertAccessible(tab)
    assert.deepEqual(harness.complaints, [])
  })

  it('take no token from someone who did not set out from them', async () => {
    const victim = await harness.visitor()
    for (const [app, start, token] of [[harness.painel, '/', 'eg_session'] as const, [harness.livraria, '/login', 'eg_token'] as const]) {
      const stranger = await harness.visitor()
      // The stranger's own way back is stopped at the last step, so that its address is still fresh.
      const held = Promise.withResolvers<string>()
      await stranger.route('**/auth/continue?*', async (route) => {
        const response = await route.fetch({ maxRedirects: 0 })
        const { location = '' } = response.headers()
        // The click that shares leads to the splash first.
        if (location.startsWith('/')) return route.fulfill({ response })
        held.resolve(location)
        await route.fulfill({ status: 204 })
      })
      await stranger.goto(app + start)
      await signIn(stranger, 'ana@exemplo.com.br')
      await stranger.getByRole('link', { name: /^Continuar/ }).click()
      const address = await held.promise
      assert.ok(new URL(address).searchParams.has(token))
      const answer = await victim.goto(address)
      assert.equal(answer?.status(), 400)
      await victim.getByRole('heading', { name: 'This sign-in was not started here' }).waitFor()
      assert.deepEqual(await victim.context().cookies(app), [])
    }
  })
})
