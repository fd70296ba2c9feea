import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, afterEach, before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { fillSeed, type Seed } from '../../bench/harness/seed.ts'
import { createAdminToken, findUser, setUser } from '../../server/src/admin/index.ts'
import { addProvider } from '../../server/src/identity-providers/index.ts'
import { newId } from '../../server/src/kit/index.ts'
import { deliver, openSchool } from '../../server/test/support/gateways/gateways.ts'
import { sale } from '../../server/test/support/gateways/made-events.ts'
import { activated, notify, WEBHOOKS } from '../../server/test/support/gateways/purchases.ts'
import type { TestService } from '../../server/test/support/service.ts'
import { until } from '../../server/test/support/until.ts'
import { cpfOf, giveTaxId } from '../../server/test/support/users/tax-ids.ts'
import { heading } from '../harness/steps.ts'
import { assertFits, type ConsoleHarness, chooseFilter, pushAddress, startConsoleHarness } from './console-harness.ts'

const USERS = 100_000
const PAGE = 25
/** Every thousandth user of the seed, from the eighth on: locked, refunded, pending, a viewer. */
const RARE = Array.from({ length: USERS / 1_000 }, (_, i) => i * 1_000 + 7)
const OWNER = 'aurora@example.com'
const DEAD_JOBS = 40

