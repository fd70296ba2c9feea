import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import { type Harness, startHarness } from './harness/harness.ts'
import { heading, holdSplash, isKnown, passSplash, signIn } from './harness/steps.ts'

const NAME = 'Ana Flávia Conceição'

describe('A browser with several tabs', () => {
  let harness: Harness
  before(async () => {
    harness = await startHarness()
    await harness.service.user('ana@exemplo.com.br')
    await harness.service.user('bia@exemplo.com.br', { name: 'Beatriz Souza' })
  })
  after(() => harness.close())
  afterEach(() => assert.deepEqual(harness.complaints.splice(0), []))

  it('signs in to two apps at once, each tab to its own, though the second finishes first', async () => {
    const first = await harness.visitor()
    const second = await first.context().newPage()
    await first.goto(harness.painel)
    await heading(first, 'Entrar em Painel')
    await second.goto(`${harness.livraria}/login`)
    await heading(second, 'Entrar em Livraria Aurora')

    await signIn(second, 'ana@exemplo.com.br')
    await second.getByRole('link', { name: 'Continuar para Livraria Aurora' }).click()
    await isKnown(second, harness.livraria, NAME)
    await signIn(first, 'ana@exemplo.com.br')
    await passSplash(first)
    await isKnown(first, harness.painel, NAME)
    await second.reload()
    await isKnown(second, harness.livraria, NAME)
  })

  it('asks with which account to go on when someone else has signed in meanwhile', async () => {
    await harness.service.user('caio@exemplo.com.br', { name: 'Caio Lima', profile: 'missing' })
    const first = await harness.visitor()
    const second = await first.context().newPage()
    await first.goto(harness.painel)
    await signIn(first, 'caio@exemplo.com.br')
    await heading(first, 'Complete seu cadastro')

    const callback = encodeURIComponent(`${harness.livraria}/callback`)
    await second.goto(`${harness.service.url}/auth/login?redirect_to=${callback}&prompt=login`)
    await holdSplash(second)
    await signIn(second, 'bia@exemplo.com.br')
    await heading(second, 'Olá, Beatriz!')
    await second.close()

    await first.getByLabel('CPF ou CNPJ').fill('390.533.447-05')
    await first.getByLabel('Telefone').fill('(11) 98765-4321')
    await first.getByRole('button', { name: 'Salvar e continuar' }).click()
    await heading(first, 'Com qual conta você quer seguir?')
    await first.getByRole('link', { name: 'Continuar como Beatriz Souza' }).click()
    await isKnown(first, harness.painel, 'Beatriz Souza')
  })

  it('shows nothing of a user with the back button once they have signed out', async () => {
    const tab = await harness.visitor()
    await tab.goto(`${harness.service.url}/account`)
    await signIn(tab, 'ana@exemplo.com.br')
    await passSplash(tab)
    await heading(tab, 'Sua conta')
    await tab.goto(harness.painel)
    await isKnown(tab, harness.painel, NAME)
    await tab.getByRole('link', { name: 'Sign out' }).click()
    await heading(tab, 'Entrar em Painel')

    await tab.goBack()
    await heading(tab, 'Entrar em Painel')
    await tab.goto(`${harness.service.url}/account`)
    await heading(tab, 'Entrar na sua conta')
    assert.equal(await tab.getByText(NAME).count(), 0)
  })
})
