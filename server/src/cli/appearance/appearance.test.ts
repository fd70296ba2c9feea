import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, before, it } from 'node:test'
import { commandLine, MASTER_KEY } from '../../../test/support/command-line.ts'
import { eachDatabase } from '../../../test/support/databases.ts'
import { wantPng, wantSvg } from '../../../test/support/routes/brand-files.ts'

eachDatabase('The command appearance', (database) => {
  let folder = ''
  const file = async (name: string, content: string | Buffer) => {
    await writeFile(path.join(folder, name), content)
    return path.join(folder, name)
  }
  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'portaria-look-'))
  })
  after(() => rm(folder, { recursive: true }))

  it('sets a look for all pages or for those of a product, and shows what counts', async () => {
    const portaria = commandLine(await database.fresh(), { PORTARIA_MASTER_KEY: MASTER_KEY, PORTARIA_URL: 'https://sso.example.com' })
    await portaria('product create --slug academy --name Academy --audience internal --checkout external')
    assert.match((await portaria('appearance show')).out, /^name +not set$/m)
    const logo = await file('logo.svg', wantSvg())
    const icon = await file('icon.png', wantPng(32, 32))
    const set = await portaria(
      `appearance set --name Cursos --accent 1a4fd6 --logo ${logo} --favicon ${icon} --support mailto:a@b.example --json`,
    )
    assert.equal(set.code, 0, set.err)
    assert.deepEqual([set.json.name, set.json.accent, set.json.support_url], ['Cursos', '#1a4fd6', 'mailto:a@b.example'])
    assert.match(set.json.shown.logo_light_url, /^https:\/\/sso\.example\.com\/assets\/brand\/[0-9a-f]{32}\.svg$/)
    const product = await portaria('appearance set --product academy --footer Ltda')
    assert.match(product.out, /^name +Cursos \(the operator's\)$/m)
    assert.match(product.out, /^footer +Ltda$/m)
    assert.match((await portaria('appearance set --clear name --clear logo')).out, /^name +not set$/m)
    const entries = (await portaria('audit list --json')).json.filter(({ action }: { action: string }) => action.startsWith('appearance.'))
    assert.deepEqual(
      entries.map(({ action }: { action: string }) => action),
      ['appearance.change', 'appearance.change', 'appearance.change', 'appearance.add_image', 'appearance.add_image'],
    )
    assert.deepEqual(entries[0].after, { name: null, logoLight: null })
  })

  it('says what is wrong and what to do, and changes nothing', async () => {
    const portaria = commandLine(await database.fresh())
    const script = await file('script.svg', '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><script/></svg>')
    const large = await file('large.png', Buffer.alloc(10 * 1024 * 1024))
    const wide = await file('wide.png', wantPng(60, 20))
    for (const [line, code, says] of [
      ['set', 2, /say what to change/],
      ['set --accent ffd400', 1, /1\.32:1 and needs 4\.5:1 to be read; the nearest colour that has it is #[0-9a-f]{6}$/m],
      ['set --accent red', 1, /--accent: expects a colour as #1a4fd6/],
      [`set --logo ${script}`, 1, /script\.svg: an SVG may draw and nothing else; it has an element that may do more \(script\)$/m],
      [`set --logo ${large}`, 1, /large\.png: a picture may have 200 KB at most$/m],
      [`set --logo ${folder}`, 1, /there is no such file$/m],
      [`set --favicon ${wide}`, 1, /--favicon: expects a square picture$/m],
      [`set --logo-dark ${wide}`, 1, /--logo-dark: expects a logo for the light scheme too/],
      ['set --support javascript:alert', 1, /--support: expects an address that begins with https:\/\/ or mailto:$/m],
      ['set --clear colour', 2, /Expected name, accent/],
      ['show --product nothing', 1, /product/],
    ] as const) {
      const said = await portaria(`appearance ${line}`)
      assert.equal(said.code, code, `${line}: ${said.err}`)
      assert.match(said.err, says)
    }
    assert.equal((await portaria('appearance show --json')).json.accent, null)
  })
})