/** On SQLite, in a file: with its five events a user, half a million of them. */
describe('The console, where 100,000 users are', () => {
  let harness: ConsoleHarness
  let seed: Seed
  let page: Page
  let known: Known
  before(async () => {
    harness = await startConsoleHarness(WEBHOOKS)
    seed = await fillSeed(harness.service.context, USERS)
    known = await becomeKnown(harness.service, seed)
    page = await harness.administrator('owner', { email: OWNER })
  })
  after(() => harness.close())
  afterEach(() => assert.deepEqual(harness.complaints, []))

  const fromMenu = async (name: string) => {
    await page.getByRole('navigation', { name: 'Menu do console' }).getByRole('link', { name, exact: true }).click()
    await heading(page, name)
  }
  const section = (name: string) => page.getByRole('region', { name, exact: true })
  const search = async (typed: string) => {
    // By its address: Enter leads past one result, to the user.
    await pushAddress(page, `/admin/search?q=${encodeURIComponent(typed)}`)
    await page.waitForURL((url) => url.searchParams.get('q') === typed)
    await page
      .getByRole('status')
      .filter({ hasText: /\d resultado/ })
      .waitFor()
  }

  const clear = async () => {
    const button = page.getByRole('button', { name: 'Limpar filtros' })
    await button.click()
    await button.waitFor({ state: 'detached' })
  }

  it('counts a month of them on its first page, in numbers that can be read', async () => {
    // They came within 28 days, up to yesterday: in the first days of a month, in the month before.
    const day = Number(new Date().toLocaleDateString('en-CA', { timeZone: 'America/Sao_Paulo' }).slice(8))
    if (day < 4) await page.getByRole('button', { name: 'Mês anterior' }).click()
    for (const measure of ['Pessoas novas', 'Entradas'])
      await page.getByRole('link', { name: new RegExp(`^${measure}: \\d{1,3}\\.\\d{3}\\. Abrir a lista$`) }).waitFor()
    const alerts = section('Precisa de atenção')
    await alerts.getByRole('link', { name: '200 notificações não resolvidas' }).waitFor()
    await alerts.getByRole('link', { name: `${DEAD_JOBS} tarefas abandonadas` }).waitFor()
    await page.getByText('Ver os números de cada dia em tabela').click()
    await page
      .getByRole('table', { name: 'Números por dia' })
      .getByRole('row')
      .filter({ hasText: /3\.\d{3}/ })
      .first()
      .waitFor()
    await assertFits(page)
    await alerts.getByRole('link', { name: '200 notificações não resolvidas' }).click()
    await rowsAre(
      page,
      rareOf(2).map((n) => emailOf(n)),
    )
  })

  it('finds one of them by address, name, tax id, order and the id of an event', async () => {
    const results = page.getByRole('list', { name: 'Busca' }).getByRole('listitem')
    for (const [typed, found] of [
      [known.email.toUpperCase(), 6],
      ['zuleica barreto', 1],
      ['Barreto Zulei', 1],
      [known.taxId, 1],
      [known.taxId.replace(/\D/g, ''), 1],
      [known.order, 1],
      [known.event, 1],
      [known.session, 1],
    ] as const) {
      await search(typed)
      await page.getByText(found === 1 ? '1 resultado' : `${found} resultados`, { exact: true }).waitFor()
      const first = results.first()
      await first.filter({ hasText: typed === known.event ? 'checkout.session.completed' : known.email }).waitFor()
      await first.getByRole('link').first().click()
      await page.getByRole('heading', { level: 1 }).filter({ hasNotText: 'Busca' }).waitFor()
      await page
        .getByText(typed === known.event ? known.intent : known.email)
        .first()
        .waitFor()
    }
    await search('ana souza')
    await page
      .getByText(/^Mais de/)
      .or(page.getByText('10 resultados'))
      .first()
      .waitFor()
    await assertFits(page)
  })

  it('shows the whole timeline of one user, and all that is theirs', async () => {
    await search(known.email)
    await page.getByRole('link', { name: 'Zuleica Barreto', exact: true }).click()
    await heading(page, 'Zuleica Barreto')
    const timeline = section('Linha do tempo').getByRole('list', { name: 'Linha do tempo' })
    await timeline.getByText('Pagamento recebido').nth(1).waitFor()
    const countOf = (text: string) => timeline.getByRole('listitem').filter({ hasText: text }).count()
    assert.deepEqual(
      await Promise.all(['Pagamento recebido', 'Notificação: Compra', 'Entrou', 'Pessoa alterada'].map(countOf)),
      [2, 3, 1, 3],
    )
    await section('Perfil')
      .getByText(/\*\*\*\.\d{3}\.\d{3}-\*\*/)
      .waitFor()
    for (const [name, rows] of [
      ['Sessões', 1],
      ['Compras', 2],
      ['Alterações', 3],
    ] as const) {
      await section(name).getByRole('row').nth(rows).waitFor()
      assert.equal(await section(name).getByRole('row').count(), 1 + rows)
    }
    await assertFits(page)
  })

  it('lists users newest first, by address, page by page and back, and those who fit', async () => {
    await fromMenu('Pessoas')
    await rowsAre(page, [OWNER, ...newest(PAGE - 1).map(emailOf)])
    await page.getByRole('button', { name: 'E-mail' }).click()
    await rowsAre(page, newest(PAGE).map(emailOf))
    await page.getByRole('button', { name: 'E-mail' }).click()
    await rowsAre(page, [OWNER, ...oldest(0, PAGE - 1).map(emailOf)])
    await page.getByRole('button', { name: 'Próxima' }).click()
    await rowsAre(page, oldest(PAGE - 1, PAGE).map(emailOf))
    await page.getByRole('button', { name: 'Próxima' }).click()
    await rowsAre(page, oldest(2 * PAGE - 1, PAGE).map(emailOf))
    await page.getByRole('link', { name: /./ }).and(page.locator('th a')).first().click()
    await section('Perfil')
      .getByText(emailOf(2 * PAGE - 1))
      .waitFor()
    await page.goBack()
    await rowsAre(page, oldest(2 * PAGE - 1, PAGE).map(emailOf))
    await page.getByRole('button', { name: 'Anterior' }).click()
    await rowsAre(page, oldest(PAGE - 1, PAGE).map(emailOf))

    await page.getByRole('button', { name: 'Conta criada' }).click()
    await chooseFilter(page, 'Conta', 'Bloqueada')
    await rowsAre(page, rareOf(1).map(emailOf))
    await clear()
    await page.getByLabel('Nome, empresa ou e-mail').fill('barreto')
    await page.keyboard.press('Enter')
    await rowsAre(page, [known.email])
    await page.getByLabel('Nome, empresa ou e-mail').fill('barreto que nao ha')
    await page.keyboard.press('Enter')
    await page.getByText('Nada encontrado com estes filtros').waitFor()
  })

  it('lists sessions, and those from one network address', async () => {
    await fromMenu('Sessões')
    await rowsAre(page, [OWNER, ...newest(PAGE - 1).map(emailOf)])
    await page.getByLabel('Endereço IP').fill('198.51.3.7')
    await page.keyboard.press('Enter')
    await rowsAre(page, [63_761, 760].map(emailOf))
    await assertFits(page)
  })

  it('lists subscriptions by state, by buyer, and those without an account', async () => {
    await fromMenu('Assinaturas')
    await chooseFilter(page, 'Situação no último evento', 'Reembolsada')
    await rowsAre(page, rareOf(1).map(emailOf))
    await page.getByRole('button', { name: 'Próxima' }).click()
    await rowsAre(page, rareOf(1, PAGE).map(emailOf))
    await clear()
    await chooseFilter(page, 'Conta', 'Só compras sem conta')
    await rowsAre(
      page,
      [
        known.guest,
        ...newest(2 * PAGE)
          .filter((n) => n % 2 === 1)
          .map(emailOf),
      ].slice(0, PAGE),
    )
    await clear()
    await page.getByLabel('E-mail de quem comprou').fill(known.email)
    await page.keyboard.press('Enter')
    await rowsAre(page, [known.email, known.email])
    await assertFits(page)
  })

  it('lists notifications about payments by what became of them, by source and by buyer', async () => {
    await fromMenu('Webhooks')
    await clear() // what the first page had led to
    await rowsAre(page, [known.intent, known.email, ...newest(PAGE).flatMap((n) => [emailOf(n), emailOf(n)])].slice(0, PAGE))
    await chooseFilter(page, 'Origem', 'Asaas')
    await rowsAre(page, rareOf(2).map(emailOf))
    await clear()
    await page.getByLabel('E-mail de quem comprou').fill(known.email)
    await page.keyboard.press('Enter')
    await rowsAre(page, [known.email, known.email, known.email])
    await assertFits(page)
  })

  it('lists what was done by action and by whom', async () => {
    await fromMenu('Auditoria')
    await page.getByRole('button', { name: 'O quê' }).click()
    await page.getByRole('dialog', { name: 'O quê' }).getByRole('combobox').fill('user.disable')
    await page.keyboard.press('Enter')
    await page.waitForURL(/user\.disable/)
    const byOperator = page.getByRole('cell', { name: 'Linha de comando' })
    await byOperator.nth(PAGE - 1).waitFor()
    assert.equal(await byOperator.count(), PAGE)
    await clear()
    await page.getByRole('textbox', { name: 'Em quê' }).fill(seed.user.id)
    await page.keyboard.press('Enter')
    await page
      .getByRole('row', { name: /Zuleica Barreto.*Zuleica Barreto/ })
      .nth(1)
      .waitFor()
    await page.getByRole('row').nth(4).waitFor({ state: 'detached' })
    assert.equal(await page.getByRole('row').count(), 1 + 3)
    await assertFits(page)
  })

  it('pages through administrators and what was given up', async () => {
    await fromMenu('Administradores')
    await rowsAre(page, RARE.slice(0, PAGE).map(emailOf))
    for (let turned = 1; turned <= RARE.length / PAGE; turned++) {
      await page.getByRole('button', { name: 'Próxima' }).click()
      await page.getByText(`Página ${turned + 1}`).waitFor()
    }
    await rowsAre(page, [OWNER])
    await fromMenu('Tarefas')
    await page.getByRole('row').nth(PAGE).waitFor()
    await assertFits(page)
    await page.getByRole('button', { name: 'Próxima' }).click()
    await page.getByRole('row').nth(PAGE).waitFor({ state: 'detached' })
    assert.equal(await page.getByRole('row').count(), 1 + DEAD_JOBS - PAGE)
  })

  it('shows the few things there are of the rest as it always does', async () => {
    for (const [menu, row] of [
      ['Produtos', 'Seed'],
      ['Planos', 'R$ 49,00'],
      ['Provedores de identidade', 'Universidade'],
      ['Chaves criptográficas', 'Em uso'],
      ['Tokens de API', 'Conferência'],
    ] as const) {
      await fromMenu(menu)
      await page.getByRole('row').filter({ hasText: row }).first().waitFor()
    }
    await fromMenu('Produtos')
    await page.getByRole('link', { name: 'Seed', exact: true }).click()
    await heading(page, 'Seed')
    await section('Planos deste produto').getByText('R$ 49,00').waitFor()
    await fromMenu('Webhooks')
    await page.getByRole('link', { name: 'Testar webhook' }).click()
    await page.getByRole('button', { name: 'Enviar teste' }).click()
    await section('Resposta').getByText('Tudo certo').waitFor()
  })
})

