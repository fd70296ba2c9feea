import type { Page } from 'playwright-core'
import type { Texts } from '../../server/src/pages/texts.ts'
import { PASSWORD } from '../../server/test/support/service.ts'
import { carryAxe } from '../harness/axe.ts'
import type { Harness } from '../harness/harness.ts'
import { signIn } from '../harness/steps.ts'
import { accountPages } from './account-pages.ts'
import { movingPages } from './moving-pages.ts'
import { myAccountPages } from './my-account-pages.ts'
import { openIdPages } from './openid-pages.ts'
import { enter, newcomer, type PageFixture } from './page-fixture.ts'
import { passkeyPages } from './passkey-pages.ts'
import { providerPages } from './provider-pages.ts'
import { secondFactorPages } from './second-factor-pages.ts'
import { setupPages } from './setup-pages.ts'

/** Every page of the sign-in, and how a user comes to it. A function that opens a page leaves its tab there, at rest. */
export const pages: Readonly<Record<string, (fixture: PageFixture) => Promise<unknown>>> = {
  login: ({ tab, harness }) => tab.goto(harness.painel),
  'login-error': async ({ tab, harness, labels }) => {
    await tab.goto(harness.painel)
    await signIn(tab, 'ana@exemplo.com.br', { password: 'errada', labels })
    await tab.getByRole('alert').waitFor()
  },
  'too-many-attempts': async ({ tab, harness, labels }) => {
    await exhaustAttempts(harness)
    await tab.goto(harness.painel)
    await signIn(tab, 'exausta@exemplo.com.br', { labels })
    await tab.getByRole('alert').filter({ hasText: labels.login.tooManyAttempts }).waitFor()
  },
  'complete-profile': (fixture) => enter(fixture, { profile: 'missing' }, fixture.labels.profile.title),
  'profile-errors': async (fixture) => {
    const { tab, labels } = fixture
    await enter(fixture, { profile: 'missing', beta: true }, labels.profile.title)
    await tab.getByLabel(labels.profile.taxId).fill('529.982.247-26')
    await tab.getByRole('button', { name: labels.profile.submit }).click()
    await tab.getByRole('alert').waitFor()
  },
  'profile-foreign': async (fixture) => {
    const { tab, labels } = fixture
    await enter(fixture, { profile: 'missing', app: await foreignApp(fixture) }, labels.profile.title)
    await tab.getByText(labels.profile.foreign.summary).click()
    await tab.getByLabel(labels.profile.foreign.number).waitFor()
  },
  'profile-foreign-errors': async (fixture) => {
    const { tab, labels } = fixture
    await enter(fixture, { profile: 'missing', app: await foreignApp(fixture) }, labels.profile.title)
    await tab.getByText(labels.profile.foreign.summary).click()
    await tab.getByLabel(labels.profile.foreign.number).fill('12')
    await tab.getByRole('button', { name: labels.profile.submit }).click()
    await tab.getByRole('alert').waitFor()
  },
  'profile-put-off': async (fixture) => {
    const { harness, labels } = fixture
    await enter(fixture, { profile: 'missing', app: `${harness.service.url}/login` }, labels.profile.title)
    await fixture.tab.getByRole('button', { name: labels.profile.skip }).waitFor()
  },
  nda: (fixture) => enter(fixture, { beta: true }, fixture.labels.nda.title),
  'nda-error': async (fixture) => {
    await enter(fixture, { beta: true }, fixture.labels.nda.title)
    await fixture.tab.getByRole('button', { name: fixture.labels.nda.submit }).click()
    await fixture.tab.getByRole('alert').waitFor()
  },
  welcome: (fixture) => enter(fixture, {}, fixture.labels.welcome.title('Ana')),
  'welcome-sharing': (fixture) =>
    enter(fixture, { app: `${fixture.harness.livraria}/login` }, fixture.labels.welcome.sharingTitle('Ana', 'Livraria Aurora')),
  account: async (fixture) => {
    await enter(fixture, {}, fixture.labels.welcome.title('Ana'))
    await fixture.tab.goto(`${fixture.harness.service.url}/account`)
  },
  'other-user': async (fixture) => {
    const { tab, harness, labels } = fixture
    await enter(fixture, { profile: 'missing' }, labels.profile.title)
    const begun = tab.url()
    await tab.goto(`${harness.service.url}/auth/login?redirect_to=${encodeURIComponent(`${harness.painel}/callback`)}&prompt=login`)
    await signIn(tab, (await newcomer(harness, { name: 'Beatriz Souza' })).email, { labels })
    await tab.getByRole('heading', { name: labels.welcome.title('Beatriz') }).waitFor()
    await tab.goto(begun)
  },
  'signed-out': ({ tab, harness }) => tab.goto(`${harness.service.url}/auth/signout`),
  ...providerPages,
  ...accountPages,
  ...passkeyPages,
  ...setupPages,
  ...movingPages,
  ...secondFactorPages,
  ...myAccountPages,
  ...openIdPages,
  'bad-flow': ({ tab, harness }) => tab.goto(`${harness.service.url}/auth/welcome?flow=gone`),
  error: ({ tab, harness }) => tab.goto(`${harness.service.url}/not-a-page`),
  'refused-start': ({ tab, harness }) =>
    tab.goto(`${harness.service.url}/auth/login?redirect_to=${encodeURIComponent('https://unknown.example/')}`),
}

/** Opens a page in a browser profile of its own. */
export async function openPage(name: string, harness: Harness, language: string, labels: Texts): Promise<Page> {
  const tab = await openTab(harness, language)
  await leadTo(name, { tab, harness, labels })
  return tab
}

/** A tab of somebody new, in which the splash stays until the caller has seen enough of it. */
export async function openTab(harness: Harness, language: string): Promise<Page> {
  const tab = await harness.visitor({ locale: language })
  await carryAxe(tab)
  // 204 leaves a browser where it is.
  await tab.route('**/auth/continue?*', (route) => route.fulfill({ status: 204 }))
  return tab
}

/** Opens a page in a tab, which is at rest then. */
export async function leadTo(name: string, fixture: PageFixture): Promise<void> {
  await pages[name]?.(fixture)
  await fixture.tab.waitForLoadState()
}

/** A way to the sign-in of an app that takes documents of other countries. */
async function foreignApp({ harness: { service } }: PageFixture): Promise<string> {
  const uri = 'http://localhost:7009/callback'
  const known = await service.context.storage.db.selectFrom('products').select('id').where('slug', '=', 'mundo').executeTakeFirst()
  if (!known) await service.product({ slug: 'mundo', name: 'Mundo', uris: [uri], requirements: { foreigners: 'document' } })
  return `${service.url}/auth/login?redirect_to=${encodeURIComponent(uri)}`
}

/** Once for a harness: what is counted is counted for fifteen minutes. */
async function exhaustAttempts({ service }: Harness): Promise<void> {
  const email = 'exausta@exemplo.com.br'
  const browser = service.browser()
  for (let tries = 0; tries < 12; tries += 1) {
    const { status } = await browser.signIn('/login', { email, password: `not ${PASSWORD}` })
    if (status === 429) return
  }
  throw new Error('there is no limit to wrong passwords')
}
