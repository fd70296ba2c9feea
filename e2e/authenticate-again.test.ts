import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { texts } from '../server/src/pages/texts.ts'
import { type Stage, setStage } from './harness/stage.ts'
import { heading, signIn } from './harness/steps.ts'

const ANA = 'ana@exemplo.com.br'

describe('A fresh proof for the console', () => {
  let stage: Stage
  before(async () => {
    stage = await setStage()
    await stage.service.user(ANA)
  })
  after(() => stage.close())

  it('is given in a window of its own, which tells the page that waits for it and closes itself', async () => {
    const tab = await stage.visitor()
    await tab.goto(`${stage.service.url}/login`)
    await signIn(tab, ANA)
    await heading(tab, texts['pt-BR'].welcome.title('Ana'))
    await tab.goto(`${stage.service.url}/account`)
    await tab.evaluate(`void (globalThis.told = new Promise((resolve) => {
      new BroadcastChannel('portaria-admin').onmessage = ({ data }) => resolve(data)
    }))`)
    const opened = tab.waitForEvent('popup')
    await tab.evaluate(`void window.open('/admin/authenticate', 'authenticate', 'popup')`)
    const popup = await opened
    const closed = popup.waitForEvent('close')
    await popup.getByRole('status').filter({ hasText: 'Confirme que é você' }).waitFor()
    await signIn(popup, ANA)
    assert.equal(await tab.evaluate('globalThis.told'), 'authenticated')
    await closed
    assert.deepEqual(stage.complaints, [])
  })
})