/** One user of the seed, a guest without an account, and the values by which both can be found. */
interface Known {
  email: string
  taxId: string
  order: string
  session: string
  guest: string
  /** Of a sale to the guest: the gateway's id of the event, and what it is about. */
  event: string
  intent: string
}

async function becomeKnown(service: TestService, { user: seeded }: Seed): Promise<Known> {
  const { context, url } = service
  const { db } = context.storage
  const operator = { ...context, actor: 'operator:test' }
  const known = { email: seeded.email, taxId: cpfOf(1), order: randomUUID(), guest: 'sem.conta@example.com', intent: 'pi_aurora' }
  const user = (await findUser(db, seeded.id)) ?? assert.fail()
  await setUser(user, { name: 'Zuleica Barreto' }, operator)
  await giveTaxId(context, user.id, known.taxId)
  await notify(url, activated({ email: user.email, id: known.order }))
  const shop = await openSchool(service, 'stripe')
  const sold = sale(known.intent, known.guest)
  await deliver(shop, sold)
  await addProvider(
    {
      ...{ id: 'universidade', name: 'Universidade', issuer: 'https://id.universidade.example', authoritativeFor: [] },
      ...{ clientId: 'portaria', clientSecret: 'a secret', accessTokenAudience: undefined },
    },
    operator,
  )
  await createAdminToken({ name: 'Conferência', role: 'viewer', scopes: [], expiresDays: 30 }, operator)
  const now = service.clock.now
  const tried = {
    attempts: 12,
    run_at: now,
    created_at: now,
    dead_at: now,
    last_error: 'connect ECONNREFUSED',
    leased_until: null,
    lane: null,
  }
  const dead = Array.from({ length: DEAD_JOBS }, () => ({ id: newId(), kind: 'mail', payload_sealed: 'sealed', ...tried }))
  await db.insertInto('outbox').values(dead).execute()
  const session = await db.selectFrom('sessions').select('id').where('user_id', '=', user.id).executeTakeFirstOrThrow()
  return { ...known, session: session.id, event: sold.id }
}

