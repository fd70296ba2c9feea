import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { texts } from '../server/src/pages/texts.ts'
import { type Harness, startHarness } from './harness/harness.ts'
import { heading, holdSplash, signIn } from './harness/steps.ts'

const ANA = 'ana@exemplo.com.br'

describe('A recent authentication for the console', () => {
  let harness: Harness
  before(async () => {
    harness = await startHarness()
    await harness.service.user(ANA)
  })
  after(() => harness.close())

  it('is given in a window of its own, which notifies the page that waits for it and closes itself', async () => {
    const tab = await harness.visitor()
    await holdSplash(tab)
    await tab.goto(`${harness.service.url}/login`)
    await signIn(tab, ANA)
    await heading(tab, texts['pt-BR'].welcome.title('Ana'))
    await tab.goto(`${harness.service.url}/account`)
    await tab.evaluate(`void (globalThis.authenticated = new Promise((resolve) => {
      new BroadcastChannel('portaria-admin').onmessage = ({ data }) => resolve(data)
    }))`)
    const opened = tab.waitForEvent('popup')
    await tab.evaluate(`void window.open('/admin/authenticate', 'authenticate', 'popup')`)
    const popup = await opened
    const closed = popup.waitForEvent('close')
    await popup.getByRole('status').filter({ hasText: 'Confirme que é você' }).waitFor()
    // The window closes itself, perhaps before the click has returned.
    await signIn(popup, ANA).catch((fault) => assert.ok(popup.isClosed(), String(fault)))
    assert.equal(await tab.evaluate('globalThis.authenticated'), 'authenticated')
    await closed
    assert.deepEqual(harness.complaints, [])
  })
})
