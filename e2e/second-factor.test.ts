import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { texts } from '../server/src/pages/texts.ts'
import { codeOf } from '../server/test/support/users/authenticator.ts'
import { type Harness, startHarness } from './harness/harness.ts'
import { heading, isKnown, signIn } from './harness/steps.ts'
import { press } from './pages/page-fixture.ts'

const labels = texts['pt-BR']
const ANA = 'ana@exemplo.com.br'

describe('A user with two factors', () => {
  let harness: Harness
  before(async () => {
    harness = await startHarness()
  })
  after(() => harness.close())
  afterEach(() => assert.deepEqual(harness.complaints.splice(0), []))

  it('turns the second on, signs out, and in again with a code, which works once, and with a recovery code, without any script', async () => {
    const { service } = harness
    const { clock } = service
    await service.user(ANA)
    const tab = await harness.visitor({ javaScriptEnabled: false })
    await tab.goto(`${service.url}/login`)
    await signIn(tab, ANA)
    const { secret, codes } = await turnOn(tab)

    clock.now += 60_000
    await tab.goto(`${service.url}/auth/signout`)
    await arriveAtSecondStep(tab)
    const code = codeOf(secret, clock.now)
    await type(tab, code)
    await isKnown(tab, harness.painel, 'Ana Flávia Conceição')

    const other = await harness.visitor({ javaScriptEnabled: false })
    await arriveAtSecondStep(other)
    await type(other, code)
    await other.getByRole('alert').filter({ hasText: labels.secondFactor.wrongCode }).waitFor()
    await type(other, codes[0] ?? '')
    await isKnown(other, harness.painel, 'Ana Flávia Conceição')

    const third = await harness.visitor({ javaScriptEnabled: false })
    await arriveAtSecondStep(third)
    await type(third, codes[0] ?? '')
    await third.getByRole('alert').filter({ hasText: labels.secondFactor.wrongCode }).waitFor()

    clock.now += 10 * 60_000
    await tab.goto(`${service.url}/account/second-factor`)
    await tab.getByText(labels.login.notices.authenticate_again.title('')).waitFor()
    await tab.getByLabel(labels.login.password, { exact: true }).fill('correct horse battery')
    await tab.getByRole('button', { name: labels.login.submit, exact: true }).click()
    await heading(tab, labels.secondFactor.title)
    await type(tab, codeOf(secret, clock.now))
    await tab.getByText(labels.secondFactorSettings.codesLeft(9)).waitFor()
    await tab.getByText(labels.secondFactorSettings.turnOff, { exact: true }).click()
    await tab.getByRole('button', { name: labels.secondFactorSettings.turnOffNow, exact: true }).click()
    await tab.getByRole('status').filter({ hasText: labels.secondFactorSettings.turnedOff }).waitFor()
  })

  async function turnOn(tab: Page): Promise<{ secret: string; codes: string[] }> {
    await tab.goto(`${harness.service.url}/account/second-factor`)
    await tab.getByRole('button', { name: labels.secondFactorSettings.begin, exact: true }).click()
    await heading(tab, labels.secondFactorSettings.pendingTitle)
    const secret = (await tab.locator('#secret').innerText()).replaceAll(' ', '')
    await tab.getByLabel(labels.secondFactorSettings.code, { exact: true }).fill(codeOf(secret, harness.service.clock.now))
    await press(tab, labels.secondFactorSettings.confirm, 'heading', labels.secondFactorSettings.turnedOn)
    return { secret, codes: await tab.locator('.codes li').allInnerTexts() }
  }

  async function arriveAtSecondStep(tab: Page): Promise<void> {
    await tab.goto(harness.painel)
    await signIn(tab, ANA)
    await heading(tab, labels.secondFactor.title)
  }

  async function type(tab: Page, code: string): Promise<void> {
    await tab.getByLabel(labels.secondFactor.code, { exact: true }).fill(code)
    await tab.getByRole('button', { name: labels.secondFactor.submit, exact: true }).click()
  }
})
