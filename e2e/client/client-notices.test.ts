import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import { textsFor } from '../../client/src/sign-in/texts.ts'
import { languages } from '../../server/src/pages/index.ts'
import { type OwnBrowser, openBrowser } from '../harness/browser.ts'
import { newVisitor } from '../harness/harness.ts'
import { assertAccessible, assertFitsPhone } from '../pages/every-page.ts'
import { listNotices, openNotice } from './notices.ts'

describe('The client’s own pages', () => {
  let browser: OwnBrowser
  const complaints: string[] = []
  before(async () => {
    browser = await openBrowser()
  })
  after(() => browser.close())
  afterEach(() => assert.deepEqual(complaints.splice(0), []))

  for (const language of languages)
    it(`say in ${language} what is wrong and what to do; open to all, light and dark, and fit a phone`, async () => {
      const tab = await newVisitor(browser, { locale: language }, complaints)
      const texts = textsFor(language)
      for (const notice of listNotices()) {
        await openNotice(tab, notice, language)
        assert.equal(await tab.locator('html').getAttribute('lang'), language)
        const [title, text] = texts[notice]
        await tab.getByRole('heading', { name: title, exact: true }).waitFor()
        await tab.getByText(text, { exact: true }).waitFor()
        const next = tab.getByRole(notice === 'confirm_sign_out' ? 'button' : 'link')
        assert.equal(await next.innerText(), notice === 'confirm_sign_out' ? texts.signOut : texts.again)
        await assertAccessible(tab)
        await assertFitsPhone(tab)
      }
    })
})
