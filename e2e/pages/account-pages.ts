import { newId } from '../../server/src/kit/index.ts'
import { hiddenFlow } from '../../server/test/support/browser.ts'
import { mint } from '../../server/test/support/routes/raw-requests.ts'
import { beginFlow, enterAtOnce, goTo, newAddress, newcomer, openTicket, type PageFixture, press } from './page-fixture.ts'

const STRONG = 'girassol azul no telhado'
const WEAK = '12345678'

/** Sign-up, recovery, and one's own password and address: how a user comes to each page, and to what it says when something is wrong. */
export const accountPages: Readonly<Record<string, (fixture: PageFixture) => Promise<unknown>>> = {
  'sign-up': (fixture) => goTo(fixture, '/sign-up'),
  'sign-up-errors': async ({ tab, harness, labels }) => {
    await tab.goto(`${harness.service.url}/sign-up`)
    await press(tab, labels.signUp.submit, 'alert', labels.fixFields)
  },
  'sign-up-too-many': async (fixture) => {
    const email = newAddress()
    const user = { name: 'Bia Souza', email, password: STRONG }
    await useUp(fixture, '/sign-up', user)
    await fillSignUp(fixture, user)
    await press(fixture.tab, fixture.labels.signUp.submit, 'alert', fixture.labels.tooManyRequests)
  },
  'check-mail': signUp,
  'check-mail-wrong-code': async (fixture) => {
    await signUp(fixture)
    await fixture.tab.getByLabel(fixture.labels.checkMail.code).fill('000 000')
    await press(fixture.tab, fixture.labels.checkMail.submit, 'alert', fixture.labels.checkMail.wrongCode)
  },
  'check-mail-code-gone': async (fixture) => {
    const { tab, harness, labels } = fixture
    const flow = await beginFlow(fixture, { pendingSignUp: { ticketId: newId(), email: newAddress() } })
    await tab.goto(`${harness.service.url}/check-mail?flow=${encodeURIComponent(flow)}`)
    await tab.getByLabel(labels.checkMail.code).fill('000 000')
    await press(tab, labels.checkMail.submit, 'heading', labels.checkMail.codeExpired)
  },
  'verify-here': async (fixture) => {
    await openTicket(fixture, 'sign_up', '/verify', { payload: { flow: await beginFlow(fixture, {}), passwordHash: 'none' } })
    await fixture.tab.getByText(fixture.labels.verify.lead).waitFor()
  },
  verify: async (fixture) => {
    await openTicket(fixture, 'sign_up', '/verify', { payload: { passwordHash: 'none' } })
    await fixture.tab.getByText(fixture.labels.verify.leadPassword).waitFor()
  },
  'verify-wrong-password': async (fixture) => {
    const passwordHash = await fixture.harness.service.context.passwords.hash(STRONG)
    await openTicket(fixture, 'sign_up', '/verify', { payload: { passwordHash } })
    await fixture.tab.getByLabel(fixture.labels.verify.password, { exact: true }).fill('errada')
    await press(fixture.tab, fixture.labels.verify.submit, 'alert', fixture.labels.wrongPassword)
  },
  'verify-elsewhere': async (fixture) => {
    await openTicket(fixture, 'sign_up', '/verify')
    await fixture.tab.getByRole('heading', { name: fixture.labels.verify.elsewhereTitle }).waitFor()
  },
  'verify-too-many': async (fixture) => {
    await openTicket(fixture, 'sign_up', '/verify', { payload: { passwordHash: 'none' } })
    for (const said of [...Array<string>(5).fill(fixture.labels.wrongPassword), fixture.labels.login.tooManyAttempts]) {
      await fixture.tab.getByLabel(fixture.labels.verify.password, { exact: true }).fill('errada')
      await press(fixture.tab, fixture.labels.verify.submit, 'alert', said)
    }
  },
  'verify-gone': (fixture) => goTo(fixture, '/verify?ticket=gone', 400),
  recover: (fixture) => goTo(fixture, '/recover'),
  'recover-error': async ({ tab, harness, labels }) => {
    await tab.goto(`${harness.service.url}/recover`)
    await press(tab, labels.recover.submit, 'alert', labels.emailErrors.required)
  },
  'recover-too-many': async (fixture) => {
    const { tab, harness, labels } = fixture
    const email = newAddress()
    await useUp(fixture, '/recover', { email })
    await tab.goto(`${harness.service.url}/recover`)
    await tab.getByLabel(labels.login.email, { exact: true }).fill(email)
    await press(tab, labels.recover.submit, 'alert', labels.tooManyRequests)
  },
  'recovery-sent': async ({ tab, harness, labels }) => {
    await tab.goto(`${harness.service.url}/recover`)
    await tab.getByLabel(labels.login.email, { exact: true }).fill(newAddress())
    await tab.getByRole('button', { name: labels.recover.submit }).click()
    await tab.getByText(labels.recoverySent.lead).waitFor()
  },
  'new-password': (fixture) => openTicket(fixture, 'reset_password', '/reset-password'),
  'new-password-error': async (fixture) => {
    const { tab, labels } = fixture
    await openTicket(fixture, 'reset_password', '/reset-password')
    await tab.getByLabel(labels.newPassword.label, { exact: true }).fill(WEAK)
    await press(tab, labels.newPassword.reset_password.submit, 'alert', labels.password.errors.common)
  },
  invitation: (fixture) => openTicket(fixture, 'invitation', '/invitation'),
  'ticket-gone': (fixture) => goTo(fixture, '/reset-password?ticket=gone', 400),
  'report-sign-in': (fixture) => openTicket(fixture, 'report_sign_in', '/report-sign-in'),
  'report-sign-in-done': async (fixture) => {
    await openTicket(fixture, 'report_sign_in', '/report-sign-in')
    await press(fixture.tab, fixture.labels.reportSignIn.submit, 'heading', fixture.labels.reportSignIn.doneTitle)
  },
  'change-password': (fixture) => openOwn(fixture, '/account/password'),
  'change-password-weak': async (fixture) => {
    await openOwn(fixture, '/account/password')
    await choosePassword(fixture, WEAK, 'alert', fixture.labels.password.errors.common)
  },
  'change-password-done': async (fixture) => {
    await openOwn(fixture, '/account/password')
    await choosePassword(fixture, STRONG, 'heading', fixture.labels.changePassword.other.doneTitle)
  },
  'first-password': async (fixture) => {
    const { id } = await enterAtOnce(fixture)
    await fixture.harness.service.context.storage.db.updateTable('users').set({ password_hash: null }).where('id', '=', id).execute()
    await goTo(fixture, '/account/password')
    await fixture.tab.getByRole('heading', { name: fixture.labels.changePassword.first.title }).waitFor()
  },
  reauthenticate: async (fixture) => {
    const { id } = await enterAtOnce(fixture)
    await fixture.harness.service.context.storage.db
      .updateTable('sessions')
      .set({ authenticated_at: null })
      .where('user_id', '=', id)
      .execute()
    await fixture.tab.goto(`${fixture.harness.service.url}/account/password`)
    await fixture.tab.getByText(fixture.labels.login.notices.authenticate_again.title('')).waitFor()
  },
  'change-email': (fixture) => openOwn(fixture, '/account/email'),
  'change-email-sent': changeEmail,
  'change-email-too-many': async (fixture) => {
    await changeEmail(fixture)
    for (const answer of ['sent', 'sent', 'refused']) {
      await goTo(fixture, '/account/email')
      await sendEmail(fixture, answer === 'sent' ? 'heading' : 'alert')
    }
  },
  'confirm-email-elsewhere': async (fixture) => {
    const { tab, harness, labels } = fixture
    const { id: userId } = await newcomer(harness, {})
    const { secret } = await mint(harness.service, { purpose: 'change_email', userId, email: newAddress() })
    await tab.goto(`${harness.service.url}/confirm-email?ticket=${secret}`)
    await tab.getByText(labels.login.notices.confirm_email.title()).waitFor()
  },
  'confirm-email': openConfirmEmail,
  'confirm-email-done': confirmEmail,
}

