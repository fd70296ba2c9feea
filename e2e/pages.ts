import type { Page } from 'playwright-core'
import type { TicketPurpose } from '../server/src/accounts/ticket.ts'
import type { Texts } from '../server/src/sign-in/texts.ts'
import { mint } from '../server/test/security/tools.ts'
import { PASSWORD } from '../server/test/service.ts'
import type { Stage } from './stage.ts'
import { signIn } from './steps.ts'

/** Whom a page is opened for: a visitor's tab on a stage, who reads `words`, and somebody new for each page that needs a person. */
export interface Scene {
  tab: Page
  stage: Stage
  words: Texts
}

/** Every page of the sign-in: how a person comes to it. What opens a page leaves its tab there, at rest. */
export const pages: Readonly<Record<string, (scene: Scene) => Promise<unknown>>> = {
  login: ({ tab, stage }) => tab.goto(stage.painel),
  'login-error': async ({ tab, stage, words }) => {
    await tab.goto(stage.painel)
    await signIn(tab, 'ana@exemplo.com.br', { password: 'errada', words })
    await tab.getByRole('alert').waitFor()
  },
  'too-many-attempts': async ({ tab, stage, words }) => {
    await exhaustAttempts(stage)
    await tab.goto(stage.painel)
    await signIn(tab, 'exausta@exemplo.com.br', { words })
    await tab.getByRole('alert').filter({ hasText: words.login.tooManyAttempts }).waitFor()
  },
  'complete-profile': (scene) => enter(scene, { profile: 'missing' }, scene.words.profile.title),
  'profile-errors': async (scene) => {
    const { tab, words } = scene
    await enter(scene, { profile: 'missing', beta: true }, words.profile.title)
    await tab.getByLabel(words.profile.taxId).fill('529.982.247-26')
    await tab.getByRole('button', { name: words.profile.submit }).click()
    await tab.getByRole('alert').waitFor()
  },
  nda: (scene) => enter(scene, { beta: true }, scene.words.nda.title),
  'nda-error': async (scene) => {
    await enter(scene, { beta: true }, scene.words.nda.title)
    await scene.tab.getByRole('button', { name: scene.words.nda.submit }).click()
    await scene.tab.getByRole('alert').waitFor()
  },
  welcome: (scene) => enter(scene, {}, scene.words.welcome.title('Ana')),
  'welcome-sharing': (scene) =>
    enter(scene, { app: `${scene.stage.livraria}/login` }, scene.words.welcome.sharingTitle('Ana', 'Livraria Aurora')),
  account: async (scene) => {
    await enter(scene, {}, scene.words.welcome.title('Ana'))
    await scene.tab.goto(`${scene.stage.service.url}/account`)
  },
  'other-person': async (scene) => {
    const { tab, stage, words } = scene
    await enter(scene, { profile: 'missing' }, words.profile.title)
    const begun = tab.url()
    await tab.goto(`${stage.service.url}/auth/login?redirect_to=${encodeURIComponent(`${stage.painel}/callback`)}&prompt=login`)
    await signIn(tab, await newcomer(stage, { name: 'Beatriz Souza' }), { words })
    await tab.getByRole('heading', { name: words.welcome.title('Beatriz') }).waitFor()
    await tab.goto(begun)
  },
  'signed-out': ({ tab, stage }) => tab.goto(`${stage.service.url}/auth/signout`),
  'sign-up': ({ tab, stage }) => tab.goto(`${stage.service.url}/sign-up`),
  'sign-up-errors': async ({ tab, stage, words }) => {
    await tab.goto(`${stage.service.url}/sign-up`)
    await tab.getByRole('button', { name: words.signUp.submit }).click()
    await tab.getByRole('alert').waitFor()
  },
  'check-mail': async ({ tab, stage, words }) => {
    await tab.goto(`${stage.service.url}/sign-up`)
    await tab.getByLabel(words.signUp.name).fill('Bia Souza')
    await tab.getByLabel(words.login.email, { exact: true }).fill(`nova${++newcomers}@exemplo.com.br`)
    await tab.getByLabel(words.login.password, { exact: true }).fill('girassol azul no telhado')
    await tab.getByRole('button', { name: words.signUp.submit }).click()
    await tab.getByRole('heading', { name: words.checkMail.title }).waitFor()
  },
  verify: (scene) => openTicket(scene, 'sign_up', '/verify'),
  recover: ({ tab, stage }) => tab.goto(`${stage.service.url}/recover`),
  'recovery-sent': async ({ tab, stage, words }) => {
    await tab.goto(`${stage.service.url}/recover`)
    await tab.getByLabel(words.login.email, { exact: true }).fill(`nova${++newcomers}@exemplo.com.br`)
    await tab.getByRole('button', { name: words.recover.submit }).click()
    await tab.getByText(words.recoverySent.lead).waitFor()
  },
  'new-password': (scene) => openTicket(scene, 'reset_password', '/reset-password'),
  invitation: (scene) => openTicket(scene, 'invitation', '/invitation'),
  'confirm-email': (scene) => openTicket(scene, 'change_email', '/confirm-email'),
  'not-me': (scene) => openTicket(scene, 'not_me', '/not-me'),
  'ticket-gone': ({ tab, stage }) => tab.goto(`${stage.service.url}/reset-password?ticket=gone`),
  'change-password': async (scene) => {
    await enter(scene, {}, scene.words.welcome.title('Ana'))
    await scene.tab.goto(`${scene.stage.service.url}/account/password`)
  },
  'change-email': async (scene) => {
    await enter(scene, {}, scene.words.welcome.title('Ana'))
    await scene.tab.goto(`${scene.stage.service.url}/account/email`)
  },
  'bad-flow': ({ tab, stage }) => tab.goto(`${stage.service.url}/auth/welcome?flow=gone`),
  error: ({ tab, stage }) => tab.goto(`${stage.service.url}/not-a-page`),
  'refused-start': ({ tab, stage }) =>
    tab.goto(`${stage.service.url}/auth/login?redirect_to=${encodeURIComponent('https://unknown.example/')}`),
}

