import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, afterEach, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { deleteDue } from '../server/src/admin/index.ts'
import { texts } from '../server/src/pages/texts.ts'
import { linkIn, startMailbox } from '../server/test/support/mailbox.ts'
import { until } from '../server/test/support/until.ts'
import { startHarness } from './harness/harness.ts'
import { heading, holdSplash, passSplash, signIn } from './harness/steps.ts'

const labels = texts['pt-BR']
const WEEK = 7 * 86_400_000
const ENDED_MS = 2_000

// Out here: what closes itself after a hook's test would be closed before the first journey.
const mailbox = await startMailbox()
const harness = await startHarness(undefined, { PORTARIA_SMTP_URL: mailbox.url })
after(() => harness.close())

describe('One’s own page', () => {
  afterEach(() => assert.deepEqual(harness.complaints.splice(0), []))

  async function enter(email: string): Promise<Page> {
    const tab = await harness.visitor()
    await tab.goto(`${harness.service.url}/login`)
    await signIn(tab, email)
    await passSplash(tab)
    await heading(tab, labels.account.title)
    return tab
  }
  const open = async (tab: Page, link: string, title: string) => {
    await tab.goto(`${harness.service.url}/account`)
    await tab.getByRole('link', { name: link }).click()
    await heading(tab, title)
  }
  async function askToLeave(tab: Page, email: string) {
    await open(tab, labels.own.delete, labels.ownDelete.title)
    await tab.getByLabel(labels.ownDelete.typeAddress).fill(email)
    await tab.getByRole('button', { name: labels.ownDelete.submit }).click()
    await heading(tab, labels.ownDelete.doneTitle)
  }

  it('ends another session, and the other browser is signed out within 2 s, here and in the apps', async () => {
    const { email } = await harness.service.user('duas@exemplo.com.br')
    const there = await enter(email)
    await there.goto(harness.painel)
    await there.waitForURL(`${harness.painel}/`)
    const here = await enter(email)
    await open(here, labels.own.sessions, labels.ownSessions.title)
    await here.getByRole('button', { name: labels.ownSessions.end }).first().click()
    await here.getByRole('button', { name: labels.ownSessions.end }).waitFor({ state: 'detached' })
    const known = async () => (await there.request.get(`${harness.service.url}/auth/check`)).json()
    await until(async () => (await known()).authenticated === false, ENDED_MS)
    assert.deepEqual(await known(), { authenticated: false, reason: 'invalid_session' })
    await there.goto(`${harness.service.url}/account`)
    await heading(there, labels.login.title)
    await here.goto(`${harness.service.url}/account`)
    await heading(here, labels.account.title)
  })

  it('downloads everything as one file', async () => {
    const { email, id } = await harness.service.user('arquivo@exemplo.com.br')
    const tab = await enter(email)
    await open(tab, labels.own.data, labels.ownData.title)
    const [download] = await Promise.all([tab.waitForEvent('download'), tab.getByRole('button', { name: labels.ownData.submit }).click()])
    assert.match(download.suggestedFilename(), /^portaria-\d{4}-\d\d-\d\d\.json$/)
    const data = JSON.parse(readFileSync((await download.path()) ?? assert.fail('nothing was downloaded'), 'utf8'))
    assert.deepEqual([data.profile.id, data.profile.email, data.sessions.length], [id, email, 1])
  })

  it('is asked to be deleted and kept after all, by the button behind the mailed link', async () => {
    const { email } = await harness.service.user('volta@exemplo.com.br')
    const tab = await enter(email)
    await askToLeave(tab, email)
    await tab.goto(`${harness.service.url}/login`)
    await signIn(tab, email)
    await tab.getByRole('alert').filter({ hasText: labels.login.notices.deletion_pending.title() }).waitFor()
    const link = linkIn(await mailbox.find(email, ({ text }) => text?.includes('/undo-deletion') ?? false), '/undo-deletion')
    await tab.goto(harness.service.url + link)
    await tab.getByRole('button', { name: labels.undoDeletion.submit }).click()
    await heading(tab, labels.undoDeletion.doneTitle)
    await tab.getByRole('link', { name: labels.undoDeletion.signIn }).click()
    await holdSplash(tab)
    await signIn(tab, email)
    await heading(tab, labels.welcome.title('Ana'))
  })

  it('is gone when the week is over: the link says so, and the address begins anew', async () => {
    const { email, id } = await harness.service.user('fim@exemplo.com.br')
    const tab = await enter(email)
    await askToLeave(tab, email)
    const link = linkIn(await mailbox.find(email, ({ text }) => text?.includes('/undo-deletion') ?? false), '/undo-deletion')
    harness.service.clock.now += WEEK
    assert.equal(await deleteDue(harness.service.context), 1)
    await tab.goto(harness.service.url + link)
    await heading(tab, labels.ticketExpired.title)
    const again = await harness.service.user(email)
    assert.notEqual(again.id, id)
    await (await enter(email)).getByText(email).waitFor()
  })
})
