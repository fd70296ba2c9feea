import assert from 'node:assert/strict'
import { after, afterEach, before, it } from 'node:test'
import { eachDatabase } from '../server/test/support/databases.ts'
import { type Harness, startHarness } from './harness/harness.ts'
import { holdSplash, signIn } from './harness/steps.ts'

eachDatabase('The first visit', (database) => {
  let harness: Harness
  before(async () => {
    harness = await startHarness(await database.fresh())
  })
  after(() => harness.close())
  afterEach(() => assert.deepEqual(harness.complaints, []))

  it('leads from the form through the profile and the splash to the internal app, then to the external one, and ends everywhere at once', async () => {
    const { service, painel, livraria } = harness
    await service.user('ana@exemplo.com.br', { profile: 'missing' })
    const tab = await harness.visitor()
    const splash = await holdSplash(tab)

    await tab.goto(painel)
    await tab.getByRole('heading', { name: 'Entrar em Painel' }).waitFor()
    await signIn(tab, 'ana@exemplo.com.br')

    await tab.getByRole('heading', { name: 'Complete seu cadastro' }).waitFor()
    assert.equal(await tab.getByLabel('Nome completo').inputValue(), 'Ana Flávia Conceição')
    await tab.getByLabel('CPF ou CNPJ').fill('529.982.247-25')
    await tab.getByLabel('Telefone').fill('(11) 98765-4321')
    await tab.getByRole('button', { name: 'Salvar e continuar' }).click()

    await tab.getByRole('heading', { name: 'Olá, Ana!' }).waitFor()
    assert.equal(await splash.release(), 4)
    await tab.getByRole('heading', { name: 'Painel', exact: true }).waitFor()
    assert.equal(tab.url(), `${painel}/`)
    await tab.getByText('Ana Flávia Conceição').waitFor()

    await tab.goto(livraria)
    await tab.getByRole('link', { name: 'Sign in with Portaria' }).click()
    await tab.getByRole('heading', { name: 'Ana, é a primeira vez que você entra em Livraria Aurora' }).waitFor()
    const received = tab.getByRole('region', { name: 'Livraria Aurora vai receber:' })
    assert.deepEqual(await received.getByRole('listitem').allInnerTexts(), ['Seu perfil: nome, foto, empresa e plano', 'Seu e-mail'])
    await tab.getByRole('link', { name: 'Cancelar' }).click()
    await tab.getByRole('heading', { name: 'Sua conta' }).waitFor()

    await tab.goto(livraria)
    await tab.getByRole('link', { name: 'Sign in with Portaria' }).click()
    await tab.getByRole('link', { name: 'Continuar para Livraria Aurora' }).click()
    await tab.getByText('Ana Flávia Conceição').waitFor()
    assert.equal(tab.url(), `${livraria}/`)

    await tab.getByRole('button', { name: 'Sign out of the bookshop' }).click()
    await tab.getByRole('link', { name: 'Sign in with Portaria' }).click()
    await tab.getByText('Ana Flávia Conceição').waitFor()

    await tab.goto(service.url)
    await tab.getByRole('link', { name: 'Sair' }).click()
    await tab.getByRole('heading', { name: 'Você saiu' }).waitFor()
    await tab.goto(livraria)
    await tab.getByText('You are not signed in').waitFor()
    await tab.goto(painel)
    await tab.getByRole('heading', { name: 'Entrar em Painel' }).waitFor()
  })
})
