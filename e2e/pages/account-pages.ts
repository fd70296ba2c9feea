import { newId } from '../../server/src/kit/index.ts'
import { hiddenFlow } from '../../server/test/support/browser.ts'
import { mint } from '../../server/test/support/routes/raw-requests.ts'
import { beginFlow, enterAtOnce, newAddress, newcomer, openTicket, press, type Scene, visit } from './scene.ts'

const STRONG = 'girassol azul no telhado'
const WEAK = '12345678'

/** Sign-up, recovery, and one's own password and address: how a person comes to each page, and to what it says when something is wrong. */
export const accountPages: Readonly<Record<string, (scene: Scene) => Promise<unknown>>> = {
  'sign-up': (scene) => visit(scene, '/sign-up'),
  'sign-up-errors': async ({ tab, stage, labels }) => {
    await tab.goto(`${stage.service.url}/sign-up`)
    await press(tab, labels.signUp.submit, 'alert', labels.fixFields)
  },
  'sign-up-too-many': async (scene) => {
    const email = newAddress()
    const user = { name: 'Bia Souza', email, password: STRONG }
    await useUp(scene, '/sign-up', user)
    await fillSignUp(scene, user)
    await press(scene.tab, scene.labels.signUp.submit, 'alert', scene.labels.tooManyRequests)
  },
  'check-mail': signUp,
  'check-mail-wrong-code': async (scene) => {
    await signUp(scene)
    await scene.tab.getByLabel(scene.labels.checkMail.code).fill('000 000')
    await press(scene.tab, scene.labels.checkMail.submit, 'alert', scene.labels.checkMail.wrongCode)
  },
  'check-mail-code-gone': async (scene) => {
    const { tab, stage, labels } = scene
    const flow = await beginFlow(scene, { waiting: { ticketId: newId(), email: newAddress() } })
    await tab.goto(`${stage.service.url}/check-mail?flow=${encodeURIComponent(flow)}`)
    await tab.getByLabel(labels.checkMail.code).fill('000 000')
    await press(tab, labels.checkMail.submit, 'heading', labels.checkMail.codeExpired)
  },
  'verify-here': async (scene) => {
    await openTicket(scene, 'sign_up', '/verify', { payload: { flow: await beginFlow(scene, {}), passwordHash: 'none' } })
    await scene.tab.getByText(scene.labels.verify.lead).waitFor()
  },
  verify: async (scene) => {
    await openTicket(scene, 'sign_up', '/verify', { payload: { passwordHash: 'none' } })
    await scene.tab.getByText(scene.labels.verify.leadPassword).waitFor()
  },
  'verify-wrong-password': async (scene) => {
    const passwordHash = await scene.stage.service.context.passwords.hash(STRONG)
    await openTicket(scene, 'sign_up', '/verify', { payload: { passwordHash } })
    await scene.tab.getByLabel(scene.labels.verify.password, { exact: true }).fill('errada')
    await press(scene.tab, scene.labels.verify.submit, 'alert', scene.labels.wrongPassword)
  },
  'verify-elsewhere': async (scene) => {
    await openTicket(scene, 'sign_up', '/verify')
    await scene.tab.getByRole('heading', { name: scene.labels.verify.elsewhereTitle }).waitFor()
  },
  'verify-too-many': async (scene) => {
    await openTicket(scene, 'sign_up', '/verify', { payload: { passwordHash: 'none' } })
    for (const said of [...Array<string>(5).fill(scene.labels.wrongPassword), scene.labels.login.tooManyAttempts]) {
      await scene.tab.getByLabel(scene.labels.verify.password, { exact: true }).fill('errada')
      await press(scene.tab, scene.labels.verify.submit, 'alert', said)
    }
  },
  'verify-gone': (scene) => visit(scene, '/verify?ticket=gone', 400),
  recover: (scene) => visit(scene, '/recover'),
  'recover-error': async ({ tab, stage, labels }) => {
    await tab.goto(`${stage.service.url}/recover`)
    await press(tab, labels.recover.submit, 'alert', labels.emailErrors.required)
  },
  'recover-too-many': async (scene) => {
    const { tab, stage, labels } = scene
    const email = newAddress()
    await useUp(scene, '/recover', { email })
    await tab.goto(`${stage.service.url}/recover`)
    await tab.getByLabel(labels.login.email, { exact: true }).fill(email)
    await press(tab, labels.recover.submit, 'alert', labels.tooManyRequests)
  },
  'recovery-sent': async ({ tab, stage, labels }) => {
    await tab.goto(`${stage.service.url}/recover`)
    await tab.getByLabel(labels.login.email, { exact: true }).fill(newAddress())
    await tab.getByRole('button', { name: labels.recover.submit }).click()
    await tab.getByText(labels.recoverySent.lead).waitFor()
  },
  'new-password': (scene) => openTicket(scene, 'reset_password', '/reset-password'),
  'new-password-error': async (scene) => {
    const { tab, labels } = scene
    await openTicket(scene, 'reset_password', '/reset-password')
    await tab.getByLabel(labels.newPassword.label, { exact: true }).fill(WEAK)
    await press(tab, labels.newPassword.reset_password.submit, 'alert', labels.password.errors.common)
  },
  invitation: (scene) => openTicket(scene, 'invitation', '/invitation'),
  'ticket-gone': (scene) => visit(scene, '/reset-password?ticket=gone', 400),
  'report-sign-in': (scene) => openTicket(scene, 'report_sign_in', '/report-sign-in'),
  'report-sign-in-done': async (scene) => {
    await openTicket(scene, 'report_sign_in', '/report-sign-in')
    await press(scene.tab, scene.labels.reportSignIn.submit, 'heading', scene.labels.reportSignIn.doneTitle)
  },
  'change-password': (scene) => openOwn(scene, '/account/password'),
  'change-password-weak': async (scene) => {
    await openOwn(scene, '/account/password')
    await choosePassword(scene, WEAK, 'alert', scene.labels.password.errors.common)
  },
  'change-password-done': async (scene) => {
    await openOwn(scene, '/account/password')
    await choosePassword(scene, STRONG, 'heading', scene.labels.changePassword.other.doneTitle)
  },
  'first-password': async (scene) => {
    const { id } = await enterAtOnce(scene)
    await scene.stage.service.context.storage.db.updateTable('users').set({ password_hash: null }).where('id', '=', id).execute()
    await visit(scene, '/account/password')
    await scene.tab.getByRole('heading', { name: scene.labels.changePassword.first.title }).waitFor()
  },
  reauthenticate: async (scene) => {
    const { id } = await enterAtOnce(scene)
    await scene.stage.service.context.storage.db.updateTable('sessions').set({ authenticated_at: null }).where('user_id', '=', id).execute()
    await scene.tab.goto(`${scene.stage.service.url}/account/password`)
    await scene.tab.getByText(scene.labels.login.notices.authenticate_again.title('')).waitFor()
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
    const { tab, stage, labels } = scene
    const { id: userId } = await newcomer(stage, {})
    const { secret } = await mint(stage.service, { purpose: 'change_email', userId, email: newAddress() })
    await tab.goto(`${stage.service.url}/confirm-email?ticket=${secret}`)
    await tab.getByText(labels.login.notices.confirm_email.title()).waitFor()
  },
  'confirm-email': openConfirmEmail,
  'confirm-email-done': confirmEmail,
}

