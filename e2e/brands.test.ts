import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import { addImage, changeAppearance } from '../server/src/appearance/index.ts'
import { texts } from '../server/src/pages/texts.ts'
import { wantPng, wantSvg } from '../server/test/support/routes/brand-files.ts'
import { lookAt } from './harness/axe.ts'
import { type Harness, startHarness } from './harness/harness.ts'
import { holdSplash, signIn } from './harness/steps.ts'

const labels = texts['pt-BR']

describe('Pages in the operator’s name', () => {
  let harness: Harness
  const deps = () => ({ ...harness.service.context, actor: 'operator:test' })
  before(async () => {
    harness = await startHarness()
  })
  after(() => harness.close())
  afterEach(() => assert.deepEqual(harness.complaints.splice(0), []))

  const image = async (content: string | Buffer) => {
    const added = await addImage(Buffer.from(content), deps())
    return 'refusal' in added ? assert.fail(added.refusal) : added.hash
  }
  const show = async (look: Parameters<typeof changeAppearance>[1]) => {
    const changed = await changeAppearance(undefined, look, deps())
    assert.ok(!('refusal' in changed), JSON.stringify(changed))
  }

  it('are open to all in each brand, light and dark, show the logo of the scheme, and fit a phone', async () => {
    const yellow = await changeAppearance(undefined, { accent: '#ffd400' }, deps())
    assert.ok('why' in yellow && yellow.why === 'too_little_contrast')
    const common = { supportUrl: 'mailto:a@b.example', termsUrl: 'https://b.example/t', privacyUrl: 'https://b.example/p', footer: 'Ltda' }
    const logos = { logoLight: await image(wantSvg()), logoDark: await image(wantPng(400, 100)) }
    for (const look of [
      { name: 'Maré', accent: '#1a4fd6', ...common, ...logos },
      { name: 'Sol & Praia', accent: yellow.nearest, logoLight: null, logoDark: null },
      { name: 'Instituto Brasileiro de Estudos Avançados em Gestão', accent: '#8a1538', favicon: await image(wantPng(64, 64)) },
    ]) {
      await show(look)
      for (const colorScheme of ['light', 'dark'] as const) {
        const tab = await harness.visitor({ colorScheme, viewport: { width: 320, height: 640 } })
        for (const path of ['/login', '/sign-up']) {
          await tab.goto(harness.service.url + path)
          assert.deepEqual((await lookAt(tab)).faults, [], `${look.name} ${path} ${colorScheme}`)
          assert.ok(await tab.evaluate<boolean>('document.documentElement.scrollWidth <= innerWidth'), `${look.name} ${path}`)
          const shown = await tab.evaluate<string[]>('[...document.images].map((one) => one.naturalWidth > 0 ? one.currentSrc : "broken")')
          const suffix = colorScheme === 'dark' ? '.png' : '.svg'
          assert.deepEqual(
            shown.map((address) => address.slice(-4)),
            'logoLight' in look && look.logoLight ? [suffix] : [],
          )
        }
        await tab.context().close()
      }
    }
  })

  it('ask with a click before the first sharing with another company, and show the splash then', async () => {
    const user = await harness.service.user('clica@exemplo.com.br', { name: 'Ana' })
    const tab = await harness.visitor()
    const splash = await holdSplash(tab)
    await tab.goto(`${harness.livraria}/login`)
    await signIn(tab, user.email, { labels })
    await tab.getByRole('heading', { name: labels.welcome.sharingTitle('Ana', 'Livraria Aurora') }).waitFor()
    assert.equal(await tab.locator('.countdown').count(), 0)
    await tab.getByRole('link', { name: 'Continuar para Livraria Aurora' }).click()
    await tab.getByText(labels.welcome.leadFor('Livraria Aurora')).waitFor()
    await splash.release()
    await tab.waitForURL(`${harness.livraria}/**`)
  })
})
