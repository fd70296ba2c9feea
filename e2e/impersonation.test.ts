import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { lastAudit } from '../server/test/support/users/admins.ts'
import { assertFits } from './console/console-harness.ts'
import { type Harness, startHarness } from './harness/harness.ts'
import { heading, isKnown, signIn } from './harness/steps.ts'

const PHONE = { viewport: { width: 390, height: 844 } }
const ACT = 'Agir em nome da pessoa'
const STOP = 'Parar e voltar ao console'
const MINUTES = 60_000

describe('Acting as a user', () => {
  let harness: Harness
  before(async () => {
    harness = await startHarness()
  })
  after(() => harness.close())
  // A refusal is the page's to show, and every foreign page has some.
  afterEach(() =>
    assert.deepEqual(
      harness.complaints.filter((line) => !/status of 40\d/.test(line)),
      [],
    ),
  )

  const banner = (page: Page) => page.getByRole('region', { name: 'Em nome de outra pessoa' })

  /** An owner at the page of somebody in the console. */
  async function atUserPage(
    email: string,
    name: string,
    options: Parameters<Harness['visitor']>[0] = {},
  ): Promise<{ page: Page; owner: string }> {
    const { id } = await harness.service.user(email, { name })
    const owner = `dona-${email}`
    await harness.service.user(owner, { name: 'Dona Marta', admin: true })
    const page = await harness.visitor({ viewport: { width: 1280, height: 900 }, ...options })
    await page.goto(`${harness.service.url}/admin/sign-in`)
    await signIn(page, owner)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.goto(`${harness.service.url}/admin/users/${id}/show`)
    await heading(page, name)
    return { page, owner }
  }

  async function act(page: Page, reason: string): Promise<void> {
    await page.getByRole('button', { name: ACT, exact: true }).click()
    const dialog = page.getByRole('dialog', { name: ACT })
    await dialog.getByLabel('Motivo').fill(reason)
    await dialog.getByRole('button', { name: ACT, exact: true }).click()
  }

  it('from the console to what the user sees, in the house’s app too, but no further; and back by the banner', async () => {
    const { page } = await atUserPage('bia@example.com', 'Bia Prado')
    await act(page, 'não encontra a compra')
    await page.waitForURL(`${harness.service.url}/account`)
    await banner(page).getByRole('status').filter({ hasText: 'Você age em nome de Bia Prado' }).filter({ hasText: 'Dona Marta' }).waitFor()
    await assertFits(page)
    assert.equal(await page.getByRole('link', { name: 'Mudar senha' }).count(), 0)
    await page.getByRole('link', { name: 'Onde você entrou' }).click()
    await heading(page, 'Onde você entrou')
    await page.getByRole('heading', { name: /^Suporte/ }).waitFor()
    await assertFits(page)

    await page.goto(harness.painel)
    await isKnown(page, harness.painel, 'Bia Prado')
    await page.goto(`${harness.livraria}/login`)
    await heading(page, 'Isto não se faz em nome de outra pessoa')
    await banner(page).waitFor()
    await assertFits(page)

    await banner(page).getByRole('button', { name: STOP }).click()
    await page.waitForURL(/\/admin\/users\/[^/]+\/show$/)
    await heading(page, 'Bia Prado')
    await page
      .getByRole('region', { name: 'Alterações' })
      .getByRole('row', { name: /Agiu em nome da pessoa .*não encontra a compra/ })
      .waitFor()
    assert.equal((await lastAudit(harness.service, 'user.impersonation_ended')).reason, 'impersonation_stopped')
    await page.context().close()
  })

  it('after a proof that has grown old: the console asks for a new one, and what was typed is sent', async () => {
    const { page, owner } = await atUserPage('caio@example.com', 'Caio Reis')
    harness.service.clock.now += 11 * MINUTES
    await act(page, 'pediu por telefone')
    const opened = page.waitForEvent('popup')
    await page.getByRole('button', { name: 'Abrir a janela de entrada' }).click()
    const popup = await opened
    // The window closes itself, perhaps before the click has returned.
    await signIn(popup, owner).catch((fault) => assert.ok(popup.isClosed(), String(fault)))
    await page.waitForURL(`${harness.service.url}/account`)
    await banner(page).getByText('Caio Reis').waitFor()
    await page.context().close()
  })

  it('on a phone, and when the time is over: the next page is the user’s in the console', async () => {
    const { page } = await atUserPage('davi@example.com', 'Davi de Albuquerque Vasconcelos Cavalcanti', PHONE)
    await act(page, 'quer ver o plano')
    await page.waitForURL(`${harness.service.url}/account`)
    await banner(page).waitFor()
    await assertFits(page)
    harness.service.clock.now += 15 * MINUTES
    await page.getByRole('link', { name: 'Compras e plano' }).click()
    await page.waitForURL(/\/admin\/users\/[^/]+\/show$/)
    await heading(page, 'Davi de Albuquerque Vasconcelos Cavalcanti')
    assert.equal((await lastAudit(harness.service, 'user.impersonation_ended')).reason, 'impersonation_expired')
    await page.context().close()
  })
})
