import { newId } from '../../server/src/kit/index.ts'
import { hiddenFlow } from '../../server/test/support/browser.ts'
import { mint } from '../../server/test/support/routes/raw-requests.ts'
import { beginFlow, enter, newAddress, newcomer, openTicket, press, type Scene, visit } from './scene.ts'

const STRONG = 'girassol azul no telhado'
const WEAK = '12345678'

/** Sign-up, recovery, and one's own password and address: how a person comes to each page, and to what it says when something is wrong. */
export const accountPages: Readonly<Record<string, (scene: Scene) => Promise<unknown>>> = {
  'sign-up': (scene) => visit(scene, '/sign-up'),
  'sign-up-errors': async ({ tab, stage, words }) => {
    await tab.goto(`${stage.service.url}/sign-up`)
    await press(tab, words.signUp.submit, 'alert', words.fixFields)
  },
  'sign-up-too-many': async (scene) => {
    const email = newAddress()
    const user = { name: 'Bia Souza', email, password: STRONG }
    await useUp(scene, '/sign-up', user)
    await fillSignUp(scene, user)
    await press(scene.tab, scene.words.signUp.submit, 'alert', scene.words.tooManyRequests)
  },
  'check-mail': signUp,
  'check-mail-wrong-code': async (scene) => {
    await signUp(scene)
    await scene.tab.getByLabel(scene.words.checkMail.code).fill('000 000')
    await press(scene.tab, scene.words.checkMail.submit, 'alert', scene.words.checkMail.wrongCode)
  },
  'check-mail-code-gone': async (scene) => {
    const { tab, stage, words } = scene
    const flow = await beginFlow(scene, { waiting: { ticketId: newId(), email: newAddress() } })
    await tab.goto(`${stage.service.url}/check-mail?flow=${encodeURIComponent(flow)}`)
    await tab.getByLabel(words.checkMail.code).fill('000 000')
    await press(tab, words.checkMail.submit, 'heading', words.checkMail.codeExpired)
  },
  'verify-here': async (scene) => {
    await openTicket(scene, 'sign_up', '/verify', { payload: { flow: await beginFlow(scene, {}), passwordHash: 'none' } })
    await scene.tab.getByText(scene.words.verify.lead).waitFor()
  },
  verify: async (scene) => {
    await openTicket(scene, 'sign_up', '/verify', { payload: { passwordHash: 'none' } })
    await scene.tab.getByText(scene.words.verify.leadPassword).waitFor()
  },
  'verify-wrong-password': async (scene) => {
    const passwordHash = await scene.stage.service.context.passwords.hash(STRONG)
    await openTicket(scene, 'sign_up', '/verify', { payload: { passwordHash } })
    await scene.tab.getByLabel(scene.words.verify.password, { exact: true }).fill('errada')
    await press(scene.tab, scene.words.verify.submit, 'alert', scene.words.wrongPassword)
  },
  'verify-elsewhere': async (scene) => {
    await openTicket(scene, 'sign_up', '/verify')
    await scene.tab.getByRole('heading', { name: scene.words.verify.elsewhereTitle }).waitFor()
  },
  'verify-too-many': async (scene) => {
    await openTicket(scene, 'sign_up', '/verify', { payload: { passwordHash: 'none' } })
    for (const said of [...Array<string>(5).fill(scene.words.wrongPassword), scene.words.login.tooManyAttempts]) {
      await scene.tab.getByLabel(scene.words.verify.password, { exact: true }).fill('errada')
      await press(scene.tab, scene.words.verify.submit, 'alert', said)
    }
  },
  'verify-gone': (scene) => visit(scene, '/verify?ticket=gone', 400),
  recover: (scene) => visit(scene, '/recover'),
  'recover-error': async ({ tab, stage, words }) => {
    await tab.goto(`${stage.service.url}/recover`)
    await press(tab, words.recover.submit, 'alert', words.emailErrors.required)
  },
  'recover-too-many': async (scene) => {
    const { tab, stage, words } = scene
    const email = newAddress()
    await useUp(scene, '/recover', { email })
    await tab.goto(`${stage.service.url}/recover`)
    await tab.getByLabel(words.login.email, { exact: true }).fill(email)
    await press(tab, words.recover.submit, 'alert', words.tooManyRequests)
  },
  'recovery-sent': async ({ tab, stage, words }) => {
    await tab.goto(`${stage.service.url}/recover`)
    await tab.getByLabel(words.login.email, { exact: true }).fill(newAddress())
    await tab.getByRole('button', { name: words.recover.submit }).click()
    await tab.getByText(words.recoverySent.lead).waitFor()
  },
  'new-password': (scene) => openTicket(scene, 'reset_password', '/reset-password'),
  'new-password-error': async (scene) => {
    const { tab, words } = scene
    await openTicket(scene, 'reset_password', '/reset-password')
    await tab.getByLabel(words.newPassword.label, { exact: true }).fill(WEAK)
    await press(tab, words.newPassword.reset_password.submit, 'alert', words.password.errors.common)
  },
  invitation: (scene) => openTicket(scene, 'invitation', '/invitation'),
  'ticket-gone': (scene) => visit(scene, '/reset-password?ticket=gone', 400),
  'report-sign-in': (scene) => openTicket(scene, 'report_sign_in', '/report-sign-in'),
  'report-sign-in-done': async (scene) => {
    await openTicket(scene, 'report_sign_in', '/report-sign-in')
    await press(scene.tab, scene.words.reportSignIn.submit, 'heading', scene.words.reportSignIn.doneTitle)
  },
  'change-password': (scene) => openOwn(scene, '/account/password'),
  'change-password-weak': async (scene) => {
    await openOwn(scene, '/account/password')
    await choosePassword(scene, WEAK, 'alert', scene.words.password.errors.common)
  },
  'change-password-done': async (scene) => {
    await openOwn(scene, '/account/password')
    await choosePassword(scene, STRONG, 'heading', scene.words.changePassword.other.doneTitle)
  },
  'first-password': async (scene) => {
    const { id } = await enter(scene, {}, scene.words.welcome.title('Ana'))
    await scene.stage.service.context.storage.db.updateTable('users').set({ password_hash: null }).where('id', '=', id).execute()
    await visit(scene, '/account/password')
    await scene.tab.getByRole('heading', { name: scene.words.changePassword.first.title }).waitFor()
  },
  'prove-again': async (scene) => {
    const { id } = await enter(scene, {}, scene.words.welcome.title('Ana'))
    await scene.stage.service.context.storage.db.updateTable('sessions').set({ authenticated_at: null }).where('user_id', '=', id).execute()
    await scene.tab.goto(`${scene.stage.service.url}/account/password`)
    await scene.tab.getByText(scene.words.login.notices.authenticate_again.title('')).waitFor()
  },
  'change-email': (scene) => openOwn(scene, '/account/email'),
  'change-email-sent': changeEmail,
  'change-email-too-many': async (scene) => {
    await changeEmail(scene)
    for (const answer of ['sent', 'sent', 'refused']) {
      await visit(scene, '/account/email')
      await sendEmail(scene, answer === 'sent' ? 'heading' : 'alert')
    }
  },
  'confirm-email-elsewhere': async (scene) => {
    const { tab, stage, words } = scene
    const { id: userId } = await newcomer(stage, {})
    const { secret } = await mint(stage.service, { purpose: 'change_email', userId, email: newAddress() })
    await tab.goto(`${stage.service.url}/confirm-email?ticket=${secret}`)
    await tab.getByText(words.login.notices.confirm_email.title()).waitFor()
  },
  'confirm-email': openConfirmEmail,
  'confirm-email-done': confirmEmail,
}

