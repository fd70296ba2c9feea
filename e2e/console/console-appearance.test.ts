import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { appearanceStore } from '../../server/src/appearance/index.ts'
import { wantPng, wantSvg } from '../../server/test/support/routes/brand-files.ts'
import { until } from '../../server/test/support/until.ts'
import { adminOf, versionOf } from '../../server/test/support/users/admins.ts'
import { heading } from '../harness/steps.ts'
import { assertFits, type ConsoleHarness, showPage, startConsoleHarness } from './console-harness.ts'

const PHONE = { viewport: { width: 390, height: 844 } }

describe('The appearance of pages and mails in the console', () => {
  let harness: ConsoleHarness
  let admin: string
  before(async () => {
    harness = await startConsoleHarness()
    admin = `${harness.service.url}/admin`
  })
  after(() => harness.close())
  afterEach(() => assert.deepEqual(harness.complaints, []))

  const frameOf = (page: Page) => page.frameLocator('iframe')
  const field = (page: Page, label: string) => page.getByRole('textbox', { name: label, exact: true })
  /** Of the preview as it is drawn, from 0 to 255. The frame itself is another one with each choice. */
  const brightnessOf = async (page: Page) => {
    const picture = (await page.getByRole('region', { name: 'Prévia' }).screenshot()).toString('base64')
    return page.evaluate<number>(`(async () => {
      const image = new Image()
      image.src = 'data:image/png;base64,${picture}'
      await image.decode()
      const canvas = Object.assign(document.createElement('canvas'), { width: 1, height: 1 })
      const context = canvas.getContext('2d')
      context.drawImage(image, 0, 0, 1, 1)
      return context.getImageData(0, 0, 1, 1).data.slice(0, 3).reduce((sum, part) => sum + part) / 3
    })()`)
  }
  const pixelsOf = (page: Page, picture: string, places: Array<[number, number]>) =>
    page.evaluate<string[]>(`(async () => {
      const image = new Image()
      image.src = 'data:image/png;base64,${picture}'
      await image.decode()
      const context = Object.assign(document.createElement('canvas'), { width: 180, height: 180 }).getContext('2d', { willReadFrequently: true })
      context.drawImage(image, 0, 0)
      return ${JSON.stringify(places)}.map(([x, y]) => context.getImageData(x, y, 1, 1).data.slice(0, 3).join(','))
    })()`)
  const save = async (page: Page) => {
    // The message of an earlier save may still be shown.
    const answered = page.waitForResponse((response) => ['PUT', 'PATCH'].includes(response.request().method()))
    await page.getByRole('button', { name: 'Salvar', exact: true }).click()
    await answered
    await page.getByText('Salvo').first().waitFor()
  }

  it('is typed and seen at once, says whether a colour can be read, and is saved with its logo', async () => {
    const page = await harness.administrator('owner', { email: 'dona-cara@example.com' })
    await page.getByRole('link', { name: 'Aparência', exact: true }).click()
    await heading(page, 'Aparência')
    await frameOf(page).getByRole('heading', { level: 1 }).waitFor()
    await field(page, 'Nome').fill('Cursos <b>do João</b>')
    await frameOf(page).getByText('Cursos <b>do João</b>').first().waitFor()

    await field(page, 'Cor').fill('#ffd400')
    await page.getByText('Contraste 1,32:1. Para ler bem, o mínimo é 4,5:1.').waitFor()
    await assertFits(page)
    await page.getByRole('button', { name: /^Usar #/ }).click()
    await page.getByText(/^Contraste 4,5\d:1. Dá para ler.$/).waitFor()

    const logo = page.getByLabel('Logo', { exact: true }).and(page.locator('input'))
    await logo.setInputFiles({
      name: 'x.svg',
      mimeType: 'image/svg+xml',
      buffer: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><script/></svg>'),
    })
    await page.getByText('Um SVG só pode desenhar, e este tem um elemento que faz mais').waitFor()
    await logo.setInputFiles({ name: 'grande.png', mimeType: 'image/png', buffer: Buffer.alloc(300_000) })
    await page.getByText('A imagem pode ter até 200 KB').waitFor()
    await logo.setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: wantPng(440, 112) })
    await frameOf(page).getByRole('img', { name: 'Cursos <b>do João</b>' }).waitFor()

    await field(page, 'Termos de uso').fill('https://cursos.example/termos')
    await page.getByRole('button', { name: 'Cadastro', exact: true }).click()
    await frameOf(page)
      .getByText(/termos/i)
      .first()
      .waitFor()
    await page.getByRole('button', { name: 'E-mail', exact: true }).click()
    await frameOf(page).getByText('482913').first().waitFor()
    await page.getByRole('combobox', { name: 'Idioma' }).click()
    await page.getByRole('option', { name: 'English' }).click()
    await frameOf(page).getByText('Terms of use').waitFor()
    await save(page)
    await assertFits(page)

    const visitor = await harness.visitor()
    await visitor.goto(`${harness.service.url}/login`)
    await visitor.getByRole('img', { name: 'Cursos <b>do João</b>' }).waitFor()

    await field(page, 'Ajuda').fill('javascript:alert(1)')
    await page.getByRole('button', { name: 'Salvar', exact: true }).click()
    await page.getByText('Confira o formato').waitFor()
    await field(page, 'Ajuda').fill('')
  })

  // A frame without scripts runs nothing for a test either: the picture says what it looks like, as it does for the administrator.
  it('has a dark scheme in the preview, and leads nowhere from it', async () => {
    const page = await harness.administrator('owner', { email: 'dona-escura@example.com' })
    await showPage(page, `${admin}/appearance`)
    for (const kind of ['Entrada', 'Cadastro', 'E-mail']) {
      await page.getByRole('button', { name: kind, exact: true }).click()
      for (const [scheme, isOf] of [
        ['Claro', (brightness: number) => brightness > 190],
        ['Escuro', (brightness: number) => brightness < 100],
      ] as const) {
        await page.getByRole('button', { name: scheme, exact: true }).click()
        await until(async () => isOf(await brightnessOf(page)))
      }
      assert.equal(await frameOf(page).locator('a[href], script').count(), 0)
    }
  })

  it('is a product’s own from its page, and empty fields show the operator’s; on a phone it fits', async () => {
    const { product } = await harness.service.product({ slug: 'marca', name: 'Marca', audience: 'external', checkout: 'external' })
    const page = await harness.administrator('owner', { email: 'dona-marca@example.com', context: PHONE })
    await showPage(page, `${admin}/products/${product.id}/show?tab=appearance`)
    await page.getByRole('region', { name: 'Aparência' }).getByRole('link', { name: 'Abrir' }).click()
    await heading(page, 'Aparência de Marca')
    assert.equal(await field(page, 'Nome').getAttribute('placeholder'), 'Cursos <b>do João</b>')
    await field(page, 'Nome').fill('Marca própria')
    await page
      .getByLabel('Logo', { exact: true })
      .and(page.locator('input'))
      .setInputFiles({ name: 'logo.svg', mimeType: 'image/svg+xml', buffer: Buffer.from(wantSvg()) })
    await frameOf(page).getByRole('img', { name: 'Marca própria' }).waitFor()
    await page.getByRole('img', { name: 'Ícone para celulares' }).waitFor()
    await assertFits(page)
    await save(page)
    await page.getByRole('button', { name: 'Remover: Logo', exact: true }).click()
    await save(page)
  })

  it('draws the icon of phones and messengers from a logo, and from the icon once there is one', async () => {
    const { product } = await harness.service.product({ slug: 'icones', name: 'Icones' })
    const page = await harness.administrator('owner', { email: 'dona-icone@example.com' })
    await showPage(page, `${admin}/products/${product.id}/appearance`)
    await heading(page, 'Aparência de Icones')
    const choose = (label: string, svg: string) =>
      page
        .getByLabel(label, { exact: true })
        .and(page.locator('input'))
        .setInputFiles({ name: 'x.svg', mimeType: 'image/svg+xml', buffer: Buffer.from(svg) })
    const stored = async () => {
      const look = await appearanceStore(harness.service.context.storage.db).find(product.id)
      const image = await appearanceStore(harness.service.context.storage.db).findImage(look.touchIcon ?? '')
      return image && { type: image.type, width: image.width, height: image.height, content: image.content.toString('base64') }
    }
    const drawn = page.getByRole('img', { name: 'Ícone para celulares' })
    await choose('Logo', wantSvg({ fill: '#00ff00' }))
    await drawn.waitFor()
    const first = await drawn.getAttribute('src')
    await save(page)
    const ofLogo = await stored()
    assert.deepEqual([ofLogo?.type, ofLogo?.width, ofLogo?.height], ['png', 180, 180])
    // White around a logo that is wide; its own colour in the middle.
    assert.deepEqual(
      await pixelsOf(page, ofLogo?.content ?? '', [
        [4, 4],
        [90, 90],
        [90, 40],
      ]),
      ['255,255,255', '0,255,0', '255,255,255'],
    )
    await choose('Ícone', wantSvg({ fill: '#0000ff', width: 32, height: 32 }))
    await until(async () => (await drawn.getAttribute('src')) !== first)
    await save(page)
    const ofIcon = await stored()
    assert.deepEqual(
      await pixelsOf(page, ofIcon?.content ?? '', [
        [90, 90],
        [90, 2],
      ]),
      ['0,0,255', '0,0,255'],
    )
    // The icon counts, and another logo changes nothing about it.
    await choose('Logo', wantSvg({ fill: '#ff0000' }))
    await until(async () => (await page.getByRole('button', { name: 'Salvar', exact: true }).isEnabled()) === true)
    await save(page)
    assert.equal((await stored())?.content, ofIcon?.content)
  })

  it('keeps what is typed when somebody else was faster, and asks before it is lost', async () => {
    const { product } = await harness.service.product({ slug: 'corrida', name: 'Corrida' })
    const page = await harness.administrator('owner', { email: 'dona-lenta@example.com' })
    await showPage(page, `${admin}/products/${product.id}/appearance`)
    await heading(page, 'Aparência de Corrida')
    await field(page, 'Nome').fill('Nome digitado')
    const faster = await adminOf(harness.service, 'dona-rapida@example.com', 'owner')
    const path = `/products/${product.id}/appearance`
    const body = { name: 'Nome da outra', footer: 'Rodapé da outra' }
    assert.equal((await faster.send('PATCH', path, body, { version: versionOf(await faster.get(path)) })).status, 200)
    await page.getByRole('button', { name: 'Salvar', exact: true }).click()
    await page.getByText('O que você digitou ficou').waitFor()
    await until(async () => (await field(page, 'Rodapé').inputValue()) === 'Rodapé da outra')
    assert.equal(await field(page, 'Nome').inputValue(), 'Nome digitado')

    const asked: string[] = []
    const answers = ['dismiss', 'accept'] as const
    page.on('dialog', (dialog) => void dialog[answers[asked.push(dialog.message()) - 1] ?? 'dismiss']())
    const leave = () => page.getByRole('link', { name: 'Produtos', exact: true }).click()
    await leave()
    await until(() => asked.length === 1)
    await heading(page, 'Aparência de Corrida')
    assert.equal(await field(page, 'Nome').inputValue(), 'Nome digitado')
    await leave()
    await heading(page, 'Produtos')
    assert.deepEqual(asked, Array(2).fill('Há alterações que não foram salvas. Sair assim mesmo?'))

    await showPage(page, `${admin}/products/${product.id}/appearance`)
    await heading(page, 'Aparência de Corrida')
    await field(page, 'Nome').fill('Nome digitado')
    await save(page)
    await leave()
    await heading(page, 'Produtos')
    assert.equal(asked.length, 2, 'nothing to lose')
    assert.equal((await faster.get(path)).json<{ name: string }>().name, 'Nome digitado')
  })

  it('keeps what is typed while it is being saved', async () => {
    const { product } = await harness.service.product({ slug: 'veloz', name: 'Veloz' })
    const page = await harness.administrator('owner', { email: 'dona-veloz@example.com' })
    await showPage(page, `${admin}/products/${product.id}/appearance`)
    await heading(page, 'Aparência de Veloz')
    await field(page, 'Nome').fill('Nome salvo')
    const { promise, resolve: release } = Promise.withResolvers<void>()
    await page.route('**/appearance', (route) =>
      (route.request().method() === 'PATCH' ? promise : Promise.resolve()).then(() => route.continue()),
    )
    await page.getByRole('button', { name: 'Salvar', exact: true }).click()
    await field(page, 'Nome').fill('Nome de depois')
    await field(page, 'Rodapé').fill('Rodapé de depois')
    release()
    await page.getByText('Salvo').first().waitFor()
    await page.unrouteAll()
    assert.equal(await field(page, 'Nome').inputValue(), 'Nome de depois')
    assert.equal(await field(page, 'Rodapé').inputValue(), 'Rodapé de depois')
    await save(page)
    await until(async () => (await page.getByRole('button', { name: 'Salvar', exact: true }).isDisabled()) === true)
  })

  it('shows what was saved, also where it could not be read again', async () => {
    const { product } = await harness.service.product({ slug: 'surdo', name: 'Surdo' })
    const page = await harness.administrator('owner', { email: 'dona-surda@example.com' })
    await showPage(page, `${admin}/products/${product.id}/appearance`)
    await heading(page, 'Aparência de Surdo')
    await field(page, 'Nome').fill('Nome salvo')
    await page.route('**/appearance', (route) => (route.request().method() === 'GET' ? route.abort() : route.continue()))
    await page.getByRole('button', { name: 'Salvar', exact: true }).click()
    await page.getByText('Salvo').first().waitFor()
    await until(() => page.getByRole('button', { name: 'Salvar', exact: true }).isDisabled())
    assert.equal(await field(page, 'Nome').inputValue(), 'Nome salvo')
    await field(page, 'Nome').fill('Outro nome')
    await page.getByRole('button', { name: 'Salvar', exact: true }).click()
    await until(() => page.getByRole('button', { name: 'Salvar', exact: true }).isDisabled())
    assert.equal(await field(page, 'Nome').inputValue(), 'Outro nome')
    await page.unrouteAll()
  })

  it('is shown to a viewer, who changes nothing', async () => {
    const page = await harness.administrator('viewer', { email: 'olha-cara@example.com' })
    await showPage(page, `${admin}/appearance`)
    await heading(page, 'Aparência')
    await frameOf(page).getByRole('heading', { level: 1 }).waitFor()
    assert.equal(await page.getByRole('button', { name: 'Salvar' }).count(), 0)
    assert.equal(await field(page, 'Nome').isEditable(), false)
  })
})
