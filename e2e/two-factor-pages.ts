import { type Authenticator, codeOf, giveSecondFactor, wrongCode } from '../server/test/support/users/authenticator.ts'
import { enter, newcomer, press, type Scene, visit } from './scene.ts'
import { signIn } from './steps.ts'

const PAGE = '/account/two-factor'

/** The second factor: where it is asked at a sign-in, and one's own. */
export const twoFactorPages: Readonly<Record<string, (scene: Scene) => Promise<unknown>>> = {
  'second-factor': (scene) => reachSecondStep(scene),
  'second-factor-wrong': async (scene) => {
    const app = await reachSecondStep(scene)
    await scene.tab.getByLabel(scene.words.secondFactor.code, { exact: true }).fill(wrongCode(app))
    await press(scene.tab, scene.words.secondFactor.submit, 'alert', scene.words.secondFactor.wrongCode)
  },
  'second-factor-too-many': async (scene) => {
    const app = await reachSecondStep(scene)
    const { secondFactor, login } = scene.words
    for (const said of [...Array<string>(10).fill(secondFactor.wrongCode), login.tooManyAttempts]) {
      await scene.tab.getByLabel(secondFactor.code, { exact: true }).fill(wrongCode(app))
      await press(scene.tab, secondFactor.submit, 'alert', said)
    }
  },
  'two-factor-off': openOwn,
  'two-factor-begin': beginOwn,
  'two-factor-wrong': async (scene) => {
    await beginOwn(scene)
    await scene.tab.getByLabel(scene.words.twoFactor.code, { exact: true }).fill('000000')
    await press(scene.tab, scene.words.twoFactor.confirm, 'alert', scene.words.twoFactor.wrongCode)
  },
  'two-factor-codes': turnOnOwn,
  'two-factor-on': async (scene) => {
    await turnOnOwn(scene)
    await visit(scene, PAGE)
  },
  'two-factor-few-codes': async (scene) => {
    const { id } = await turnOnOwn(scene)
    await scene.stage.service.context.storage.db.updateTable('recovery_codes').set({ used_at: 1 }).where('user_id', '=', id).execute()
    await visit(scene, PAGE)
  },
  'two-factor-turned-off': async (scene) => {
    await turnOnOwn(scene)
    await visit(scene, PAGE)
    await scene.tab.getByText(scene.words.twoFactor.turnOff, { exact: true }).click()
    await scene.tab.getByRole('button', { name: scene.words.twoFactor.turnOffNow, exact: true }).click()
    await scene.tab.getByRole('status').filter({ hasText: scene.words.twoFactor.turnedOff }).waitFor()
  },
}

/** Somebody new with a second factor has typed the password. The service's clock goes on a little: it is every page's. */
async function reachSecondStep(scene: Scene): Promise<Authenticator> {
  const { tab, stage, words } = scene
  const user = await newcomer(stage, {})
  const app = await giveSecondFactor(stage.service, user)
  await tab.goto(stage.painel)
  await signIn(tab, user.email, { words })
  await tab.getByRole('heading', { name: words.secondFactor.title, exact: true }).waitFor()
  return app
}

async function openOwn(scene: Scene): Promise<{ id: string }> {
  const owner = await enter(scene, {}, scene.words.welcome.title('Ana'))
  await visit(scene, PAGE)
  return owner
}

async function beginOwn(scene: Scene): Promise<{ id: string }> {
  const owner = await openOwn(scene)
  await scene.tab.getByRole('button', { name: scene.words.twoFactor.begin, exact: true }).click()
  await scene.tab.getByRole('img', { name: scene.words.twoFactor.qrLabel }).waitFor()
  return owner
}

async function turnOnOwn(scene: Scene): Promise<{ id: string }> {
  const { tab, stage, words } = scene
  const owner = await beginOwn(scene)
  const secret = (await tab.locator('#secret').innerText()).replaceAll(' ', '')
  await tab.getByLabel(words.twoFactor.code, { exact: true }).fill(codeOf(secret, stage.service.clock.now))
  await press(tab, words.twoFactor.confirm, 'heading', words.twoFactor.turnedOn)
  return owner
}
