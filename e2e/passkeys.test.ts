import assert from 'node:assert/strict'
import { after, afterEach, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { texts } from '../server/src/pages/texts.ts'
import { PASSWORD } from '../server/test/support/service.ts'
import { startHarness } from './harness/harness.ts'
import { heading, isKnown, passSplash, signIn } from './harness/steps.ts'
import { addDevice, type VirtualDevice } from './pages/passkey-steps.ts'

const labels = texts['pt-BR']
const harness = await startHarness()
after(() => harness.close())

describe('A passkey', () => {
  afterEach(() => assert.deepEqual(harness.complaints.splice(0), []))

  const withPasskey = (tab: Page) => tab.getByRole('button', { name: labels.passkeySignIn.submit }).click()
  /**
   * A login page on which the browser has its list of passkeys ready, and nobody chooses from it. Somebody comes only when the button is
   * pressed, or before the list with the number `chosen` is opened, from which they choose at once. `data-list` is the number of the last.
   */
  const waitForList = async (tab: Page, device: VirtualDevice, { address, chosen = 0 }: { address: string; chosen?: number }) => {
    let lists = 0
    await device.attend('nobody')
    await tab.exposeFunction('deviceIsAsked', async (isList: boolean) => {
      if (!isList || ++lists === chosen) await device.attend('somebody')
    })
    await tab.addInitScript(`
      let lists = 0
      const get = navigator.credentials.get.bind(navigator.credentials)
      navigator.credentials.get = async (options) => {
        const isList = options.mediation === 'conditional'
        await deviceIsAsked(isList)
        if (isList) setTimeout(() => { document.body.dataset.list = ++lists }, 500)
        return get(options)
      }`)
    await tab.goto(address)
    await tab.locator('body[data-list="1"]').waitFor()
  }

  /** Somebody signed in, whose device has a passkey for the account. */
  async function keyHolder(email: string): Promise<{ tab: Page; device: VirtualDevice }> {
    await harness.service.user(email, { name: 'Dora Lima' })
    const tab = await harness.visitor()
    const device = await addDevice(tab)
    await tab.goto(`${harness.service.url}/login`)
    await signIn(tab, email, { password: PASSWORD })
    await passSplash(tab)
    await tab.goto(`${harness.service.url}/account/passkeys`)
    await tab.getByLabel(labels.passkeys.name).fill('Celular da Dora')
    await tab.getByRole('button', { name: labels.passkeys.add }).click()
    await tab.getByText(labels.passkeys.added).waitFor()
    await tab.getByText('Celular da Dora', { exact: true }).waitFor()
    return { tab, device }
  }

  async function signOut(tab: Page): Promise<void> {
    await tab.goto(`${harness.service.url}/auth/signout`)
    await heading(tab, labels.signedOut.title)
  }

  it('is added, signs in by the button, is removed, and then refused', async () => {
    const { tab } = await keyHolder('botao@exemplo.com.br')
    // As a browser without a list does, which would choose by itself here.
    await tab.addInitScript('PublicKeyCredential.isConditionalMediationAvailable = async () => false')
    await signOut(tab)
    await tab.goto(harness.painel)
    await withPasskey(tab)
    await passSplash(tab)
    await isKnown(tab, harness.painel, 'Dora Lima')

    await tab.goto(`${harness.service.url}/account/passkeys`)
    await tab.getByRole('link', { name: labels.passkeys.changeNamed('Celular da Dora') }).click()
    await tab.getByRole('button', { name: labels.passkeys.remove }).click()
    await tab.getByText(labels.passkeys.removed, { exact: true }).waitFor()
    await tab.getByText(labels.passkeys.none).waitFor()
    await signOut(tab)
    await tab.goto(harness.painel)
    await withPasskey(tab)
    await tab.getByRole('alert').filter({ hasText: labels.passkeySignIn.refused }).waitFor()
  })

  it('signs in by the browser’s autofill, with nothing pressed on the page', async () => {
    const { tab } = await keyHolder('preenche@exemplo.com.br')
    await signOut(tab)
    // The virtual device chooses from the browser's list as soon as there is one.
    await tab.goto(harness.painel)
    await passSplash(tab)
    await isKnown(tab, harness.painel, 'Dora Lima')
  })

  it('signs in by autofill on a page that stood open longer than a challenge is good for: it has asked for a new one in time', async () => {
    const { tab, device } = await keyHolder('aberta@exemplo.com.br')
    await signOut(tab)
    await tab.clock.install({ time: harness.service.clock.now })
    await waitForList(tab, device, { address: harness.painel, chosen: 3 })
    const answerOf = (path: string) => tab.waitForResponse((answer) => new URL(answer.url()).pathname === path)
    const pass = async (minutes: number) => {
      const renewed = answerOf('/passkeys/sign-in/options')
      harness.service.clock.now += minutes * 60_000
      await tab.clock.fastForward(minutes * 60_000)
      assert.equal((await renewed).status(), 200)
    }
    await pass(4)
    await tab.locator('body[data-list="2"]').waitFor()
    // The first challenge has expired by now; from the list that the newest one opens, somebody chooses.
    const signed = answerOf('/passkeys/sign-in')
    await pass(4)
    assert.equal((await signed).status(), 302, 'at the first try')
    await passSplash(tab)
    await isKnown(tab, harness.painel, 'Dora Lima')
  })

  it('signs in by the button while the browser has its list ready', async () => {
    const { tab, device } = await keyHolder('ambos@exemplo.com.br')
    await signOut(tab)
    await waitForList(tab, device, { address: harness.painel })
    await withPasskey(tab)
    await passSplash(tab)
    await isKnown(tab, harness.painel, 'Dora Lima')
  })

  it('is not made twice by one device, and says so', async () => {
    const { tab } = await keyHolder('duas@exemplo.com.br')
    await tab.getByRole('button', { name: labels.passkeys.add }).click()
    await tab.getByRole('status').filter({ hasText: labels.passkeys.known }).waitFor()
  })

  it('that the device does not verify signs nobody in, and the page says that nothing happened', async () => {
    const { tab, device } = await keyHolder('sem-dedo@exemplo.com.br')
    await signOut(tab)
    await device.recognise('stranger')
    await waitForList(tab, device, { address: `${harness.service.url}/login` })
    await withPasskey(tab)
    await tab.getByRole('status').filter({ hasText: labels.passkeySignIn.cancelled }).waitFor()
  })

  it('is not offered without a script', async () => {
    const tab = await harness.visitor({ javaScriptEnabled: false })
    await tab.goto(`${harness.service.url}/login`)
    await heading(tab, labels.login.title)
    assert.equal(await tab.getByRole('button', { name: labels.passkeySignIn.submit }).count(), 0)
    assert.equal(await tab.getByText(labels.login.or, { exact: true }).isVisible(), false)
    await harness.service.user('sem-script@exemplo.com.br')
    await signIn(tab, 'sem-script@exemplo.com.br', { password: PASSWORD })
    await tab.goto(`${harness.service.url}/account/passkeys`)
    await tab.getByText(labels.passkeys.needsScript).waitFor()
    assert.equal(await tab.getByRole('button', { name: labels.passkeys.add }).count(), 0)
  })
})