async function signUp(fixture: PageFixture): Promise<void> {
  await fillSignUp(fixture, { name: 'Bia Souza', email: newAddress(), password: STRONG })
  await press(fixture.tab, fixture.labels.signUp.submit, 'heading', fixture.labels.checkMail.title)
}

async function fillSignUp({ tab, harness, labels }: PageFixture, user: { name: string; email: string; password: string }): Promise<void> {
  await tab.goto(`${harness.service.url}/sign-up`)
  await tab.getByLabel(labels.signUp.name).fill(user.name)
  await tab.getByLabel(labels.login.email, { exact: true }).fill(user.email)
  await tab.getByLabel(labels.login.password, { exact: true }).fill(user.password)
}

/** Posts a form elsewhere until its address gets no more mails in this hour. */
async function useUp({ harness }: PageFixture, path: string, fields: Record<string, string>): Promise<void> {
  const browser = harness.service.browser()
  const flow = hiddenFlow((await browser.get(path)).text)
  for (let mails = 0; mails < 3; mails += 1) await browser.submit(path, { flow, ...fields })
}

async function openOwn(fixture: PageFixture, path: string): Promise<void> {
  await enterAtOnce(fixture)
  await goTo(fixture, path)
}

async function choosePassword({ tab, labels }: PageFixture, password: string, role: 'alert' | 'heading', said: string): Promise<void> {
  await tab.getByLabel(labels.newPassword.label, { exact: true }).fill(password)
  await press(tab, labels.changePassword.other.submit, role, said)
}

async function changeEmail(fixture: PageFixture): Promise<void> {
  await openOwn(fixture, '/account/email')
  await sendEmail(fixture, 'heading')
}

async function sendEmail({ tab, labels }: PageFixture, answer: 'heading' | 'alert'): Promise<void> {
  await tab.getByLabel(labels.changeEmail.email, { exact: true }).fill(newAddress())
  const said = answer === 'heading' ? labels.changeEmail.sentTitle : labels.login.tooManyAttempts
  await press(tab, labels.changeEmail.submit, answer, said)
}

async function openConfirmEmail(fixture: PageFixture): Promise<void> {
  const owner = await enterAtOnce(fixture)
  await openTicket(fixture, 'change_email', '/confirm-email', { owner })
}

async function confirmEmail(fixture: PageFixture): Promise<void> {
  const { tab, labels } = fixture
  await openConfirmEmail(fixture)
  await press(tab, labels.changeEmail.confirm, 'heading', labels.changeEmail.doneTitle)
}
