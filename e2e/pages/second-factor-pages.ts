import { type Authenticator, codeOf, giveSecondFactor, wrongCode } from '../../server/test/support/users/authenticator.ts'
import { signIn } from '../harness/steps.ts'
import { enterAtOnce, goTo, newcomer, type PageFixture, press } from './page-fixture.ts'

const PAGE = '/account/second-factor'

/** The second factor: where it is asked at a sign-in, and one's own. */
export const secondFactorPages: Readonly<Record<string, (fixture: PageFixture) => Promise<unknown>>> = {
  'second-factor': (fixture) => reachSecondStep(fixture),
  'second-factor-wrong': async (fixture) => {
    const app = await reachSecondStep(fixture)
    await fixture.tab.getByLabel(fixture.labels.secondFactor.code, { exact: true }).fill(wrongCode(app))
    await press(fixture.tab, fixture.labels.secondFactor.submit, 'alert', fixture.labels.secondFactor.wrongCode)
  },
  'second-factor-too-many': async (fixture) => {
    const app = await reachSecondStep(fixture)
    const { secondFactor, login } = fixture.labels
    for (const said of [...Array<string>(10).fill(secondFactor.wrongCode), login.tooManyAttempts]) {
      await fixture.tab.getByLabel(secondFactor.code, { exact: true }).fill(wrongCode(app))
      await press(fixture.tab, secondFactor.submit, 'alert', said)
    }
  },
  'second-factor-settings-off': openOwn,
  'second-factor-settings-begin': beginOwn,
  'second-factor-settings-wrong': async (fixture) => {
    await beginOwn(fixture)
    await fixture.tab.getByLabel(fixture.labels.secondFactorSettings.code, { exact: true }).fill('000000')
    await press(fixture.tab, fixture.labels.secondFactorSettings.confirm, 'alert', fixture.labels.secondFactorSettings.wrongCode)
  },
  'second-factor-settings-over': async (fixture) => {
    const { id } = await beginOwn(fixture)
    await fixture.harness.service.context.storage.db.deleteFrom('totp_factors').where('user_id', '=', id).execute()
    await fixture.tab.getByLabel(fixture.labels.secondFactorSettings.code, { exact: true }).fill('000000')
    await press(fixture.tab, fixture.labels.secondFactorSettings.confirm, 'alert', fixture.labels.secondFactorSettings.setUpOver)
  },
  'second-factor-settings-codes': turnOnOwn,
  'second-factor-settings-on': async (fixture) => {
    await turnOnOwn(fixture)
    await goTo(fixture, PAGE)
  },
  'second-factor-settings-few-codes': async (fixture) => {
    const { id } = await turnOnOwn(fixture)
    await fixture.harness.service.context.storage.db.updateTable('recovery_codes').set({ used_at: 1 }).where('user_id', '=', id).execute()
    await goTo(fixture, PAGE)
  },
  'second-factor-settings-turned-off': async (fixture) => {
    await turnOnOwn(fixture)
    await goTo(fixture, PAGE)
    await fixture.tab.getByText(fixture.labels.secondFactorSettings.turnOff, { exact: true }).click()
    await fixture.tab.getByRole('button', { name: fixture.labels.secondFactorSettings.turnOffNow, exact: true }).click()
    await fixture.tab.getByRole('status').filter({ hasText: fixture.labels.secondFactorSettings.turnedOff }).waitFor()
  },
}

/** Somebody new with a second factor has typed the password. The service's clock goes on a little: it is every page's. */
async function reachSecondStep(fixture: PageFixture): Promise<Authenticator> {
  const { tab, harness, labels } = fixture
  const user = await newcomer(harness, {})
  const app = await giveSecondFactor(harness.service, user)
  await tab.goto(harness.painel)
  await signIn(tab, user.email, { labels })
  await tab.getByRole('heading', { name: labels.secondFactor.title, exact: true }).waitFor()
  return app
}

async function openOwn(fixture: PageFixture): Promise<{ id: string }> {
  const owner = await enterAtOnce(fixture)
  await goTo(fixture, PAGE)
  return owner
}

async function beginOwn(fixture: PageFixture): Promise<{ id: string }> {
  const owner = await openOwn(fixture)
  await fixture.tab.getByRole('button', { name: fixture.labels.secondFactorSettings.begin, exact: true }).click()
  await fixture.tab.getByRole('img', { name: fixture.labels.secondFactorSettings.qrLabel }).waitFor()
  return owner
}

async function turnOnOwn(fixture: PageFixture): Promise<{ id: string }> {
  const { tab, harness, labels } = fixture
  const owner = await beginOwn(fixture)
  const secret = (await tab.locator('#secret').innerText()).replaceAll(' ', '')
  await tab.getByLabel(labels.secondFactorSettings.code, { exact: true }).fill(codeOf(secret, harness.service.clock.now))
  await press(tab, labels.secondFactorSettings.confirm, 'heading', labels.secondFactorSettings.turnedOn)
  return owner
}
