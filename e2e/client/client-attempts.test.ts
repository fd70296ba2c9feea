import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { type AppName, type Apps, startApps } from '../harness/apps.ts'
import { heading, isKnown, signIn } from '../harness/steps.ts'
import { assertAccessible } from '../pages/every-page.ts'
import { untilConfirmed } from './client-steps.ts'

describe('A sign-in through the client', () => {
  let apps: Apps
  before(async () => {
    apps = await startApps('hono', 'trusted', 'stranger')
    await apps.service.user('ana@exemplo.com.br')
  })
  after(() => apps.close())
  afterEach(() => assert.deepEqual(apps.complaints.splice(0), []))

  async function enter(tab: Page, app: AppName): Promise<void> {
    await tab.goto(apps.urls[app])
    await signIn(tab, 'ana@exemplo.com.br')
    await tab.getByRole('link', { name: /^Continuar/ }).click()
  }
  const sessionsOf = async (tab: Page) =>
    (await tab.context().cookies())
      .filter(({ name }) => name === 'eg_session' || name === '__Host-eg_session')
      .map(({ domain }) => domain)
      .sort()

  it('is no one else’s: an address that somebody made for a victim signs in nobody', async () => {
    const victim = await apps.visitor()
    for (const [app, token] of [['hono', 'eg_token'] as const, ['trusted', 'eg_session'] as const]) {
      const stranger = await apps.visitor()
      // The stranger's own way back is stopped at the last step, so that its address is still fresh.
      const callback = `${app}.example/auth/callback`
      apps.proxy.held.add(callback)
      const left = stranger.waitForResponse((response) => response.url().startsWith(`https://${callback}?`))
      await enter(stranger, app)
      const address = (await left).url()
      apps.proxy.held.delete(callback)
      assert.ok(new URL(address).searchParams.has(token), address)
      // The victim is on a way of their own as well, whose attempt the stranger can't know.
      await victim.goto(apps.urls[app])
      await heading(victim, app === 'hono' ? 'Entrar em Rádio Maré' : 'Entrar em Rádio Vizinha')
      const answer = await victim.goto(address)
      assert.equal(answer?.status(), 400)
      await heading(victim, 'Esta entrada não começou aqui')
      await assertAccessible(victim)
      assert.deepEqual(await sessionsOf(victim), [])
      await stranger.goto(address)
      await isKnown(stranger, apps.urls[app], 'ana@exemplo.com.br')
    }
  })

  it('ends at an app of another domain that is registered as trusted, in a cookie of that host alone', async () => {
    const tab = await apps.visitor()
    await enter(tab, 'trusted')
    await isKnown(tab, apps.urls.trusted, 'ana@exemplo.com.br')
    assert.deepEqual(await sessionsOf(tab), ['.portaria.test', 'trusted.example'])
    await tab.getByRole('link', { name: 'Sign out everywhere' }).click()
    await heading(tab, 'Entrar em Rádio Vizinha')
    assert.deepEqual(await sessionsOf(tab), [])
  })

  it('stops at the second hop where an app of another domain is not registered as trusted, and says why', async () => {
    const tab = await apps.visitor()
    const begunAt = apps.proxy.requests.length
    await enter(tab, 'stranger')
    await heading(tab, 'A entrada voltou sem sessão')
    await tab.getByText('não está registrado para isso').waitFor()
    const logins = apps.proxy.requests.slice(begunAt).filter(({ path }) => path.startsWith('/auth/login?'))
    assert.equal(logins.length, 2)
    assert.deepEqual(await sessionsOf(tab), ['.portaria.test'])
    await assertAccessible(tab)
    // Asking again shows the same page, after the same number of redirects.
    await tab.getByRole('link', { name: 'Entrar de novo' }).click()
    await heading(tab, 'A entrada voltou sem sessão')
    assert.ok(apps.proxy.requests.slice(begunAt).filter(({ path }) => path.startsWith('/auth/login?')).length <= 4)
  })

  it('does not go round in a circle where the browser keeps no session', async () => {
    const tab = await apps.visitor()
    await enter(tab, 'hono')
    await isKnown(tab, apps.urls.hono, 'ana@exemplo.com.br')
    for (let round = 0; round < 3; round++) {
      await tab.context().clearCookies({ domain: 'hono.example', name: '__Host-eg_session' })
      await tab.goto(apps.urls.hono)
    }
    await heading(tab, 'Você entrou, mas este site não reconheceu')
    await tab.getByRole('link', { name: 'Entrar de novo' }).click()
    await isKnown(tab, apps.urls.hono, 'ana@exemplo.com.br')
  })

  it('works once: the way back, gone a second time, says so and keeps whoever is signed in', async () => {
    const tab = await apps.visitor()
    const ways: string[] = []
    tab.on('request', (request) => {
      if (request.url().startsWith(`${apps.urls.hono}/auth/callback?`)) ways.push(request.url())
    })
    await enter(tab, 'hono')
    await isKnown(tab, apps.urls.hono, 'ana@exemplo.com.br')
    const answer = await tab.goto(ways[0] ?? '')
    assert.equal(answer?.status(), 400)
    await tab.goto(apps.urls.hono)
    await isKnown(tab, apps.urls.hono, 'ana@exemplo.com.br')
  })

  it('is not ended by another site: an image does nothing, a link is asked about', async () => {
    const tab = await apps.visitor()
    await enter(tab, 'hono')
    await isKnown(tab, apps.urls.hono, 'ana@exemplo.com.br')
    const leave = `${apps.urls.hono}/auth/sign-out?scope=everywhere`
    const elsewhere = await tab.context().newPage()
    await elsewhere.goto(`${apps.urls.stranger}/bait`)
    const asked = elsewhere.waitForRequest(leave)
    await elsewhere.evaluate(`document.body.innerHTML = '<img src="${leave}" alt=""><a href="${leave}">Win</a>'`)
    await asked
    const came = () => apps.proxy.requests.some(({ host, path }) => host + path === 'hono.example/auth/sign-out?scope=everywhere')
    while (!came()) await elsewhere.waitForTimeout(20)
    await untilConfirmed()
    await tab.reload()
    await isKnown(tab, apps.urls.hono, 'ana@exemplo.com.br')
    await elsewhere.getByRole('link', { name: 'Win' }).click()
    await heading(elsewhere, 'Quer sair?')
    await assertAccessible(elsewhere)
    await tab.reload()
    await isKnown(tab, apps.urls.hono, 'ana@exemplo.com.br')
    await elsewhere.getByRole('button', { name: 'Sair' }).click()
    await heading(elsewhere, 'Entrar em Rádio Maré')
    assert.deepEqual(await sessionsOf(tab), [])
  })
})
