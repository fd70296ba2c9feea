import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import { MINUTE_MS } from '../server/src/kit/index.ts'
import { texts } from '../server/src/pages/texts.ts'
import { PASSWORD } from '../server/test/support/service.ts'
import { lookAt } from './harness/axe.ts'
import { type Harness, startHarness } from './harness/harness.ts'
import { heading, holdSplash, isKnown, passSplash, signIn } from './harness/steps.ts'

const NAME = 'Ana Flávia Conceição'

describe('Signing in', () => {
  let harness: Harness
  before(async () => {
    harness = await startHarness()
    await harness.service.user('ana@exemplo.com.br')
  })
  after(() => harness.close())
  afterEach(() => assert.deepEqual(harness.complaints.splice(0), []))

  it('forgives a wrong password: the form says what to do beside the fields, keeps the address, and takes the right one', async () => {
    const tab = await harness.visitor()
    await tab.goto(harness.painel)
    await signIn(tab, 'ana@exemplo.com.br', { password: 'errada' })
    await tab.getByRole('alert').filter({ hasText: 'E-mail ou senha incorretos' }).waitFor()
    const password = tab.getByLabel('Senha')
    assert.equal(await tab.getByLabel('E-mail').inputValue(), 'ana@exemplo.com.br')
    assert.equal(await password.inputValue(), '')
    await password.and(tab.locator(':focus')).waitFor()
    assert.equal(
      await tab.getByRole('textbox', { name: 'Senha', description: 'Digite a senha de novo.' }).getAttribute('aria-invalid'),
      'true',
    )
    assert.match(await tab.title(), /^Erro: /)
    await signIn(tab, 'ana@exemplo.com.br')
    await passSplash(tab)
    await isKnown(tab, harness.painel, NAME)
  })

  it('shows the password on request, by keyboard too, and sends it as one', async () => {
    const tab = await harness.visitor()
    await tab.goto(harness.painel)
    const password = tab.getByLabel('Senha')
    await password.fill(PASSWORD)
    const button = tab.getByRole('button', { name: 'Mostrar senha' })
    await password.press('Tab')
    await button.and(tab.locator(':focus')).waitFor()
    await tab.keyboard.press('Space')
    assert.deepEqual([await password.getAttribute('type'), await password.inputValue()], ['text', PASSWORD])
    await tab.getByRole('button', { name: 'Ocultar senha' }).click()
    assert.equal(await password.getAttribute('type'), 'password')
    await button.click()
    assert.deepEqual((await lookAt(tab)).faults, [])
    await signIn(tab, 'ana@exemplo.com.br')
    await passSplash(tab)
    await isKnown(tab, harness.painel, NAME)
  })

  it('gives a tax id and a phone their usual form while they are typed, and leaves corrections alone', async () => {
    await harness.service.user('nova@exemplo.com.br', { profile: 'missing' })
    const tab = await harness.visitor()
    await tab.goto(harness.painel)
    await signIn(tab, 'nova@exemplo.com.br')
    const taxId = tab.locator('[name=tax_id]')
    await taxId.waitFor()
    // The script that gives the form comes after the page.
    await tab.waitForLoadState()
    for (const [typed, shown] of [
      ['52998224725', '529.982.247-25'],
      ['12abc34501de35', '12.ABC.345/01DE-35'],
      ['529.982', '529.982'],
      ['?1', '?1'],
    ] as const) {
      await taxId.fill('')
      await taxId.pressSequentially(typed)
      assert.equal(await taxId.inputValue(), shown)
    }
    await taxId.fill('')
    await taxId.pressSequentially('52998224725')
    await taxId.press('ArrowLeft')
    await taxId.press('Backspace')
    assert.equal(await taxId.inputValue(), '529.982.247-5')
    const phone = tab.locator('[name=phone]')
    for (const [typed, shown] of [
      ['11912345678', '(11) 91234-5678'],
      ['1133334444', '(11) 3333-4444'],
      ['+4930123456', '+4930123456'],
    ] as const) {
      await phone.fill('')
      await phone.pressSequentially(typed)
      assert.equal(await phone.inputValue(), shown)
    }
  })

  it('asks for the NDA, lets it wait, asks again at the next sign-in, and makes a beta user of whoever accepts', async () => {
    await harness.service.user('beta@exemplo.com.br', { beta: true })
    const tab = await harness.visitor()
    await tab.goto(harness.painel)
    await signIn(tab, 'beta@exemplo.com.br')
    await heading(tab, 'Acordo de confidencialidade')
    await tab.getByRole('button', { name: 'Agora não' }).click()
    await passSplash(tab)
    await isKnown(tab, harness.painel, 'no')
    await tab.getByRole('link', { name: 'Sign out' }).click()

    await signIn(tab, 'beta@exemplo.com.br')
    await tab.getByRole('button', { name: 'Aceitar e continuar' }).click()
    await tab.getByRole('alert').filter({ hasText: 'Marque a caixa para aceitar' }).waitFor()
    await tab.getByLabel('Li e aceito o acordo de confidencialidade').check()
    await tab.getByRole('button', { name: 'Aceitar e continuar' }).click()
    await passSplash(tab)
    await isKnown(tab, harness.painel, 'yes')
  })

  it('goes on where it was when the language is switched, before and after a mistake, and remembers the language', async () => {
    const tab = await harness.visitor()
    await tab.goto(harness.painel)
    await tab.getByRole('link', { name: 'English' }).click()
    await heading(tab, 'Sign in to Painel')
    await signIn(tab, 'ana@exemplo.com.br', { password: 'wrong', labels: texts.en })
    await tab.getByRole('alert').filter({ hasText: 'Wrong email or password' }).waitFor()
    await tab.getByRole('link', { name: 'Español' }).click()
    await heading(tab, texts.es.login.titleFor('Painel'))
    await holdSplash(tab)
    await signIn(tab, 'ana@exemplo.com.br', { labels: texts.es })
    await heading(tab, texts.es.welcome.title('Ana'))
    await tab.getByRole('link', { name: 'English' }).click()
    await tab.getByRole('link', { name: 'Continue now' }).click()
    await isKnown(tab, harness.painel, NAME)
  })

  it('needs no mouse: Tab and Enter lead from the form to the app, and where they stand can be seen', async () => {
    const tab = await harness.visitor()
    await holdSplash(tab)
    await tab.goto(harness.painel)
    await heading(tab, 'Entrar em Painel')
    const focused = tab.locator(':focus')
    const outline = () => tab.evaluate<number>('parseFloat(getComputedStyle(document.activeElement).outlineWidth)')
    await tab.getByLabel('E-mail').and(focused).waitFor()
    await tab.keyboard.type('ana@exemplo.com.br')
    assert.ok((await outline()) >= 2)
    await tab.keyboard.press('Tab')
    await tab.keyboard.type(PASSWORD)
    await tab.keyboard.press('Tab')
    assert.match(await focused.innerText(), /^Mostrar\s+senha$/)
    assert.ok((await outline()) >= 2)
    await tab.keyboard.press('Tab')
    assert.equal(await focused.innerText(), 'Esqueci minha senha')
    await tab.keyboard.press('Tab')
    assert.equal(await focused.innerText(), 'Entrar')
    assert.ok((await outline()) >= 2)
    await tab.keyboard.press('Enter')
    await heading(tab, 'Olá, Ana!')
    await tab.keyboard.press('Tab')
    assert.equal(await focused.innerText(), 'Continuar agora')
    assert.ok((await outline()) >= 2)
    await tab.keyboard.press('Enter')
    await isKnown(tab, harness.painel, NAME)
  })

  it('needs no JavaScript, from the first form to the sign-out', async () => {
    await harness.service.user('bia@exemplo.com.br', { name: 'Beatriz Souza', profile: 'missing' })
    const tab = await harness.visitor({ javaScriptEnabled: false })
    const splash = await holdSplash(tab)
    await tab.goto(harness.painel)
    await signIn(tab, 'bia@exemplo.com.br')
    await tab.getByLabel('CPF ou CNPJ').fill('111.444.777-35')
    await tab.getByLabel('Telefone').fill('+351 912 345 678')
    await tab.getByRole('button', { name: 'Salvar e continuar' }).click()
    await heading(tab, 'Olá, Beatriz!')
    await splash.release()
    await isKnown(tab, harness.painel, 'Beatriz Souza')
    await tab.goto(`${harness.livraria}/login`)
    await heading(tab, 'Beatriz, é a primeira vez que você entra em Livraria Aurora')
    await tab.getByRole('link', { name: 'Continuar para Livraria Aurora' }).click()
    await isKnown(tab, harness.livraria, 'Beatriz Souza')
    await tab.goto(`${harness.service.url}/account`)
    await tab.getByRole('link', { name: 'Sair' }).click()
    await heading(tab, 'Você saiu')
    await tab.goto(harness.livraria)
    await tab.getByRole('link', { name: 'Sign in with Portaria' }).waitFor()
  })

  it('fits a phone, by touch', async () => {
    const tab = await harness.visitor({ viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true })
    await holdSplash(tab)
    await tab.goto(harness.painel)
    const width = () => tab.evaluate<number>('document.documentElement.scrollWidth')
    assert.equal(await width(), 360)
    await tab.getByLabel('E-mail').fill('ana@exemplo.com.br')
    await tab.getByLabel('Senha').fill(PASSWORD)
    await tab.getByRole('button', { name: 'Entrar', exact: true }).tap()
    await heading(tab, 'Olá, Ana!')
    assert.equal(await width(), 360)
    await tab.getByRole('link', { name: 'Continuar agora' }).tap()
    await isKnown(tab, harness.painel, NAME)
  })

  it('says so when a form was left open too long, and starts again', async () => {
    const { clock } = harness.service
    const tab = await harness.visitor()
    await tab.goto(harness.painel)
    await heading(tab, 'Entrar em Painel')
    clock.now += 31 * MINUTE_MS
    try {
      await signIn(tab, 'ana@exemplo.com.br')
      await heading(tab, 'Esta entrada não vale mais')
      await tab.getByRole('link', { name: 'Entrar na sua conta' }).click()
      await heading(tab, 'Entrar na sua conta')
    } finally {
      clock.now -= 31 * MINUTE_MS
    }
  })
})
