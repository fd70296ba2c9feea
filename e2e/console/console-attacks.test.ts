import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { giveRole } from '../../server/test/support/users/admins.ts'
import { heading, signIn } from '../harness/steps.ts'
import { type ConsoleHarness, startConsoleHarness } from './console-harness.ts'

describe('The console, in the hands of somebody else', () => {
  let harness: ConsoleHarness
  let admin: string
  before(async () => {
    harness = await startConsoleHarness()
    admin = `${harness.service.url}/admin`
  })
  after(() => harness.close())
  afterEach(() => assert.deepEqual(harness.complaints, []))

  const users = () => harness.service.context.storage.db.selectFrom('users')

  it('fills no form with what a link says: not the fields that are shown, nor those that are not', async () => {
    const page = await harness.administrator('owner')
    const { id } = await harness.service.user('elo@example.com', { name: 'Elo' })
    await harness.service.context.storage.db.updateTable('users').set({ email_verified_at: null }).where('id', '=', id).execute()
    const link = (values: object) => `source=${encodeURIComponent(JSON.stringify(values))}`
    await page.goto(`${admin}/users/${id}?${link({ name: 'Mel', verified: true, is_producer: true })}`)
    await heading(page, 'Editar Elo')
    assert.equal(await page.getByLabel('Nome').inputValue(), 'Elo')
    await page.getByLabel('Nome').fill('Elo Reis')
    await page.getByRole('button', { name: 'Salvar' }).click()
    await heading(page, 'Elo Reis')
    assert.equal((await users().select('email_verified_at').where('id', '=', id).executeTakeFirstOrThrow()).email_verified_at, null)

    await page.goto(`${admin}/administrators/create?${link({ email: 'mal@example.com', role: 'owner' })}`)
    await page.getByRole('button', { name: 'Criar' }).waitFor()
    assert.equal(await page.getByLabel('E-mail').inputValue(), '')

    // Nor by the way around a sign-in.
    await page.context().clearCookies()
    await page.goto(`${admin}/administrators/create?${link({ email: 'mal@example.com' })}`)
    await signIn(page, 'owner@example.com')
    await page.getByRole('button', { name: 'Criar' }).waitFor()
    assert.equal(await page.getByLabel('E-mail').inputValue(), '')
    await harness.leave(page)
  })

  it('does nothing as whoever signed in in another tab, also when its question is waved away', async () => {
    const ana = await harness.administrator('owner', { email: 'ana@example.com' })
    await harness.service.user('bruno@example.com', { name: 'Bruno' })
    await giveRole(harness.service, 'bruno@example.com', 'owner')
    const { id } = await harness.service.user('alvo@example.com', { name: 'Alvo' })
    await ana.goto(`${admin}/users/${id}/show`)
    await heading(ana, 'Alvo')
    const bruno = await ana.context().newPage()
    await bruno.goto(`${admin}/sign-in`)
    await signIn(bruno, 'bruno@example.com')
    await bruno.getByRole('heading', { level: 1 }).waitFor()

    await lock(ana)
    await ana.getByRole('dialog', { name: 'Sua sessão terminou' }).waitFor()
    await ana.getByRole('button', { name: 'Já entrei' }).click()
    await ana.getByRole('alert').filter({ hasText: 'outra pessoa' }).waitFor()
    await ana.getByRole('button', { name: 'Cancelar' }).last().click()
    await ana.getByRole('dialog', { name: 'Bloquear' }).getByRole('alert').waitFor()
    await ana.getByRole('dialog', { name: 'Bloquear' }).getByRole('button', { name: 'Bloquear' }).click()
    await ana.getByRole('dialog', { name: 'Sua sessão terminou' }).waitFor()
    assert.equal((await users().select('disabled_at').where('id', '=', id).executeTakeFirstOrThrow()).disabled_at, null)
    await harness.leave(ana)
  })

  it('leaves nothing of users in the browser, nor lets a link say what a list shows from then on', async () => {
    const page = await harness.administrator('owner', { email: 'rosa@example.com' })
    await page.goto(`${admin}/users`)
    await page.getByLabel('Nome, empresa ou e-mail').fill('rosa@example.com')
    await page.keyboard.press('Enter')
    await page.waitForURL(/rosa/)
    await page.getByRole('link', { name: 'Dona owner' }).first().waitFor()
    await page.getByRole('button', { name: 'Usar cores escuras' }).click()
    assert.deepEqual(await page.evaluate('Object.keys(localStorage).sort()'), [
      'RaStoreportaria-console.theme',
      'RaStoreportaria-console.version',
    ])
    await page.goto(`${admin}/users?filter=${encodeURIComponent('{"q":"ninguem"}')}`)
    await page.getByText('Nada encontrado').waitFor()
    await page.goto(`${admin}/users`)
    await page.getByRole('link', { name: 'Dona owner' }).first().waitFor()
    await page.getByRole('button', { name: 'Usar cores claras' }).waitFor()
    await harness.leave(page)
  })

  async function lock(page: Page): Promise<void> {
    await page.getByRole('button', { name: 'Bloquear', exact: true }).first().click()
    const dialog = page.getByRole('dialog', { name: 'Bloquear' })
    await dialog.getByLabel('Motivo').fill('pedido da Ana')
    await dialog.getByRole('button', { name: 'Bloquear', exact: true }).click()
  }
})
