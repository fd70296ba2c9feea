import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, afterEach, before, describe, it } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { DAY_MS, firstIdAt } from '../../server/src/kit/index.ts'
import { bring, completed, notify, subscriptionsOf, WEBHOOKS } from '../../server/test/support/gateways/purchases.ts'
import { cpfOf, giveTaxId } from '../../server/test/support/users/tax-ids.ts'
import { heading, passSplash, signIn } from '../harness/steps.ts'
import { agreeTo, assertFits, type ConsoleHarness, showPage, startConsoleHarness } from './console-harness.ts'

const MARKUP = '<img src=x onerror="window.hacked=1"><b>Mel</b>'
const PHONE = { width: 390, height: 844 }
const ELEVEN_MINUTES = 11 * 60_000

describe('Users in the console', () => {
  let harness: ConsoleHarness
  let admin: string
  before(async () => {
    harness = await startConsoleHarness(WEBHOOKS)
    admin = `${harness.service.url}/admin`
  })
  after(() => harness.close())
  afterEach(() => assert.deepEqual(harness.complaints, []))

  const section = (page: Page, name: string) => page.getByRole('region', { name, exact: true })

  const menuOf = (page: Page) => page.getByRole('navigation', { name: 'Menu do console' })
  const fromMenu = (page: Page, name: string) => menuOf(page).getByRole('link', { name, exact: true }).click()

  /** Opens a user's page. */
  async function open(page: Page, { id }: { id: string }, name?: string): Promise<void> {
    await showPage(page, `${admin}/users/${id}/show`)
    await (name === undefined ? page.getByRole('heading', { level: 1 }).waitFor() : heading(page, name))
    await section(page, 'Perfil').waitFor()
  }

  /** An action by its button and its dialog, until that is gone. */
  async function doIt(page: Page, action: string, given: { reason?: string } = {}): Promise<void> {
    await fill(page, action, given)
    await agreeTo(page, action)
  }

  /** An action's dialog, filled in. */
  async function fill(page: Page, action: string, { reason, email }: { reason?: string; email?: string } = {}): Promise<Locator> {
    await page.getByRole('button', { name: action, exact: true }).first().click()
    const dialog = page.getByRole('dialog', { name: action })
    if (email !== undefined) await dialog.getByLabel('Digite o e-mail').fill(email)
    if (reason !== undefined) await dialog.getByLabel('Motivo').fill(reason)
    return dialog
  }

  /** Signs in again in the window that the console's dialog opens. */
  async function authenticateAgain(page: Page, title: string, email: string): Promise<void> {
    const dialog = page.getByRole('dialog', { name: title })
    const opened = page.waitForEvent('popup')
    await dialog.getByRole('button', { name: 'Abrir a janela de entrada' }).click()
    await signIn(await opened, email)
    await dialog.waitFor({ state: 'detached' })
  }

  /** Somebody signed in to their own page, in a browser of their own. */
  async function ownTab(email: string): Promise<Page> {
    const tab = await harness.visitor()
    await tab.goto(`${harness.service.url}/account`)
    await signIn(tab, email)
    await passSplash(tab)
    await heading(tab, 'Sua conta')
    return tab
  }

  it('are found by support, who locks one down: their other browser is signed out, and the action is shown with its reason', async () => {
    await harness.service.user('golpe@example.com', { name: 'Gabriela Prado' })
    const theirs = await ownTab('golpe@example.com')
    const page = await harness.administrator('support')
    await fromMenu(page, 'Pessoas')
    await heading(page, 'Pessoas')
    await page.getByLabel('Nome, empresa ou e-mail').fill('prado gabri')
    await page.keyboard.press('Enter')
    await page.waitForURL(/prado/)
    await page.getByRole('link', { name: 'Gabriela Prado' }).click()
    await heading(page, 'Gabriela Prado')
    await doIt(page, 'Bloquear', { reason: 'ligou: conta invadida' })
    await page.getByRole('alert').filter({ hasText: 'Bloqueada desde' }).waitFor()
    await section(page, 'Acesso').getByText('A conta está bloqueada').waitFor()
    await section(page, 'Sessões').getByText('Terminada: conta bloqueada').waitFor()
    await section(page, 'Alterações')
      .getByRole('row', { name: /Conta bloqueada.*ligou: conta invadida/ })
      .waitFor()
    await theirs.reload()
    await heading(theirs, 'Entrar na sua conta')

    await doIt(page, 'Desbloquear')
    await page.getByRole('button', { name: 'Bloquear', exact: true }).waitFor()
    await signIn(theirs, 'golpe@example.com')
    await passSplash(theirs)
    await heading(theirs, 'Sua conta')
    await harness.leave(page)
  })

  it('who can’t sign in have the reason on their page, in the list, and behind the figure', async () => {
    const { service } = harness
    const forgetful = { email: 'esqueceu@example.com', name: 'Esther Esqueceu' }
    const { id } = await service.user(forgetful.email, forgetful)
    for (let n = 0; n < 2; n++) await service.browser().signIn('/login', { email: forgetful.email, password: 'não era esta' })
    await service.browser().signIn('/login', { email: 'nao-existe@example.com', password: 'não era esta' })
    await service.writeFailedSignIns()
    const page = await harness.administrator('support', { email: 'apoio-entradas@example.com' })
    await open(page, { id }, 'Esther Esqueceu')
    await section(page, 'Entradas recusadas')
      .getByRole('row', { name: /E-mail ou senha errados 2 / })
      .waitFor()
    await assertFits(page)
    await page.goto(admin)
    await page.getByRole('link', { name: /^Entradas recusadas: [1-9]\d*\. Abrir a lista$/ }).click()
    await heading(page, 'Entradas recusadas')
    await page.getByRole('row', { name: /^Nenhuma conta E-mail ou senha errados 1 / }).waitFor()
    await page.getByRole('link', { name: forgetful.email }).waitFor()
    await assertFits(page)
    await page.goBack()
    const reasons = page.getByRole('table', { name: 'Entradas recusadas, por motivo' })
    await reasons.getByRole('link', { name: 'E-mail ou senha errados' }).click()
    await page.getByRole('group', { name: 'Filtros' }).getByRole('button', { name: 'Motivo: E-mail ou senha errados' }).waitFor()
    await page.getByRole('link', { name: forgetful.email }).click()
    await heading(page, 'Esther Esqueceu')
    await page.goto(admin)
    await page
      .getByRole('figure', { name: 'Entradas', exact: true })
      .getByRole('link', { name: /^senha [1-9]/ })
      .click()
    await heading(page, 'Sessões')
    await page.getByRole('group', { name: 'Filtros' }).getByRole('button', { name: 'Como entrou: Com senha' }).waitFor()
    await page.getByRole('row', { name: /apoio-entradas@example\.com/ }).waitFor()
    await harness.leave(page)
  })

  it('lose one session, or all, and only those', async () => {
    const { id } = await harness.service.user('duas@example.com', { name: 'Duas Telas' })
    const [first, second] = [await ownTab('duas@example.com'), await ownTab('duas@example.com')]
    const page = await harness.administrator('support', { email: 'apoio-sessoes@example.com' })
    await inProduct(id, 'Loja do Bruno')
    await page.goto(`${admin}/sessions?filter=${encodeURIComponent('{"live":"true"}')}`)
    await heading(page, 'Sessões')
    await page
      .getByRole('row', { name: /duas@example\.com/ })
      .nth(1)
      .waitFor()
    await page.getByRole('row', { name: /Pelo servidor do app.*Loja do Bruno/ }).waitFor()
    await assertFits(page)
    const newest = page.getByRole('row', { name: /duas@example\.com.*Chrome/ }).first()
    await newest.getByRole('button', { name: 'Encerrar' }).click()
    await agreeTo(page, 'Encerrar')
    await page
      .getByRole('row', { name: /duas@example\.com.*Chrome/ })
      .nth(1)
      .waitFor({ state: 'detached' })
    await second.reload()
    await heading(second, 'Entrar na sua conta')
    await first.reload()
    await heading(first, 'Sua conta')

    await open(page, { id }, 'Duas Telas')
    await doIt(page, 'Encerrar todas')
    await section(page, 'Sessões').getByText('Terminada: encerrada pela operação').nth(1).waitFor()
    await first.reload()
    await heading(first, 'Entrar na sua conta')
    await harness.leave(page)
  })

  /** A session as an external app's server begins one: of the server, with no browser. */
  async function inProduct(userId: string, name: string): Promise<void> {
    const made = await harness.service.product({ slug: 'loja-do-bruno', name, audience: 'external' })
    const at = Date.now()
    const session = { user_id: userId, product_id: made.product.id, parent_id: null, bound_hash: null, created_at: at }
    await harness.service.context.storage.db
      .insertInto('sessions')
      .values({ ...session, id: firstIdAt(at - 60_000), expires_at: at + DAY_MS, ip: '203.0.113.7', user_agent: 'node' })
      .execute()
  }

  it('are edited by two at once: the second is warned, compares, and decides', async () => {
    const { id } = await harness.service.user('editada@example.com', { name: 'Edite Lima' })
    const first = await harness.administrator('support', { email: 'primeira@example.com' })
    const second = await harness.administrator('owner', { email: 'segunda@example.com' })
    for (const page of [first, second]) {
      await open(page, { id }, 'Edite Lima')
      await page.getByRole('link', { name: 'Editar' }).click()
      await heading(page, 'Editar Edite Lima')
    }
    await first.getByLabel('Nível').fill('Ouro')
    await first.getByRole('switch', { name: 'É produtor' }).check()
    await first.getByRole('button', { name: 'Salvar' }).click()
    await heading(first, 'Edite Lima')
    await first.getByText('Produtor', { exact: true }).waitFor()

    await second.getByLabel('Nível').fill('Prata')
    await second.getByRole('switch', { name: 'Participa do beta' }).check()
    await second.getByRole('button', { name: 'Salvar' }).click()
    const alert = second.getByRole('alert').filter({ hasText: 'Isto mudou desde que você abriu' })
    await alert.getByText('Ouro').waitFor()
    assert.equal(await second.getByLabel('Nível').inputValue(), 'Prata')
    await assertFits(second)
    await alert.getByRole('button', { name: 'Salvar o que eu digitei' }).click()
    await heading(second, 'Edite Lima')
    const profile = section(second, 'Perfil')
    await profile.getByText('Prata').waitFor()
    await second.getByText('Beta, acordo não aceito').waitFor()
    await second.getByText('Produtor', { exact: true }).waitFor()
    await harness.leave(first)
    await harness.leave(second)
  })

  it('keep what was typed of them while their editor, whose session has ended, signs in again', async () => {
    const { id } = await harness.service.user('longa@example.com', { name: 'Lia Longa' })
    const page = await harness.administrator('support', { email: 'cansada@example.com' })
    await page.goto(`${admin}/users/${id}`)
    await heading(page, 'Editar Lia Longa')
    await page.getByLabel('Empresa').fill('Editora Tempo')
    await page.getByLabel('Motivo').fill('pediu por telefone')
    await page.context().clearCookies()
    await page.getByRole('button', { name: 'Salvar' }).click()
    await page.getByRole('dialog', { name: 'Sua sessão terminou' }).waitFor()
    assert.equal(await page.locator('input[name=company_name]').inputValue(), 'Editora Tempo')
    await authenticateAgain(page, 'Sua sessão terminou', 'cansada@example.com')
    await heading(page, 'Lia Longa')
    await section(page, 'Perfil').getByText('Editora Tempo').waitFor()
    await section(page, 'Alterações').getByText('pediu por telefone').waitFor()
    await harness.leave(page)
  })

  it('get a role from an owner, who after ten minutes proves who they are in the middle of the form, and loses nothing typed', async () => {
    await harness.service.user('contratada@example.com', { name: 'Cora Contratada' })
    const page = await harness.administrator('owner', { email: 'chefe@example.com' })
    await fromMenu(page, 'Administradores')
    await page.getByRole('link', { name: 'Adicionar administrador' }).click()
    await heading(page, 'Adicionar administrador')
    await assertFits(page)
    await page.getByLabel('E-mail').fill('contratada@example.com')
    await page.getByLabel('Função').click()
    await page.getByRole('option', { name: 'Suporte' }).click()
    await page.getByLabel('Motivo').fill('começa na segunda')
    harness.service.clock.now += ELEVEN_MINUTES
    await page.getByRole('button', { name: 'Criar' }).click()
    await page.getByRole('dialog', { name: 'Confirme que é você' }).waitFor()
    await assertFits(page)
    await authenticateAgain(page, 'Confirme que é você', 'chefe@example.com')
    await heading(page, 'Administradores')
    const row = page.getByRole('row', { name: /contratada@example\.com/ })
    await row.getByRole('cell', { name: 'Suporte', exact: true }).waitFor()
    await assertFits(page)

    await row.getByRole('link', { name: /^Mudar função/ }).click()
    await heading(page, 'Função de Cora Contratada')
    await page.getByLabel('Função').click()
    await page.getByRole('option', { name: 'Leitura' }).click()
    await page.getByRole('button', { name: 'Salvar' }).click()
    await row.getByRole('cell', { name: 'Leitura', exact: true }).waitFor()
    await row.getByRole('link', { name: 'Cora Contratada', exact: true }).click()
    await heading(page, 'Cora Contratada')
    await section(page, 'Alterações').getByText('começa na segunda').waitFor()

    await page.goBack()
    await row.getByRole('button', { name: 'Retirar função' }).click()
    await agreeTo(page, 'Retirar função')
    await row.waitFor({ state: 'detached' })
    await page.getByRole('link', { name: 'Adicionar administrador' }).click()
    await page.getByLabel('E-mail').fill('ninguem@example.com')
    await page.getByRole('button', { name: 'Criar' }).click()
    await page.getByText('Não há conta com este e-mail').waitFor()
    await harness.leave(page)
  })

  it('are shown by the name they chose, markup and all, as text', async () => {
    const { id } = await harness.service.user('mel@example.com', { name: MARKUP })
    const page = await harness.administrator('owner', { email: 'curiosa@example.com' })
    await page.goto(`${admin}/users?filter=${encodeURIComponent('{"q":"mel@"}')}`)
    await page.getByRole('link', { name: MARKUP }).click()
    await heading(page, MARKUP)
    assert.equal(await page.title(), `${MARKUP} · Portaria`)
    await page.getByRole('button', { name: 'Bloquear' }).click()
    await page.getByRole('dialog').getByText(MARKUP).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('link', { name: 'Editar' }).click()
    await heading(page, `Editar ${MARKUP}`)
    assert.equal(await page.getByLabel('Nome').inputValue(), MARKUP)
    await page.goto(`${admin}/audit?filter=${encodeURIComponent(JSON.stringify({ target: id }))}`)
    await page.getByRole('row').nth(1).waitFor()
    assert.equal(await page.evaluate('window.hacked'), undefined)
    await harness.leave(page)
  })

  it('get a phone put right and a plan that nobody paid for, by forms that fit a phone', async () => {
    const { id } = await harness.service.user('cortesia@example.com', { name: 'Cora Cortês' })
    const page = await harness.administrator('support', { email: 'apoio-cortesia@example.com', context: { viewport: PHONE } })
    await open(page, { id }, 'Cora Cortês')
    await page.getByRole('button', { name: 'Corrigir dados' }).click()
    const correction = page.getByRole('dialog', { name: 'Corrigir dados' })
    await correction.getByLabel('Telefone certo').fill('123')
    await correction.getByLabel('Motivo').fill('ligou: número trocado')
    await correction.getByRole('button', { name: 'Corrigir dados' }).click()
    await correction.getByRole('alert').filter({ hasText: 'Telefone certo' }).waitFor()
    await assertFits(page)
    await correction.getByLabel('Telefone certo').fill('(21) 98888-7777')
    await correction.getByRole('button', { name: 'Corrigir dados' }).click()
    await section(page, 'Perfil').getByText('+55 21 98888-7777').waitFor()

    await page.getByRole('button', { name: 'Conceder acesso' }).click()
    const gift = page.getByRole('dialog', { name: 'Conceder acesso' })
    await gift.getByLabel('Plano').click()
    await page.getByRole('option', { name: 'Easy Pro', exact: true }).click()
    await gift.getByLabel('Produto').waitFor()
    await gift.getByLabel('Até').fill('2030-12-31')
    await gift.getByLabel('Motivo').fill('ganhou o sorteio')
    await assertFits(page)
    await gift.getByRole('button', { name: 'Conceder acesso' }).click()
    await section(page, 'Compras').getByRole('link', { name: 'Easy Pro' }).waitFor()
    await section(page, 'Acesso').getByText('Vale até 31 de dez. de 2030').waitFor()
    await harness.leave(page)
  })

  it('are acted on in a dialog that stays, with what is typed, when the window is turned', async () => {
    const ida = await harness.service.user('ida.turned@exemplo.com.br', { name: 'Ida Virada' })
    const context = { viewport: { width: 1366, height: 1024 } }
    const page = await harness.administrator('support', { email: 'apoio-virada@example.com', context })
    await open(page, ida)
    const dialog = await fill(page, 'Corrigir dados', { reason: 'protocolo 7' })
    await page.setViewportSize({ width: 1024, height: 1366 })
    assert.equal(await dialog.getByLabel('Motivo').inputValue(), 'protocolo 7')
    await dialog.getByRole('button', { name: 'Cancelar' }).click()
    await dialog.waitFor({ state: 'detached' })
    await section(page, 'Ações').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Corrigir dados' }).waitFor()
    await page.context().close()
  })

  it('are only seen by a viewer, and those with a role only by support: nothing offers what would be refused', async () => {
    const { id } = await harness.service.user('vista@example.com', { name: 'Vista Alegre' })
    const viewer = await harness.administrator('viewer')
    const menu = menuOf(viewer)
    await menu.getByRole('link', { name: 'Pessoas' }).waitFor()
    for (const name of ['Administradores', 'Tokens de API']) assert.equal(await menu.getByRole('link', { name }).count(), 0)
    await fromMenu(viewer, 'Pessoas')
    await viewer.getByRole('link', { name: 'Vista Alegre' }).waitFor()
    assert.equal(await viewer.getByRole('link', { name: 'Criar pessoa' }).count(), 0)
    await open(viewer, { id }, 'Vista Alegre')
    await section(viewer, 'Formas de entrar').getByText('Tem senha').waitFor()
    await section(viewer, 'Alterações').getByRole('link', { name: 'Conta criada', exact: true }).waitFor()
    assert.deepEqual(await offers(viewer), [])
    for (const path of ['users/create', `users/${id}`, 'administrators', 'administrators/create', 'tokens', 'tokens/create']) {
      await viewer.goto(`${admin}/${path}`)
      await heading(viewer, 'Sua função não permite ver esta página')
    }

    const support = await harness.administrator('support', { email: 'ajuda@example.com' })
    const me = await harness.service.context.storage.db
      .selectFrom('users')
      .select('id')
      .where('email', '=', 'viewer@example.com')
      .executeTakeFirstOrThrow()
    await open(support, me, 'Dona viewer')
    await section(support, 'Sessões').getByText('Ativa').waitFor()
    assert.deepEqual(await offers(support), [])
    await open(support, { id }, 'Vista Alegre')
    const actions = ['Conceder acesso', 'Editar', 'Corrigir dados', 'Bloquear', 'Enviar link de senha', 'Exportar dados', 'Excluir pessoa']
    assert.deepEqual(await offers(support), actions)
    await harness.leave(viewer)
    await harness.leave(support)
  })

  /** Everything that a page offers to do, but for reading on. */
  async function offers(page: Page): Promise<string[]> {
    const all = await page.locator('main button, main a[href$="create"], main a[role=button], main a:text-is("Editar")').allTextContents()
    return all.filter((text) => text !== '' && !/^(Anterior|Próxima|Voltar|Entrada|Criad[ao])/.test(text))
  }

  it('are invited, reminded to verify their address, and shown what is wrong with one', async () => {
    const page = await harness.administrator('support', { email: 'convida@example.com' })
    await page.goto(`${admin}/users/create`)
    await heading(page, 'Criar pessoa')
    await assertFits(page)
    await page.getByLabel('Nome').fill('Nina Nova')
    await page.getByLabel('E-mail').fill('convida@example.com')
    await page.getByRole('button', { name: 'Criar' }).click()
    await page.getByText('Já está em uso').waitFor()
    await page.getByLabel('E-mail').fill('nina@example.com')
    await page.getByRole('switch', { name: 'É produtor' }).check()
    await page.getByRole('button', { name: 'Criar' }).click()
    await heading(page, 'Nina Nova')
    await page.getByText('E-mail não confirmado', { exact: true }).waitFor()
    const invitations = async () =>
      (await harness.service.context.storage.db.selectFrom('audit').select('id').where('action', '=', 'user.send_link').execute()).length
    const sent = await invitations()
    await doIt(page, 'Reenviar confirmação')
    await page.getByText('O e-mail está a caminho').waitFor()
    assert.equal(await invitations(), sent + 1)
    await harness.leave(page)
  })

  it('are shown with what they bought and agreed to', async () => {
    const { id } = await harness.service.user('compra@example.com', { name: 'Carla Compra', beta: true })
    assert.equal((await notify(harness.service.url, completed({ email: 'compra@example.com' }))).status, 200)
    const page = await harness.administrator('support', { email: 'confere@example.com' })
    await open(page, { id }, 'Carla Compra')
    await section(page, 'Consentimentos').getByText('Ainda não aceito').waitFor()
    const row = section(page, 'Compras').getByRole('row', { name: /Easy Pro/ })
    await row.getByText('Ativa').waitFor()
    await row.getByRole('link', { name: 'Easy Pro' }).click()
    await page.waitForURL(/\/subscriptions\/[\w-]+\/show$/)
    await page.getByText('compra@example.com').first().waitFor()
    await harness.leave(page)
  })

  it('are asked for by their CPF, and one click later it is said why they have no access', async () => {
    const { service } = harness
    const { id } = await service.user('joao@example.com', { name: 'João do Telefone' })
    const taxId = cpfOf(77)
    await giveTaxId(service.context, id, taxId)
    const at = service.clock.now - 7 * DAY_MS
    const bought = { ref: 'joao', paymentId: 'p1', email: 'joao@example.com', amount: 39_900, method: 'card' } as const
    await bring(service, { ...bought, kind: 'paid', at: at - DAY_MS })
    await bring(service, { ...bought, kind: 'refunded', at })
    const page = await harness.administrator('support', { email: 'atende@example.com' })
    await page.getByRole('searchbox', { name: 'Buscar em tudo' }).fill(taxId)
    await page.keyboard.press('Enter')
    await heading(page, 'João do Telefone')
    const row = section(page, 'Acesso').getByRole('listitem')
    await row.getByText('Sem acesso', { exact: true }).waitFor()
    await row.getByText(/^Easy Pro, R\$\s399,00, cartão, reembolsada em \d/).waitFor()
    await assertFits(page)
    await page.goBack()
    await page
      .getByRole('heading', { level: 1, name: 'Início' })
      .or(page.getByRole('heading', { level: 1 }))
      .first()
      .waitFor()
    assert.ok(!page.url().includes('/search'))
    await page.goForward()
    await row.getByRole('link', { name: 'Ver a assinatura' }).click()
    await page.waitForURL(/\/subscriptions\/[\w-]+\/show$/)
    await harness.leave(page)
  })

  it('get what they bought with a mistyped address, on their own page, by the evidence', async () => {
    const { service } = harness
    const { id } = await service.user('luciana.prado@correio.example', { name: 'Luciana Prado' })
    assert.equal((await notify(service.url, completed({ email: 'luciana.prdo@correio.example' }))).status, 200)
    assert.equal((await notify(service.url, completed({ email: 'luciana.prado@correio.example', plan: 'plano-nenhum' }))).status, 200)
    const page = await harness.administrator('support', { email: 'liga@example.com' })
    await open(page, { id }, 'Luciana Prado')
    const access = section(page, 'Acesso')
    await access.getByText('Sem acesso: esta pessoa não comprou nada.').waitFor()
    await access.getByRole('list', { name: 'Notificações não resolvidas' }).getByText('Plano desconhecido').waitFor()
    const possible = access.getByRole('list', { name: 'Compras que podem ser desta pessoa' }).getByRole('listitem')
    await possible.getByText('E-mail com uma letra de diferença').waitFor()
    await possible.getByText('luciana.prdo@correio.example').waitFor()
    await assertFits(page)
    await doIt(page, 'Vincular a esta pessoa', { reason: 'ela confirmou por telefone' })
    await access.getByText('Com acesso', { exact: true }).waitFor()
    await possible.waitFor({ state: 'detached' })
    await harness.leave(page)
  })

  it('are suggested on the page of a purchase without a user, which is linked to one of them there', async () => {
    const { service } = harness
    await service.user('marta.leal@correio.example', { name: 'Marta Leal' })
    assert.equal((await notify(service.url, completed({ email: 'marta.leall@correio.example' }))).status, 200)
    const [bought] = await subscriptionsOf(service, 'marta.leall@correio.example')
    const page = await harness.administrator('support', { email: 'sugere@example.com' })
    await showPage(page, `${admin}/subscriptions/${bought?.id}/show`)
    const suggested = section(page, 'Quem pode ser').getByRole('listitem')
    await suggested.getByText('E-mail com uma letra de diferença').waitFor()
    await assertFits(page)
    await doIt(page, 'Vincular a esta pessoa', { reason: 'ela confirmou por telefone' })
    await section(page, 'Acesso').getByText('Com acesso', { exact: true }).waitFor()
    await page.getByRole('link', { name: 'Marta Leal' }).click()
    await heading(page, 'Marta Leal')
    await section(page, 'Acesso').getByText('Com acesso', { exact: true }).waitFor()
    await harness.leave(page)
  })

  it('lose their factors when they have lost them, for a reason that is asked for', async () => {
    const { id } = await harness.service.user('perdeu@example.com', { name: 'Pedro Perdido' })
    const { db } = harness.service.context.storage
    await db.insertInto('totp_factors').values({ user_id: id, secret_sealed: 'x', created_at: 1, confirmed_at: 2, last_step: 0 }).execute()
    const page = await harness.administrator('support', { email: 'fatores@example.com' })
    await open(page, { id }, 'Pedro Perdido')
    const refused = await fill(page, 'Remover fatores')
    await refused.getByRole('button', { name: 'Remover fatores' }).click()
    await refused.locator('textarea:invalid').waitFor()
    await page.keyboard.press('Escape')
    await doIt(page, 'Remover fatores', { reason: 'conferido por vídeo' })
    await section(page, 'Formas de entrar').getByText('Desligada', { exact: true }).waitFor()
    assert.equal(await page.getByRole('button', { name: 'Remover fatores' }).count(), 0)
    await harness.leave(page)
  })

  it('take their data along, and go for good once their address was typed', async () => {
    const { id } = await harness.service.user('titular@example.com', { name: 'Tina Titular' })
    const page = await harness.administrator('support', { email: 'lgpd@example.com' })
    await open(page, { id }, 'Tina Titular')
    const downloading = page.waitForEvent('download')
    await doIt(page, 'Exportar dados', { reason: 'pedido 17' })
    const download = await downloading
    assert.equal(download.suggestedFilename(), `portaria-${id}.json`)
    assert.equal(JSON.parse(readFileSync(await download.path(), 'utf8')).profile.email, 'titular@example.com')

    const refused = await fill(page, 'Excluir pessoa', { reason: 'pedido 17', email: 'titular@example.org' })
    await refused.getByRole('button', { name: 'Excluir pessoa' }).click()
    await refused.locator('input:invalid').waitFor()
    await page.getByLabel('Digite o e-mail').fill('titular@example.com')
    await agreeTo(page, 'Excluir pessoa')
    // The message goes away after some seconds.
    await page.getByText('A pessoa foi excluída').waitFor()
    await heading(page, 'Pessoas')
    await page.goto(`${admin}/users/${id}/show`)
    await page.getByText('Não encontrado: não existe ou não existe mais.').waitFor()
    await harness.leave(page)
  })

  it('need no mouse: one is found and locked by keyboard alone', async () => {
    const { id } = await harness.service.user('teclado@example.com', { name: 'Teca Teclado' })
    const page = await harness.administrator('support', { email: 'teclas@example.com' })
    await page.goto(`${admin}/users`)
    await heading(page, 'Pessoas')
    await tabTo(page, 'Nome, empresa ou e-mail')
    await page.keyboard.type('teclado@')
    await page.keyboard.press('Enter')
    await page.waitForURL(/teclado/)
    await page.getByRole('link', { name: 'Teca Teclado' }).waitFor()
    await tabTo(page, 'Teca Teclado')
    await page.keyboard.press('Enter')
    await heading(page, 'Teca Teclado')
    await tabTo(page, 'Bloquear')
    await page.keyboard.press('Enter')
    await page.getByRole('dialog', { name: 'Bloquear' }).waitFor()
    await tabTo(page, 'Bloquear')
    await page.keyboard.press('Enter')
    await page.getByRole('alert').filter({ hasText: 'Bloqueada desde' }).waitFor()
    await page.waitForURL(`${admin}/users/${id}/show`)
    await harness.leave(page)
  })

  /** Moves the focus on until it is at what has this name. */
  async function tabTo(page: Page, name: string): Promise<void> {
    for (let pressed = 0; pressed < 60; pressed += 1) {
      await page.keyboard.press('Tab')
      const at = await page.evaluate<string>('(document.activeElement.labels?.[0] ?? document.activeElement).textContent.trim()')
      if (at === name) return
    }
    assert.fail(`no way to ${name} by keyboard`)
  }

  it('fit a phone in every page, without an accessibility fault', async () => {
    const name = 'Maria Antonieta da Conceição Albuquerque e Vasconcelos'
    const email = 'na-rua-com-um-endereco-bem-comprido@subdominio.example.com'
    const page = await harness.administrator('owner', { email, context: { viewport: { width: 390, height: 844 } } })
    const { id } = await harness.service.user(`de-${email}`, { name })
    await harness.leave(await ownTab(`de-${email}`))
    const ofUsers = ['users', `users/${id}/show`, `users/${id}`, 'users/create', 'sessions']
    for (const path of [...ofUsers, 'administrators', 'administrators/create', 'tokens', 'tokens/create']) {
      await showPage(page, `${admin}/${path}`)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await assertFits(page)
    }
    await harness.leave(page)
  })

  it('let programs in by tokens, whose secret is shown once and ends at once', async () => {
    const page = await harness.administrator('owner', {
      email: 'tokens@example.com',
      context: { permissions: ['clipboard-read', 'clipboard-write'] },
    })
    await fromMenu(page, 'Tokens de API')
    await page.getByText('Com um token, um programa seu').waitFor()
    await page.getByRole('link', { name: 'Criar token' }).click()
    await heading(page, 'Criar token')
    await page.getByLabel('Nome').fill('conferência noturna')
    await page.getByLabel('Função').click()
    await page.getByRole('option', { name: 'Suporte' }).click()
    const users = page.getByRole('group', { name: 'Pessoas' })
    await users.getByLabel('alterar').check()
    await page.getByLabel('Função').click()
    await page.getByRole('option', { name: 'Leitura' }).click()
    await page.getByRole('listbox').waitFor({ state: 'detached' })
    await users.getByLabel('alterar').waitFor({ state: 'detached' })
    await users.getByLabel('ver').check()
    await assertFits(page)
    await page.getByRole('button', { name: 'Criar' }).click()
    await page.getByText('Copie agora: não será mostrado de novo.').waitFor()
    const secret = await page.getByText(/^adm_/).textContent()
    await assertFits(page)
    const ask = async (path: string) =>
      (await fetch(`${harness.service.url}/api/admin/${path}`, { headers: { authorization: `Bearer ${secret}` } })).status
    assert.deepEqual([await ask('users'), await ask('sessions')], [200, 403])
    await page.getByRole('button', { name: 'Já guardei' }).click()
    const row = page.getByRole('row', { name: /conferência noturna/ })
    await row.getByText('Pessoas: ver').waitFor()
    assert.ok(!(await page.content()).includes(secret ?? ''))
    await row.getByRole('button', { name: 'Revogar' }).click()
    await agreeTo(page, 'Revogar')
    await row.getByText('Revogado').waitFor()
    assert.equal(await ask('users'), 401)
    await harness.leave(page)
  })

  it('are all signed out by an owner, who is warned before that this is them as well, and signs in again where they were', async () => {
    const email = 'dona-de-todos@example.com'
    await harness.service.user('entrou@example.com', { name: 'Entrou Agora' })
    const theirs = await ownTab('entrou@example.com')
    const support = await harness.administrator('support', { email: 'ajuda-de-todos@example.com' })
    await fromMenu(support, 'Sessões')
    await heading(support, 'Sessões')
    assert.equal(await support.getByRole('button', { name: 'Encerrar todas as sessões' }).count(), 0)
    const page = await harness.administrator('owner', { email })
    await fromMenu(page, 'Sessões')
    await page.getByRole('button', { name: 'Encerrar todas as sessões' }).click()
    await page.getByRole('dialog').getByText('inclusive você').waitFor()
    await assertFits(page)
    await page.getByRole('dialog').getByRole('button', { name: 'Cancelar' }).click()
    await theirs.reload()
    await heading(theirs, 'Sua conta')
    await doIt(page, 'Encerrar todas as sessões', { reason: 'backup restaurado' })
    await authenticateAgain(page, 'Sua sessão terminou', email)
    await page.getByRole('row', { name: /entrou@example\.com.*Terminada: encerrada pela operação/ }).waitFor()
    await theirs.reload()
    await heading(theirs, 'Entrar na sua conta')
    await fromMenu(page, 'Auditoria')
    await page.getByRole('row', { name: /Sessões de todas as pessoas encerradas.*backup restaurado/ }).waitFor()
    for (const tab of [theirs, support, page]) await harness.leave(tab)
  })

  it('are those of another language where one is chosen', async () => {
    const page = await harness.administrator('viewer', { email: 'english@example.com', language: 'en' })
    await page.getByRole('link', { name: 'Users', exact: true }).click()
    await heading(page, 'Users')
    await page.getByRole('button', { name: /^Language/ }).click()
    await page.getByRole('menuitem', { name: 'Español' }).click()
    await heading(page, 'Personas')
    await harness.leave(page)
  })
})