/** The address of one user of the seed. */
function emailOf(n: number): string {
  return `pessoa.${String(n).padStart(7, '0')}@seed.example`
}

/** The last users of the seed, the newest first. */
function newest(count: number): number[] {
  return Array.from({ length: count }, (_, i) => USERS - 1 - i)
}

function oldest(from: number, count: number): number[] {
  return Array.from({ length: count }, (_, i) => from + i)
}

/** A page of the rare ones, the newest first, each as often as there are rows of theirs. */
function rareOf(rows: number, from = 0): number[] {
  return RARE.toReversed()
    .flatMap((n) => Array.from({ length: rows }, () => n))
    .slice(from, from + PAGE)
}

/** The table has these rows in this order, each with its text, and no others. */
async function rowsAre(page: Page, wanted: readonly string[]): Promise<void> {
  const rows = page.getByRole('table').locator('tbody tr')
  let shown: string[] = []
  const areShown = async () => {
    shown = await rows.allInnerTexts()
    return shown.length === wanted.length && wanted.every((text, i) => shown[i]?.includes(text))
  }
  try {
    await until(areShown, 7_500)
  } catch (fault) {
    // The comparison says what is shown instead.
    assert.deepEqual(
      shown.map((text, i) => (text.includes(wanted[i] ?? '-') ? wanted[i] : text.replaceAll(/\s+/g, ' '))),
      wanted,
    )
    throw fault
  }
}
