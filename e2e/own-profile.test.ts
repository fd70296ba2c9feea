import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, afterEach, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { addImage, changeAppearance } from '../server/src/appearance/index.ts'
import { texts } from '../server/src/pages/texts.ts'
import { wantPng, wantSvg } from '../server/test/support/routes/brand-files.ts'
import { codeOf } from '../server/test/support/users/authenticator.ts'
import { freshCpf } from '../server/test/support/users/newcomer.ts'
import { giveTaxId } from '../server/test/support/users/tax-ids.ts'
import { lookAt } from './harness/axe.ts'
import { startHarness } from './harness/harness.ts'
import { heading, isKnown, passSplash, signIn } from './harness/steps.ts'

const labels = texts['pt-BR']

const harness = await startHarness()
after(() => harness.close())

describe('One’s own data', () => {
  afterEach(() => assert.deepEqual(harness.complaints.splice(0), []))
  let users = 0

  async function enter(options: Parameters<typeof harness.visitor>[0] = {}): Promise<{ tab: Page; id: string; email: string }> {
    const user = await harness.service.user(`dados${++users}@exemplo.com.br`)
    const tab = await harness.visitor(options)
    await tab.goto(`${harness.service.url}/login`)
    await signIn(tab, user.email)
    await passSplash(tab)
    await heading(tab, labels.account.title)
    return { tab, ...user }
  }

  /** Of the picture's input: how the browser's own button is shown, and the colour of the text beside it. */
  const textOfInput = (tab: Page) =>
    tab.evaluate<string>(`(() => {
      const input = document.querySelector('#picture')
      return [getComputedStyle(input, '::file-selector-button').display, getComputedStyle(input).color].join(', ')
    })()`)

  async function open(tab: Page, name: string, title: string) {
    await tab.goto(`${harness.service.url}/account`)
    await tab.getByRole('link', { name }).click()
    await heading(tab, title)
    // The scripts of the fields come after the page.
    await tab.waitForLoadState()
  }

  it('are edited by keyboard, and an app that the user opens then shows the new name', async () => {
    const { email } = await harness.service.user(`dados${++users}@exemplo.com.br`)
    const tab = await harness.visitor()
    await tab.goto(harness.painel)
    await signIn(tab, email)
    await passSplash(tab)
    await tab.waitForURL(`${harness.painel}/`)
    await open(tab, labels.ownProfile.title, labels.ownProfile.title)
    await tab.getByLabel(labels.profile.fullName).fill('Ana Maria Souza')
    await tab.getByLabel(labels.ownProfile.phone).fill('')
    await tab.getByLabel(labels.ownProfile.phone).pressSequentially('21987654321')
    assert.equal(await tab.getByLabel(labels.ownProfile.phone).inputValue(), '(21) 98765-4321')
    await tab.getByLabel(labels.ownProfile.company).fill('Padaria')
    await tab.keyboard.press('Enter')
    await tab.getByRole('status').filter({ hasText: labels.ownProfile.saved }).waitFor()
    await tab.goto(`${harness.service.url}/account`)
    await tab.getByText('+55 21 98765-4321 · Padaria').waitFor()
    await tab.goto(harness.painel)
    await isKnown(tab, harness.painel, 'Ana Maria Souza')
    await tab.goto(`${harness.service.url}/account`)
    const app = tab.getByRole('link', { name: 'Painel' })
    assert.equal(await app.getAttribute('href'), `${harness.painel}/`)
    await app.click()
    await isKnown(tab, harness.painel, 'Ana Maria Souza')
  })

  it('need no JavaScript: name, picture and tax id change, and recovery codes are downloaded', async () => {
    const { tab, id } = await enter({ javaScriptEnabled: false })
    await giveTaxId(harness.service.context, id, freshCpf())
    await open(tab, labels.ownProfile.title, labels.ownProfile.title)
    await tab.getByLabel(labels.profile.fullName).fill('Ana Sem Script')
    await tab.getByRole('button', { name: labels.ownProfile.submit, exact: true }).click()
    await tab.getByRole('status').waitFor()
    // The button has our words, not the browser's, and the name of a file is seen once there is one.
    const button = tab.getByText(labels.ownProfile.choosePicture, { exact: true })
    assert.match((await button.getAttribute('class')) ?? '', /button/)
    assert.equal(await textOfInput(tab), 'none, rgba(0, 0, 0, 0)')
    const [chooser] = await Promise.all([tab.waitForEvent('filechooser'), button.click()])
    await chooser.setFiles([])
    await tab.getByLabel(labels.ownProfile.choosePicture).setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: wantPng(40, 40) })
    await tab.getByRole('button', { name: labels.ownProfile.sendPicture }).click()
    await tab.getByRole('status').filter({ hasText: labels.ownProfile.pictureSaved }).waitFor()
    const picture = await tab.locator('img.avatar').getAttribute('src')
    assert.match(picture ?? '', /^\/assets\/pictures\/[0-9a-f]{32}\.png$/)
    await tab.getByRole('button', { name: labels.ownProfile.removePicture }).click()
    await tab.getByRole('status').filter({ hasText: labels.ownProfile.pictureRemoved }).waitFor()
    assert.equal(await tab.locator('img.avatar').count(), 0)
    await open(tab, labels.own.taxId, labels.ownTaxId.title)
    const right = freshCpf()
    await tab.getByLabel(labels.ownTaxId.number).fill(right)
    await tab.getByRole('button', { name: labels.ownTaxId.submit }).click()
    await tab.getByRole('status').filter({ hasText: labels.ownTaxId.saved }).waitFor()
    await tab.getByText(`***.${right.slice(3, 6)}.${right.slice(6, 9)}-**`).waitFor()
    assert.equal(await tab.locator('[name=tax_id]').count(), 0)
    const codes = await turnOnSecondFactor(tab)
    assert.equal(await tab.getByRole('button', { name: labels.secondFactorSettings.copy }).count(), 0)
    const [file] = await Promise.all([
      tab.waitForEvent('download'),
      tab.getByRole('link', { name: labels.secondFactorSettings.download }).click(),
    ])
    assert.equal(file.suggestedFilename(), labels.secondFactorSettings.fileName)
    const text = readFileSync((await file.path()) ?? assert.fail('nothing was downloaded'), 'utf8')
    for (const code of codes) assert.ok(text.includes(code), code)
  })

  it('take any picture that the browser can show, made small before it leaves the device', async () => {
    const { tab, id } = await enter()
    await open(tab, labels.ownProfile.title, labels.ownProfile.title)
    const photo = bitmap(1_600, 1_000)
    assert.ok(photo.length > 4_000_000)
    await tab.getByText(labels.ownProfile.pictureAny).waitFor()
    // The button is the page's own, and opens the choice by mouse and by keyboard.
    const button = tab.getByText(labels.ownProfile.choosePicture, { exact: true })
    assert.match((await button.getAttribute('class')) ?? '', /button/)
    const input = tab.getByLabel(labels.ownProfile.choosePicture)
    assert.equal(await textOfInput(tab), 'none, rgba(0, 0, 0, 0)')
    const [opened] = await Promise.all([tab.waitForEvent('filechooser'), button.click()])
    // A second one opens only after the first is closed.
    await opened.setFiles([])
    await input.focus()
    await Promise.all([tab.waitForEvent('filechooser'), tab.keyboard.press('Space')])
    await tab.getByLabel(labels.ownProfile.choosePicture).setInputFiles({ name: 'foto.bmp', mimeType: 'image/bmp', buffer: photo })
    await tab.locator('canvas.avatar').waitFor()
    assert.equal(await tab.evaluate("document.querySelector('#picture').files[0].name"), 'foto.bmp')
    assert.match(await textOfInput(tab), /^none, rgb\(/)
    assert.deepEqual((await lookAt(tab)).faults, [])
    await tab.getByRole('button', { name: labels.ownProfile.sendPicture }).click()
    await tab.getByRole('status').filter({ hasText: labels.ownProfile.pictureSaved }).waitFor()
    const { db } = harness.service.context.storage
    const { content } = await db.selectFrom('user_pictures').select('content').where('user_id', '=', id).executeTakeFirstOrThrow()
    assert.deepEqual(
      [16, 20].map((at) => Buffer.from(content, 'base64').readUInt32BE(at)),
      [256, 256],
    )
    await tab.goto(`${harness.service.url}/account`)
    assert.equal(await tab.evaluate<number>('document.querySelector("img.avatar").naturalWidth'), 256)
  })

  it('of two tabs, the second is shown what the first has saved, and keeps what was typed', async () => {
    const { tab } = await enter()
    await open(tab, labels.ownProfile.title, labels.ownProfile.title)
    const other = await tab.context().newPage()
    await other.goto(tab.url())
    await other.getByLabel(labels.profile.fullName).fill('Ana da outra aba')
    await other.getByRole('button', { name: labels.ownProfile.submit, exact: true }).click()
    await other.getByRole('status').waitFor()
    await tab.getByLabel(labels.profile.fullName).fill('Ana desta aba')
    await tab.getByRole('button', { name: labels.ownProfile.submit, exact: true }).click()
    await tab.getByRole('alert').filter({ hasText: labels.ownProfile.changedMeanwhile }).waitFor()
    await tab.getByText('Ana da outra aba').waitFor()
    assert.equal(await tab.getByLabel(labels.profile.fullName).inputValue(), 'Ana desta aba')
    assert.deepEqual((await lookAt(tab)).faults, [])
    await tab.getByRole('button', { name: labels.ownProfile.submit, exact: true }).click()
    await tab.getByRole('status').waitFor()
    assert.equal(await tab.getByLabel(labels.profile.fullName).inputValue(), 'Ana desta aba')
  })

  it('copy and print recovery codes with a button', async () => {
    const { tab } = await enter()
    await tab.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    const codes = await turnOnSecondFactor(tab)
    await tab.getByRole('button', { name: labels.secondFactorSettings.copy, exact: true }).click()
    await tab.getByRole('button', { name: labels.secondFactorSettings.copied }).waitFor()
    assert.deepEqual((await tab.evaluate<string>('navigator.clipboard.readText()')).split(/\r?\n/), codes)
    await tab.evaluate('window.print = () => { document.title = "printed" }')
    await tab.getByRole('button', { name: labels.secondFactorSettings.print, exact: true }).click()
    assert.equal(await tab.title(), 'printed')
  })

  it('are open to all in each brand, light and dark, at 320 pixels, with the apps’ own logos', async () => {
    const deps = { ...harness.service.context, actor: 'operator:test' }
    const yellow = await changeAppearance(undefined, { accent: '#ffd400' }, deps)
    assert.ok('why' in yellow && yellow.why === 'too_little_contrast')
    const logo = await addImage(Buffer.from(wantSvg({ fill: '#8a1538' })), deps)
    assert.ok('hash' in logo)
    const { db } = harness.service.context.storage
    const product = await db.selectFrom('products').select('id').where('slug', '=', 'livraria').executeTakeFirstOrThrow()
    await changeAppearance(product.id, { logoLight: logo.hash }, deps)
    for (const look of [
      { name: 'Maré', accent: '#1a4fd6' },
      { name: 'Sol & Praia', accent: yellow.nearest },
      { name: 'Instituto', accent: '#8a1538' },
    ]) {
      await changeAppearance(undefined, look, deps)
      for (const colorScheme of ['light', 'dark'] as const) {
        const { tab, id } = await enter({ colorScheme, viewport: { width: 320, height: 640 } })
        const sharing = { scopes: 'read:profile', granted_at: 1, ip: '', user_agent: '' }
        await db
          .insertInto('consents')
          .values({ user_id: id, product_id: product.id, ...sharing })
          .execute()
        for (const path of ['/account', '/account/profile', '/account/tax-id']) {
          await tab.goto(harness.service.url + path)
          assert.deepEqual((await lookAt(tab)).faults, [], `${look.name} ${path} ${colorScheme}`)
          assert.ok(await tab.evaluate<boolean>('document.documentElement.scrollWidth <= innerWidth'), `${look.name} ${path}`)
        }
        await tab.goto(`${harness.service.url}/account`)
        assert.equal(await tab.evaluate<boolean>('document.querySelector(".apps img").naturalWidth > 0'), true)
        assert.ok(!(await tab.locator('body').innerText()).includes('Portaria'))
        await tab.context().close()
      }
    }
  })

  async function turnOnSecondFactor(tab: Page): Promise<string[]> {
    const settings = labels.secondFactorSettings
    await tab.goto(`${harness.service.url}/account/second-factor`)
    await tab.getByRole('button', { name: settings.begin, exact: true }).click()
    await heading(tab, settings.pendingTitle)
    const secret = (await tab.locator('#secret').innerText()).replaceAll(' ', '')
    await tab.getByLabel(settings.code, { exact: true }).fill(codeOf(secret, harness.service.clock.now))
    await tab.getByRole('button', { name: settings.confirm, exact: true }).click()
    await heading(tab, settings.turnedOn)
    return tab.locator('.codes li').allInnerTexts()
  }
})

/** A picture in a form that the service does not take: a bitmap of 24 bits. */
function bitmap(width: number, height: number): Buffer {
  const header = Buffer.alloc(54)
  const size = width * height * 3
  header.write('BM', 'latin1')
  header.writeUInt32LE(54 + size, 2)
  header.writeUInt32LE(54, 10)
  header.writeUInt32LE(40, 14)
  header.writeInt32LE(width, 18)
  header.writeInt32LE(height, 22)
  header.writeUInt16LE(1, 26)
  header.writeUInt16LE(24, 28)
  header.writeUInt32LE(size, 34)
  return Buffer.concat([header, Buffer.alloc(size, Buffer.from([60, 120, 200]))])
}