/** Opens a page in a browser profile of its own. The splash stays until the caller has seen enough of it. */
export async function openPage(name: string, stage: Stage, language: string, words: Texts): Promise<Page> {
  const tab = await stage.visitor({ locale: language })
  // 204 leaves a browser where it is.
  await tab.route('**/auth/continue?*', (route) => route.fulfill({ status: 204 }))
  await pages[name]?.({ tab, stage, words })
  return tab
}

/** Someone new signs in to an app, and arrives at the page with this heading. */
async function enter({ tab, stage, words }: Scene, person: Person & { app?: string }, title: string): Promise<void> {
  const email = await newcomer(stage, person)
  await tab.goto(person.app ?? stage.painel)
  await signIn(tab, email, { words })
  await tab.getByRole('heading', { name: title, exact: true }).waitFor()
}

/** Opens the link of a mail to someone new. */
async function openTicket({ tab, stage }: Scene, purpose: TicketPurpose, path: string): Promise<void> {
  const email = `pessoa${++newcomers}@exemplo.com.br`
  const { id: userId } = await stage.service.user(email)
  const payload = { name: 'Bia Souza', flow: 'gone', passwordHash: 'none' }
  const { secret } = await mint(stage.service, { purpose, userId, email, payload })
  await tab.goto(`${stage.service.url}${path}?ticket=${secret}`)
}

type Person = { name?: string; beta?: boolean; profile?: 'complete' | 'missing' }

let newcomers = 0

async function newcomer({ service }: Stage, person: Person): Promise<string> {
  const { email } = await service.user(`pessoa${++newcomers}@exemplo.com.br`, person)
  return email
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
