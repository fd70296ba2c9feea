import { type Authenticator, codeOf, giveSecondFactor, wrongCode } from '../../server/test/support/users/authenticator.ts'
import { signIn } from '../harness/steps.ts'
import { enterAtOnce, newcomer, press, type Scene, visit } from './scene.ts'

const PAGE = '/account/second-factor'

/** The second factor: where it is asked at a sign-in, and one's own. */
export const secondFactorPages: Readonly<Record<string, (scene: Scene) => Promise<unknown>>> = {
  'second-factor': (scene) => reachSecondStep(scene),
  'second-factor-wrong': async (scene) => {
    const app = await reachSecondStep(scene)
    await scene.tab.getByLabel(scene.labels.secondFactor.code, { exact: true }).fill(wrongCode(app))
    await press(scene.tab, scene.labels.secondFactor.submit, 'alert', scene.labels.secondFactor.wrongCode)
  },
  'second-factor-too-many': async (scene) => {
    const app = await reachSecondStep(scene)
    const { secondFactor, login } = scene.labels
    for (const said of [...Array<string>(10).fill(secondFactor.wrongCode), login.tooManyAttempts]) {
      await scene.tab.getByLabel(secondFactor.code, { exact: true }).fill(wrongCode(app))
      await press(scene.tab, secondFactor.submit, 'alert', said)
    }
  },
  'second-factor-settings-off': openOwn,
  'second-factor-settings-begin': beginOwn,
  'second-factor-settings-wrong': async (scene) => {
    await beginOwn(scene)
    await scene.tab.getByLabel(scene.labels.secondFactorSettings.code, { exact: true }).fill('000000')
    await press(scene.tab, scene.labels.secondFactorSettings.confirm, 'alert', scene.labels.secondFactorSettings.wrongCode)
  },
  'second-factor-settings-codes': turnOnOwn,
  'second-factor-settings-on': async (scene) => {
    await turnOnOwn(scene)
    await visit(scene, PAGE)
  },
  'second-factor-settings-few-codes': async (scene) => {
    const { id } = await turnOnOwn(scene)
    await scene.stage.service.context.storage.db.updateTable('recovery_codes').set({ used_at: 1 }).where('user_id', '=', id).execute()
    await visit(scene, PAGE)
  },
  'second-factor-settings-turned-off': async (scene) => {
    await turnOnOwn(scene)
    await visit(scene, PAGE)
    await scene.tab.getByText(scene.labels.secondFactorSettings.turnOff, { exact: true }).click()
    await scene.tab.getByRole('button', { name: scene.labels.secondFactorSettings.turnOffNow, exact: true }).click()
    await scene.tab.getByRole('status').filter({ hasText: scene.labels.secondFactorSettings.turnedOff }).waitFor()
  },
}

/** Somebody new with a second factor has typed the password. The service's clock goes on a little: it is every page's. */
async function reachSecondStep(scene: Scene): Promise<Authenticator> {
  const { tab, stage, labels } = scene
  const user = await newcomer(stage, {})
  const app = await giveSecondFactor(stage.service, user)
  await tab.goto(stage.painel)
  await signIn(tab, user.email, { labels })
  await tab.getByRole('heading', { name: labels.secondFactor.title, exact: true }).waitFor()
  return app
}

async function openOwn(scene: Scene): Promise<{ id: string }> {
  const owner = await enterAtOnce(scene)
  await visit(scene, PAGE)
  return owner
}

async function beginOwn(scene: Scene): Promise<{ id: string }> {
  const owner = await openOwn(scene)
  await scene.tab.getByRole('button', { name: scene.labels.secondFactorSettings.begin, exact: true }).click()
  await scene.tab.getByRole('img', { name: scene.labels.secondFactorSettings.qrLabel }).waitFor()
  return owner
}

async function turnOnOwn(scene: Scene): Promise<{ id: string }> {
  const { tab, stage, labels } = scene
  const owner = await beginOwn(scene)
  const secret = (await tab.locator('#secret').innerText()).replaceAll(' ', '')
  await tab.getByLabel(labels.secondFactorSettings.code, { exact: true }).fill(codeOf(secret, stage.service.clock.now))
  await press(tab, labels.secondFactorSettings.confirm, 'heading', labels.secondFactorSettings.turnedOn)
  return owner
}
