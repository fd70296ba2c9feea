import type { Page } from 'playwright-core'
import type { Texts } from '../../server/src/pages/texts.ts'
import { PASSWORD } from '../../server/test/support/service.ts'
import type { Stage } from '../harness/stage.ts'
import { signIn } from '../harness/steps.ts'
import { accountPages } from './account-pages.ts'
import { myAccountPages } from './my-account-pages.ts'
import { passkeyPages } from './passkey-pages.ts'
import { providerPages } from './provider-pages.ts'
import { enter, newcomer, type Scene } from './scene.ts'
import { secondFactorPages } from './second-factor-pages.ts'
import { setupPages } from './setup-pages.ts'

/** Every page of the sign-in: how a person comes to it. What opens a page leaves its tab there, at rest. */
export const pages: Readonly<Record<string, (scene: Scene) => Promise<unknown>>> = {
  login: ({ tab, stage }) => tab.goto(stage.painel),
  'login-error': async ({ tab, stage, labels }) => {
    await tab.goto(stage.painel)
    await signIn(tab, 'ana@exemplo.com.br', { password: 'errada', labels })
    await tab.getByRole('alert').waitFor()
  },
  'too-many-attempts': async ({ tab, stage, labels }) => {
    await exhaustAttempts(stage)
    await tab.goto(stage.painel)
    await signIn(tab, 'exausta@exemplo.com.br', { labels })
    await tab.getByRole('alert').filter({ hasText: labels.login.tooManyAttempts }).waitFor()
  },
  'complete-profile': (scene) => enter(scene, { profile: 'missing' }, scene.labels.profile.title),
  'profile-errors': async (scene) => {
    const { tab, labels } = scene
    await enter(scene, { profile: 'missing', beta: true }, labels.profile.title)
    await tab.getByLabel(labels.profile.taxId).fill('529.982.247-26')
    await tab.getByRole('button', { name: labels.profile.submit }).click()
    await tab.getByRole('alert').waitFor()
  },
  'profile-foreign': async (scene) => {
    const { tab, labels } = scene
    await enter(scene, { profile: 'missing', app: await foreignApp(scene) }, labels.profile.title)
    await tab.getByText(labels.profile.foreign.summary).click()
    await tab.getByLabel(labels.profile.foreign.number).waitFor()
  },
  'profile-foreign-errors': async (scene) => {
    const { tab, labels } = scene
    await enter(scene, { profile: 'missing', app: await foreignApp(scene) }, labels.profile.title)
    await tab.getByText(labels.profile.foreign.summary).click()
    await tab.getByLabel(labels.profile.foreign.number).fill('12')
    await tab.getByRole('button', { name: labels.profile.submit }).click()
    await tab.getByRole('alert').waitFor()
  },
  'profile-put-off': async (scene) => {
    const { stage, labels } = scene
    await enter(scene, { profile: 'missing', app: `${stage.service.url}/login` }, labels.profile.title)
    await scene.tab.getByRole('button', { name: labels.profile.skip }).waitFor()
  },
  nda: (scene) => enter(scene, { beta: true }, scene.labels.nda.title),
  'nda-error': async (scene) => {
    await enter(scene, { beta: true }, scene.labels.nda.title)
    await scene.tab.getByRole('button', { name: scene.labels.nda.submit }).click()
    await scene.tab.getByRole('alert').waitFor()
  },
  welcome: (scene) => enter(scene, {}, scene.labels.welcome.title('Ana')),
  'welcome-sharing': (scene) =>
    enter(scene, { app: `${scene.stage.livraria}/login` }, scene.labels.welcome.sharingTitle('Ana', 'Livraria Aurora')),
  account: async (scene) => {
    await enter(scene, {}, scene.labels.welcome.title('Ana'))
    await scene.tab.goto(`${scene.stage.service.url}/account`)
  },
  'other-person': async (scene) => {
    const { tab, stage, labels } = scene
    await enter(scene, { profile: 'missing' }, labels.profile.title)
    const begun = tab.url()
    await tab.goto(`${stage.service.url}/auth/login?redirect_to=${encodeURIComponent(`${stage.painel}/callback`)}&prompt=login`)
    await signIn(tab, (await newcomer(stage, { name: 'Beatriz Souza' })).email, { labels })
    await tab.getByRole('heading', { name: labels.welcome.title('Beatriz') }).waitFor()
    await tab.goto(begun)
  },
  'signed-out': ({ tab, stage }) => tab.goto(`${stage.service.url}/auth/signout`),
  ...providerPages,
  ...accountPages,
  ...passkeyPages,
  ...setupPages,
  ...secondFactorPages,
  ...myAccountPages,
  'bad-flow': ({ tab, stage }) => tab.goto(`${stage.service.url}/auth/welcome?flow=gone`),
  error: ({ tab, stage }) => tab.goto(`${stage.service.url}/not-a-page`),
  'refused-start': ({ tab, stage }) =>
    tab.goto(`${stage.service.url}/auth/login?redirect_to=${encodeURIComponent('https://unknown.example/')}`),
}

/** Opens a page in a browser profile of its own. */
export async function openPage(name: string, stage: Stage, language: string, labels: Texts): Promise<Page> {
  const tab = await openTab(stage, language)
  await leadTo(name, { tab, stage, labels })
  return tab
}

/** A tab of somebody new, in which the splash stays until the caller has seen enough of it. */
export async function openTab(stage: Stage, language: string): Promise<Page> {
  const tab = await stage.visitor({ locale: language })
  // 204 leaves a browser where it is.
  await tab.route('**/auth/continue?*', (route) => route.fulfill({ status: 204 }))
  return tab
}

/** Opens a page in a tab, which is at rest then. */
export async function leadTo(name: string, scene: Scene): Promise<void> {
  await pages[name]?.(scene)
  await scene.tab.waitForLoadState()
}

/** A way to the sign-in of an app that takes documents of other countries. */
async function foreignApp({ stage: { service } }: Scene): Promise<string> {
  const uri = 'http://localhost:7009/callback'
  const known = await service.context.storage.db.selectFrom('products').select('id').where('slug', '=', 'mundo').executeTakeFirst()
  if (!known) await service.product({ slug: 'mundo', name: 'Mundo', uris: [uri], requirements: { foreigners: 'document' } })
  return `${service.url}/auth/login?redirect_to=${encodeURIComponent(uri)}`
}

/** Once for a stage: what is counted is counted for fifteen minutes. */
async function exhaustAttempts({ service }: Stage): Promise<void> {
  const email = 'exausta@exemplo.com.br'
  const browser = service.browser()
  for (let tries = 0; tries < 12; tries += 1) {
    const { status } = await browser.signIn('/login', { email, password: `not ${PASSWORD}` })
    if (status === 429) return
  }
  throw new Error('there is no limit to wrong passwords')
}