async function signUp(scene: Scene): Promise<void> {
  await fillSignUp(scene, { name: 'Bia Souza', email: newAddress(), password: STRONG })
  await press(scene.tab, scene.labels.signUp.submit, 'heading', scene.labels.checkMail.title)
}

async function fillSignUp({ tab, stage, labels }: Scene, user: { name: string; email: string; password: string }): Promise<void> {
  await tab.goto(`${stage.service.url}/sign-up`)
  await tab.getByLabel(labels.signUp.name).fill(user.name)
  await tab.getByLabel(labels.login.email, { exact: true }).fill(user.email)
  await tab.getByLabel(labels.login.password, { exact: true }).fill(user.password)
}

/** Posts a form elsewhere until its address gets no more mails in this hour. */
async function useUp({ stage }: Scene, path: string, fields: Record<string, string>): Promise<void> {
  const browser = stage.service.browser()
  const flow = hiddenFlow((await browser.get(path)).text)
  for (let mails = 0; mails < 3; mails += 1) await browser.submit(path, { flow, ...fields })
}

async function openOwn(scene: Scene, path: string): Promise<void> {
  await enterAtOnce(scene)
  await visit(scene, path)
}

async function choosePassword({ tab, labels }: Scene, password: string, role: 'alert' | 'heading', said: string): Promise<void> {
  await tab.getByLabel(labels.newPassword.label, { exact: true }).fill(password)
  await press(tab, labels.changePassword.other.submit, role, said)
}

async function changeEmail(scene: Scene): Promise<void> {
  await openOwn(scene, '/account/email')
  await sendEmail(scene, 'heading')
}

async function sendEmail({ tab, labels }: Scene, answer: 'heading' | 'alert'): Promise<void> {
  await tab.getByLabel(labels.changeEmail.email, { exact: true }).fill(newAddress())
  const said = answer === 'heading' ? labels.changeEmail.sentTitle : labels.login.tooManyAttempts
  await press(tab, labels.changeEmail.submit, answer, said)
}

async function openConfirmEmail(scene: Scene): Promise<void> {
  const owner = await enterAtOnce(scene)
  await openTicket(scene, 'change_email', '/confirm-email', { owner })
}

async function confirmEmail(scene: Scene): Promise<void> {
  const { tab, labels } = scene
  await openConfirmEmail(scene)
  await press(tab, labels.changeEmail.confirm, 'heading', labels.changeEmail.doneTitle)
}