async function signUp(scene: Scene): Promise<void> {
  await fillSignUp(scene, { name: 'Bia Souza', email: newAddress(), password: STRONG })
  await press(scene.tab, scene.words.signUp.submit, 'heading', scene.words.checkMail.title)
}

async function fillSignUp({ tab, stage, words }: Scene, user: { name: string; email: string; password: string }): Promise<void> {
  await tab.goto(`${stage.service.url}/sign-up`)
  await tab.getByLabel(words.signUp.name).fill(user.name)
  await tab.getByLabel(words.login.email, { exact: true }).fill(user.email)
  await tab.getByLabel(words.login.password, { exact: true }).fill(user.password)
}

/** Posts a form elsewhere until its address gets no more mails in this hour. */
async function useUp({ stage }: Scene, path: string, fields: Record<string, string>): Promise<void> {
  const browser = stage.service.browser()
  const flow = hiddenFlow((await browser.get(path)).text)
  for (let mails = 0; mails < 3; mails += 1) await browser.submit(path, { flow, ...fields })
}

async function openOwn(scene: Scene, path: string): Promise<void> {
  await enter(scene, {}, scene.words.welcome.title('Ana'))
  await visit(scene, path)
}

async function choosePassword({ tab, words }: Scene, password: string, role: 'alert' | 'heading', said: string): Promise<void> {
  await tab.getByLabel(words.newPassword.label, { exact: true }).fill(password)
  await press(tab, words.changePassword.other.submit, role, said)
}

async function changeEmail(scene: Scene): Promise<void> {
  await openOwn(scene, '/account/email')
  await sendEmail(scene, 'heading')
}

async function sendEmail({ tab, words }: Scene, answer: 'heading' | 'alert'): Promise<void> {
  await tab.getByLabel(words.changeEmail.email, { exact: true }).fill(newAddress())
  const said = answer === 'heading' ? words.changeEmail.sentTitle : words.login.tooManyAttempts
  await press(tab, words.changeEmail.submit, answer, said)
}

async function openConfirmEmail(scene: Scene): Promise<void> {
  const owner = await enter(scene, {}, scene.words.welcome.title('Ana'))
  await openTicket(scene, 'change_email', '/confirm-email', { owner })
}

async function confirmEmail(scene: Scene): Promise<void> {
  const { tab, words } = scene
  await openConfirmEmail(scene)
  await press(tab, words.changeEmail.confirm, 'heading', words.changeEmail.doneTitle)
}
