import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { completed, notify, WEBHOOKS } from '../../server/test/support/gateways/purchases.ts'
import { type ConsoleHarness, showPage, startConsoleHarness } from './console-harness.ts'

describe('The console for whoever works in it all day', () => {
  let harness: ConsoleHarness
  let owner: Page
  let viewer: Page
  before(async () => {
    harness = await startConsoleHarness(WEBHOOKS)
    await harness.service.user('ana.formula@example.com', { name: '=1+1' })
    await harness.service.user('bia@example.com', { name: 'Bia Prado' })
    for (const email of ['bia@example.com', 'guest@example.com']) await notify(harness.service.url, completed({ email }))
    owner = await harness.administrator('owner')
    viewer = await harness.administrator('viewer')
  })
  after(async () => {
    assert.deepEqual(harness.complaints, [])
    await harness.close()
  })

  const goTo = (page: Page, address: string) => showPage(page, `${harness.service.url}/admin${address}`)

  it('takes a list along as a table, with the filters of the page, without formulas, and masked for a viewer', async () => {
    const tableOf = async (page: Page, address: string, list: string) => {
      await goTo(page, address)
      const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Exportar CSV' }).click()])
      assert.match(download.suggestedFilename(), new RegExp(`^portaria-${list}-\\d{4}-\\d\\d-\\d\\d\\.csv$`))
      await page.getByRole('button', { name: 'Exportar CSV' }).waitFor()
      return readFileSync(await download.path(), 'utf8')
    }
    const named = `/users?${new URLSearchParams({ filter: JSON.stringify({ q: 'formula' }) })}`
    const table = await tableOf(owner, named, 'users')
    assert.match(table, /^\u{feff}id,name,email,/u)
    assert.equal(table.split('\r\n').length, 3)
    assert.match(table, /,'=1\+1,ana\.formula@example\.com,/)
    const masked = await tableOf(viewer, '/users', 'users')
    assert.match(masked, /,Bia Prado,•••,/)
    assert.doesNotMatch(masked, /@/)
    assert.match(await tableOf(owner, '/subscriptions', 'subscriptions'), /,guest@example\.com,/)
    assert.match(await tableOf(owner, '/notifications', 'notifications'), /,purchase\.completed,processed,/)
    assert.match(await tableOf(owner, '/audit?filter=%7B%22action%22%3A%22list.export%22%7D', 'audit'), /,list\.export,users,/)
  })
})
