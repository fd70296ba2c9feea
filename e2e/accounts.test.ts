import assert from 'node:assert/strict'
import { after, afterEach, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { addProvider } from '../server/src/identity-providers/index.ts'
import { texts } from '../server/src/pages/texts.ts'
import { commandLine, MASTER_KEY } from '../server/test/support/command-line.ts'
import { codeIn, linkIn, startMailbox } from '../server/test/support/mailbox.ts'
import { PASSWORD, type TestService } from '../server/test/support/service.ts'
import { startProvider, type TestProvider } from '../server/test/support/users/openid-provider.ts'
import { startHarness } from './harness/harness.ts'
import { heading, isKnown, passSplash, signIn } from './harness/steps.ts'

const NEW = 'girassol azul no telhado'
const labels = texts['pt-BR']

// Out here: what closes itself after a hook's test would be closed before the first journey.
const mailbox = await startMailbox()
const harness = await startHarness(undefined, { PORTARIA_SMTP_URL: mailbox.url })
const providers: Record<string, TestProvider> = {}
await connect('Alfa', ['exemplo.com.br'])
await connect('Beta', [])
const portaria = commandLineOf(harness.service)
after(() => harness.close())

describe('An account', () => {
  afterEach(() => assert.deepEqual(harness.complaints.splice(0), []))

  /** Presses a provider's button, and is signed in there as this user without a screen. */
  async function enterBy(tab: Page, name: string, email: string) {
    const provider = providers[name] ?? assert.fail(`no provider ${name}`)
    provider.next = { subject: `${name} ${email}`, email, email_verified: true, name: 'Bia Souza' }
    await tab.getByRole('link', { name: labels.login.signInWith(name) }).click()
  }
  async function completeProfile(tab: Page, taxId: string) {
    await heading(tab, labels.profile.title)
    await tab.waitForLoadState('domcontentloaded')
    await tab.getByLabel(labels.profile.taxId).fill(taxId)
    const phone = tab.getByLabel(labels.profile.phone)
    if (await phone.count()) await phone.fill('11 98765-4321')
    await tab.getByRole('button', { name: labels.profile.submit }).click()
  }

  it('is made from an app: form, code of the mail, profile, and back to the app', async () => {
    const tab = await harness.visitor()
    await tab.goto(harness.painel)
    await tab.getByRole('link', { name: labels.login.signUp }).click()
    await tab.getByLabel(labels.signUp.name).fill('Bia Souza')
    await tab.getByLabel(labels.login.email, { exact: true }).fill('bia@exemplo.com.br')
    await tab.getByLabel(labels.login.password, { exact: true }).fill(NEW)
    await tab.getByRole('button', { name: labels.signUp.submit }).click()
    await heading(tab, labels.checkMail.title)
    await tab.getByLabel(labels.checkMail.code).fill(codeIn(await mailbox.find('bia@exemplo.com.br')))
    await tab.getByRole('button', { name: labels.checkMail.submit }).click()
    await completeProfile(tab, '529.982.247-25')
    await passSplash(tab)
    await isKnown(tab, harness.painel, 'Bia Souza')
  })

  it('gets a new password by the link of a mail, which signs in', async () => {
    await harness.service.user('esquecida@exemplo.com.br')
    const tab = await harness.visitor()
    await tab.goto(harness.painel)
    await tab.getByRole('link', { name: labels.login.forgotten }).click()
    await tab.getByLabel(labels.login.email, { exact: true }).fill('esquecida@exemplo.com.br')
    await tab.getByRole('button', { name: labels.recover.submit }).click()
    const link = linkIn(await mailbox.find('esquecida@exemplo.com.br'), '/reset-password')
    await tab.goto(harness.service.url + link)
    await tab.getByLabel(labels.newPassword.label, { exact: true }).fill(NEW)
    await tab.getByRole('button', { name: labels.newPassword.reset_password.submit }).click()
    await tab.waitForURL(/\/account|\/auth\/welcome/)
    const again = await harness.visitor()
    await again.goto(harness.painel)
    await signIn(again, 'esquecida@exemplo.com.br', { password: NEW })
    await passSplash(again)
    await isKnown(again, harness.painel, 'Ana Flávia Conceição')
  })

  it('is made by a provider the first time, and found by it the second', async () => {
    const tab = await harness.visitor()
    await tab.goto(harness.painel)
    await enterBy(tab, 'Alfa', 'caio@exemplo.com.br')
    await completeProfile(tab, '111.444.777-35')
    await passSplash(tab)
    await isKnown(tab, harness.painel, 'Bia Souza')
    const again = await harness.visitor()
    await again.goto(harness.painel)
    await enterBy(again, 'Alfa', 'caio@exemplo.com.br')
    await passSplash(again)
    await isKnown(again, harness.painel, 'Bia Souza')
  })

  it('that exists is linked to a provider that may vouch for its address', async () => {
    await harness.service.user('dora@exemplo.com.br', { name: 'Dora Lima' })
    const tab = await harness.visitor()
    await tab.goto(harness.painel)
    await enterBy(tab, 'Alfa', 'dora@exemplo.com.br')
    await passSplash(tab)
    await isKnown(tab, harness.painel, 'Dora Lima')
  })

  it('that exists asks for its password once, where the provider may not vouch for its address', async () => {
    await harness.service.user('eva@exemplo.com.br', { name: 'Eva Reis' })
    const tab = await harness.visitor()
    await tab.goto(harness.painel)
    await enterBy(tab, 'Beta', 'eva@exemplo.com.br')
    await tab.getByText(labels.login.notices.link_with_password.title('Beta')).waitFor()
    await signIn(tab, 'eva@exemplo.com.br', { password: PASSWORD })
    await passSplash(tab)
    await isKnown(tab, harness.painel, 'Eva Reis')
    const again = await harness.visitor()
    await again.goto(harness.painel)
    await enterBy(again, 'Beta', 'eva@exemplo.com.br')
    await passSplash(again)
    await isKnown(again, harness.painel, 'Eva Reis')
  })

  it('is made by a provider that may not vouch for the address once the mailbox has verified it', async () => {
    const tab = await harness.visitor()
    await tab.goto(harness.painel)
    await enterBy(tab, 'Beta', 'gil@exemplo.com.br')
    await heading(tab, labels.checkMail.title)
    await tab.getByLabel(labels.checkMail.code).fill(codeIn(await mailbox.find('gil@exemplo.com.br')))
    await tab.getByRole('button', { name: labels.checkMail.submit }).click()
    await completeProfile(tab, '123.456.789-09')
    await passSplash(tab)
    await isKnown(tab, harness.painel, 'Bia Souza')
  })

  it('that somebody else made, whose address nobody has verified, goes to the user whom a provider vouches for', async () => {
    const email = 'fabio@exemplo.com.br'
    const made = await portaria(['user', 'create', '--email', email, '--name', 'Fábio Dias', '--password-stdin'], PASSWORD)
    assert.equal(made.code, 0, made.err)
    const intruder = await harness.visitor()
    await intruder.goto(harness.painel)
    await signIn(intruder, email, { password: PASSWORD })
    await heading(intruder, labels.profile.title)
    const tab = await harness.visitor()
    await tab.goto(harness.painel)
    await enterBy(tab, 'Alfa', email)
    await completeProfile(tab, '390.533.447-05')
    await passSplash(tab)
    await isKnown(tab, harness.painel, 'Fábio Dias')
    await completeProfile(intruder, '168.995.350-09')
    await heading(intruder, labels.badFlow.title)
    await intruder.goto(harness.painel)
    await signIn(intruder, email, { password: PASSWORD })
    await intruder.getByRole('alert').filter({ hasText: labels.login.wrongCredentials }).waitFor()
  })
})

async function connect(name: string, authoritativeFor: string[]) {
  const { service } = harness
  const provider = await startProvider(`${service.url}/auth/callback`)
  const { issuer, clientId, clientSecret } = provider
  const input = { id: name.toLowerCase(), name, issuer, clientId, clientSecret, authoritativeFor, accessTokenAudience: undefined }
  assert.ok(!('refusal' in (await addProvider(input, { ...service.context, actor: 'operator:test' }))))
  providers[name] = provider
}

/** The operator's commands, on the machine of this service. */
function commandLineOf({ config, url }: TestService) {
  const { database } = config
  if (database.dialect !== 'sqlite') throw new Error('the harness of this file is on SQLite')
  return commandLine({ url: `sqlite:${database.file}` }, { PORTARIA_MASTER_KEY: MASTER_KEY, PORTARIA_URL: url })
}
