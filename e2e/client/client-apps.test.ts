import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { completed, notify } from '../../server/test/support/gateways/purchases.ts'
import { until } from '../../server/test/support/until.ts'
import { type Apps, startApps } from '../harness/apps.ts'
import { heading, isKnown, passSplash, signIn } from '../harness/steps.ts'
import { assertAccessible, assertFitsPhone } from '../pages/every-page.ts'
import { historyOf, joinClub, joinRadio, NAME, untilConfirmed } from './client-steps.ts'

const TOKEN = /eg_session=|eg_token=|\beyJ/

describe('Three apps of different makers, each on a host of its own', () => {
  let apps: Apps
  let users = 0
  before(async () => {
    apps = await startApps('next', 'express', 'hono')
  })
  after(() => apps.close())
  afterEach(() => assert.deepEqual(apps.complaints.splice(0), []))

  /** Somebody new who is signed in to all three. */
  async function enterAll(): Promise<{ tab: Page; email: string }> {
    const email = `pessoa${++users}@exemplo.com.br`
    await apps.service.user(email)
    const tab = await apps.visitor()
    await joinClub(tab, apps, email)
    await joinRadio(tab, apps, email)
    await tab.goto(apps.urls.next)
    await isKnown(tab, apps.urls.next, email)
    return { tab, email }
  }
  const isOutOfNext = async (tab: Page) => {
    await tab.goto(apps.urls.next)
    await tab.getByText('An app of the family').waitFor()
    assert.equal(await tab.getByRole('definition').count(), 0)
  }
  /** Others ask Portaria again, but answer what they knew while it takes long: as often as somebody would, the page is opened again. */
  const isOut = (tab: Page, app: string, sign: Locator) =>
    until(async () => {
      await tab.goto(app)
      return (await sign.count()) === 1
    })
  const isOutOfClub = (tab: Page) => isOut(tab, apps.urls.express, tab.getByText('A book a month'))
  const isOutOfRadio = (tab: Page) => isOut(tab, apps.urls.hono, tab.getByRole('heading', { name: 'Entrar em Rádio Maré', exact: true }))

  it('open with one sign-in: the family’s own without any redirect, those of others after one question each', async () => {
    const { service, urls, proxy } = apps
    const email = 'ana@exemplo.com.br'
    const { id } = await service.user(email)
    const company = { company_name: 'Aurora Ltda', rank_name: 'Ouro' }
    await service.context.storage.db.updateTable('users_company').set(company).where('user_id', '=', id).execute()
    await notify(`http://localhost:${service.config.port}`, completed({ email, plan: 'easy-pro' }))
    const tab = await apps.visitor()
    await joinClub(tab, apps, email)
    await joinRadio(tab, apps, email)
    await isKnown(tab, urls.hono, NAME)

    const before = proxy.requests.length
    const answer = await tab.goto(urls.next)
    assert.equal(answer?.status(), 200)
    for (const fact of [NAME, email, 'easy-pro', 'Aurora Ltda', 'Ouro', 'no']) await isKnown(tab, urls.next, fact)
    await tab.getByRole('banner').getByText(NAME).waitFor()
    const asked = proxy.requests.slice(before).filter(({ host }) => host === 'sso.portaria.test')
    // The app's server, which asks once whether the session is good, and once for the keys; the browser nothing.
    assert.deepEqual(asked.map(({ path }) => path).sort(), ['/.well-known/jwks.json', '/auth/check'])
  })

  it('keep their cookies where they belong, and no token anywhere else', async () => {
    const { proxy, urls } = apps
    const begunAt = proxy.requests.length
    const { tab } = await enterAll()
    await tab.getByRole('link', { name: 'My notes' }).click()
    await tab.getByText(`Nothing written yet, ${NAME}.`).waitFor()

    const cookies = await tab.context().cookies()
    const sessions = cookies.filter(({ name }) => name.endsWith('eg_session'))
    // A dot is how a browser writes down that the hosts below get it as well; the others can be set by no other host.
    assert.deepEqual(sessions.map(({ name, domain }) => `${name} ${domain}`).sort(), [
      '__Host-eg_session hono.example',
      '__Host-eg_session livraria.example',
      'eg_session .portaria.test',
    ])
    for (const { httpOnly, secure, sameSite, path } of sessions)
      assert.deepEqual({ httpOnly, secure, sameSite, path }, { httpOnly: true, secure: true, sameSite: 'Lax', path: '/' })
    assert.equal(new Set(sessions.map(({ value }) => value)).size, 3)
    // Besides the sessions one cookie is left, for some seconds: it counts arrivals.
    for (const { name, domain, httpOnly } of cookies)
      if (!name.endsWith('eg_session') && !domain.endsWith('portaria.test'))
        assert.deepEqual({ name, httpOnly }, { name: '__Host-portaria_arrived', httpOnly: true })
    assert.equal(await tab.evaluate<string>('document.cookie + JSON.stringify({ ...localStorage, ...sessionStorage })'), '{}')

    for (const address of await historyOf(tab)) assert.doesNotMatch(address, TOKEN)
    const requests = proxy.requests.slice(begunAt)
    const carriers = requests.filter(({ path }) => TOKEN.test(path))
    assert.deepEqual(carriers.map(({ host, path }) => host + path.split('?')[0]).sort(), [
      'hono.example/auth/callback',
      'livraria.example/auth/callback',
    ])
    assert.ok(requests.some(({ referer }) => referer.startsWith(urls.next)))
    for (const { referer } of requests) assert.doesNotMatch(referer, TOKEN)
    assert.doesNotMatch(await tab.content(), TOKEN)
  })

  it('take the cookie of the domain for what it is: signing in at the family’s own app sets none on its host', async () => {
    await apps.service.user('bia@exemplo.com.br', { name: 'Beatriz Souza' })
    const tab = await apps.visitor()
    await tab.goto(`${apps.urls.next}/notes`)
    await heading(tab, 'Entrar em Caderno')
    await signIn(tab, 'bia@exemplo.com.br')
    await passSplash(tab)
    await tab.getByText('Nothing written yet, Beatriz Souza.').waitFor()
    assert.equal(tab.url(), `${apps.urls.next}/notes`)
    const cookies = await tab.context().cookies()
    assert.deepEqual(
      cookies.filter(({ name }) => name === 'eg_session').map(({ domain }) => domain),
      ['.portaria.test'],
    )
    for (const address of await historyOf(tab)) assert.doesNotMatch(address, TOKEN)
  })

  it('N2: lead to the sign-in page when somebody who has just signed in at one signs out elsewhere, not to an error', async () => {
    await apps.service.user('nina@exemplo.com.br', { name: 'Nina Simões' })
    const tab = await apps.visitor()
    await tab.goto(`${apps.urls.next}/notes`)
    await signIn(tab, 'nina@exemplo.com.br')
    await passSplash(tab)
    await tab.getByText('Nothing written yet, Nina Simões.').waitFor()
    await tab.goto(apps.service.url)
    await tab.getByRole('link', { name: 'Sair' }).click()
    await heading(tab, 'Você saiu')
    await tab.goto(`${apps.urls.next}/notes`)
    await heading(tab, 'Entrar em Caderno')
  })

  it('are all left with one sign-out everywhere, from an app of the family or of another', async () => {
    for (const from of ['next', 'express', 'hono'] as const) {
      const { tab } = await enterAll()
      await tab.goto(apps.urls[from])
      if (from === 'express') await tab.getByRole('button', { name: 'Sign out everywhere' }).click()
      else await tab.getByRole('link', { name: /^Sign out/ }).click()
      if (from === 'next') await tab.getByText('An app of the family').waitFor()
      if (from === 'express') await tab.getByText('A book a month').waitFor()
      if (from === 'hono') await heading(tab, 'Entrar em Rádio Maré')
      await untilConfirmed()
      await isOutOfNext(tab)
      await isOutOfClub(tab)
      await isOutOfRadio(tab)
      await tab.context().close()
    }
  })

  it('are left one at a time by those of others: the rest stays, and what was left is dead', async () => {
    const { urls } = apps
    const { tab, email } = await enterAll()
    await tab.goto(urls.express)
    const kept = (await tab.context().cookies(urls.express)).filter(({ name }) => name === '__Host-eg_session')
    assert.equal(kept.length, 1)
    await tab.getByRole('button', { name: 'Sign out of the club' }).click()
    await tab.getByText('A book a month').waitFor()
    await untilConfirmed()
    for (const app of [urls.hono, urls.next]) {
      await tab.goto(app)
      await isKnown(tab, app, email)
    }
    await tab.context().addCookies(kept.map(({ name, value }) => ({ name, value, url: urls.express })))
    assert.equal((await tab.context().cookies(urls.express)).filter(({ name }) => name === '__Host-eg_session').length, 1)
    await isOutOfClub(tab)

    await tab.getByRole('link', { name: 'Sign in with Portaria' }).click()
    await isKnown(tab, urls.express, email)
  })

  it('show nobody as somebody else for a cookie that another host of the domain has put beside theirs', async () => {
    const { urls } = apps
    const { tab, email } = await enterAll()
    const { tab: other, email: strange } = await enterAll()
    const [planted] = (await other.context().cookies(urls.next)).filter(({ name }) => name === 'eg_session')
    assert.ok(planted)
    const toss = (value: string) => tab.context().addCookies([{ name: 'eg_session', value, url: urls.next }])
    await toss('junk')
    await tab.goto(urls.next)
    await isKnown(tab, urls.next, email)

    await toss(planted.value)
    await isOutOfNext(tab)
    await tab.getByRole('link', { name: 'Sign in with Portaria' }).click()
    await isKnown(tab, urls.next, email)
    assert.equal(await tab.getByText(strange).count(), 0)
  })

  it('notify all tabs of a sign-out in one, without a reload', async () => {
    const { tab: first } = await enterAll()
    const second = await first.context().newPage()
    await second.goto(apps.urls.next)
    await second.getByRole('definition').filter({ hasText: NAME }).waitFor()
    await second.evaluate('window.isSamePage = true')
    await first.bringToFront()
    await first.getByRole('link', { name: 'Sign out' }).click()
    await first.getByText('An app of the family').waitFor()

    await second.getByText('An app of the family').waitFor()
    assert.equal(await second.getByText(NAME).count(), 0)
    assert.equal(await second.evaluate('window.isSamePage'), true)
  })

  it('see a sign-out elsewhere when the window is looked at again', async () => {
    const { tab: first } = await enterAll()
    const second = await first.context().newPage()
    await second.goto(apps.service.url)
    await second.getByRole('link', { name: 'Sair' }).click()
    await heading(second, 'Você saiu')
    await first.bringToFront()
    await first.evaluate(`window.dispatchEvent(new Event('focus'))`)
    await first.getByText('An app of the family').waitFor()
  })

  it('work without JavaScript', async () => {
    const email = 'caio@exemplo.com.br'
    await apps.service.user(email, { name: 'Caio Lima' })
    const tab = await apps.visitor({ javaScriptEnabled: false })
    await tab.goto(apps.urls.next)
    await tab.getByRole('link', { name: 'Sign in with Portaria' }).click()
    await signIn(tab, email)
    await passSplash(tab)
    await isKnown(tab, apps.urls.next, 'Caio Lima')
    await joinRadio(tab, apps, email)
    await tab.goto(apps.urls.next)
    await tab.getByRole('link', { name: 'Sign out' }).click()
    await tab.getByText('An app of the family').waitFor()
  })

  it('sign in two tabs at once, each to its own app and page, whichever is finished first', async () => {
    const { urls, service } = apps
    const email = 'dora@exemplo.com.br'
    await service.user(email)
    const first = await apps.visitor()
    const [second, third] = [await first.context().newPage(), await first.context().newPage()]
    await first.goto(`${urls.express}/checkout?month=1`)
    await heading(first, 'Entrar em Clube do Livro')
    await second.goto(`${urls.express}/checkout?month=2`)
    await heading(second, 'Entrar em Clube do Livro')
    await third.goto(`${urls.next}/notes`)
    await heading(third, 'Entrar em Caderno')

    await signIn(third, email)
    await passSplash(third)
    await heading(third, 'My notes')
    await signIn(second, email)
    await second.getByRole('link', { name: 'Continuar para Clube do Livro' }).click()
    await heading(second, 'Join the club')
    await signIn(first, email)
    await passSplash(first)
    await heading(first, 'Join the club')
    assert.deepEqual(
      [first, second, third].map((tab) => tab.url()),
      [`${urls.express}/checkout?month=1`, `${urls.express}/checkout?month=2`, `${urls.next}/notes`],
    )
  })

  it('are open to all, light and dark, and fit a phone', async () => {
    const { urls } = apps
    const stranger = await apps.visitor()
    for (const app of [urls.next, urls.express]) {
      await stranger.goto(app)
      await assertAccessible(stranger)
      await assertFitsPhone(stranger)
    }
    const { tab } = await enterAll()
    for (const page of [urls.next, `${urls.next}/notes`, urls.express, `${urls.express}/checkout`, urls.hono]) {
      await tab.goto(page)
      await assertAccessible(tab)
      await assertFitsPhone(tab)
    }
  })
})
