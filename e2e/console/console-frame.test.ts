import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { until } from '../../server/test/support/until.ts'
import { lookAt } from '../harness/axe.ts'
import { type OwnBrowser, openBrowser } from '../harness/browser.ts'
import { keepTabs, type Tabs } from '../harness/tabs.ts'
import { type Asked, type Canned, type CannedConsole, startCannedConsole } from './canned-console.ts'
import { pushAddress } from './console-harness.ts'

const COUNTING_MS = 5_000
const MARKUP = '<img src=x onerror="window.hacked=1"><script>window.hacked=1</script>'
const me = {
  id: 'u1',
  name: `Ana ${MARKUP}`,
  email: 'ana@example.com',
  role: 'owner',
  has_second_factor: true,
  time_zone: 'America/Sao_Paulo',
}
const plan = {
  id: 'p1',
  slug: 'easy-pro',
  name: 'Easy Pro',
  price: 9900,
  below_price: 'apply',
  product: null,
  gateway_refs: [{ gateway: 'stripe', ref: 'price_1' }],
}
/** The record of a plan's change: all fields before, and the changed ones after. */
const planChange = {
  action: 'plan.set',
  before: { id: 'p1', name: 'Easy', slug: 'easy-pro', price: 9900, scope: 'operator', belowPrice: 'apply', gatewayRefs: [] },
  after: { price: 12900, belowPrice: 'hold', gatewayRefs: [{ gateway: 'stripe', ref: MARKUP }], ofTomorrow: true },
}
/** The service's own words, ids and times, as the log has them. */
const rawChange = {
  action: 'endpoint.replay',
  before: { state: 'active', plan: 'easy-pro', until: null },
  after: {
    state: 'past_due',
    plan: 'easy-gone',
    until: 1_800_000_000_000,
    what: 'failed',
    reason: 'gone',
    scopes: ['users:read'],
    user_id: 'u1',
  },
}
const entries = Array.from({ length: 30 }, (_, i) => ({
  id: `e${i}`,
  at: new Date(1_800_000_000_000 - i * 60_000).toISOString(),
  actor: 'user:u1',
  action: 'user.change',
  target: `u${i}`,
  before: { name: 'Ana' },
  after: { name: MARKUP },
  reason: i === 0 ? '=HYPERLINK("http://evil.example")' : MARKUP,
  ip: '10.0.0.1',
  ...(i === 2 && planChange),
  ...(i === 3 && rawChange),
}))
const noCounts = {
  ...{ sign_ins: 0, sign_ins_by_method: {}, new_users: 0, failed_sign_ins: 0, failed_sign_ins_by_kind: {} },
  ...{ failed_notifications: 0, dead_jobs: 0 },
}
const overview = {
  time_zone: 'America/Manaus',
  today: '2027-01-15',
  days: [],
  month: {
    month: '2027-01',
    since: '2027-01-01T04:00:00.000Z',
    until: '2027-02-01T03:59:59.999Z',
    before: { from: '2026-12-01', to: '2026-12-15', counts: noCounts },
  },
  alerts: [],
  products: 1,
}
const event = {
  ...{ id: 'ev1', type: 'access.granted', product: null, subject: '•••', occurred_at: '2027-01-15T12:00:00.000Z' },
  ...{ data: {}, deliveries: [] },
}

describe('The console in a browser', () => {
  let browser: OwnBrowser
  let tabs: Tabs
  let console: CannedConsole
  let answer: (asked: Asked) => Canned | undefined = usual
  before(async () => {
    browser = await openBrowser()
    tabs = keepTabs(async (options) => (await browser.newContext(options)).newPage())
    console = await startCannedConsole((asked) => answer(asked))
  })
  after(async () => {
    await browser.close()
    await console.stop()
  })

  /** Opens an address of the console in an empty tab; whatever it asks of another host, or its policy refuses, is a fault. */
  async function open(path: string, work: (page: Page) => Promise<void>, options: BrowserContextOptions = {}): Promise<void> {
    answer = usual
    console.asked.length = 0
    const faults: string[] = []
    const page = await tabs.take(options)
    page.on('request', (request) => {
      if (!/^(blob:|data:)/.test(request.url()) && !request.url().startsWith(console.url)) faults.push(request.url())
    })
    page.on('pageerror', (error) => faults.push(String(error)))
    page.on('console', (message) => {
      if (/Content Security Policy/.test(message.text())) faults.push(message.text())
    })
    await page.goto(`${console.url}/admin${path}`)
    await work(page)
    assert.equal(await page.evaluate('window.hacked'), undefined)
    await tabs.leave(page)
    for (const event of ['request', 'pageerror', 'console']) page.removeAllListeners(event)
    assert.deepEqual(faults, [])
  }

  for (const [path, heading] of [
    ['', 'Início'],
    ['/nowhere', 'Página não encontrada'],
    ['/audit', 'Auditoria'],
    ['/audit/e1/show', 'Pessoa alterada'],
    ['/audit/e2/show', 'Plano criado ou alterado'],
    ['/plans', 'Planos'],
    ['/plans/p1', 'Easy Pro'],
  ] as const) {
    it(`shows ${heading} on a phone, without an accessibility fault, as wide as the screen`, () =>
      open(
        path,
        async (page) => {
          await page.getByRole('heading', { level: 1, name: heading }).waitFor()
          await page.getByRole('progressbar').waitFor({ state: 'detached' })
          assert.deepEqual((await lookAt(page)).faults, [])
          const [width, screen] = await page.evaluate<[number, number]>('[document.documentElement.scrollWidth, innerWidth]')
          assert.ok(width <= screen, `${width} of ${screen}`)
        },
        { viewport: { width: 390, height: 800 } },
      ))
  }

  it('says of a list behind figures that some are missing, and reads it again until none is', () =>
    open('', async (page) => {
      let isCounting = true
      answer = (asked) =>
        asked.path === 'transactions' ? { status: 200, body: { data: [], next_cursor: null, is_counting: isCounting } } : usual(asked)
      await page.goto(`${console.url}/admin/transactions`)
      const said = page.getByText('Algumas compras ainda estão sendo contadas')
      await said.waitFor()
      assert.deepEqual((await lookAt(page)).faults, [])
      const times = () => console.asked.filter(({ path }) => path === 'transactions').length
      isCounting = false
      const before = times()
      await said.waitFor({ state: 'detached' })
      assert.equal(times(), before + 1)
      await pause(COUNTING_MS + 1_000)
      assert.equal(times(), before + 1, 'it is read on and on')
    }))

  it('sorts, filters and turns pages by the words of the API, and its address brings the same back', () =>
    open('/audit', async (page) => {
      await page.getByRole('button', { name: 'Próxima' }).click()
      await page.getByText('Página 2').waitFor()
      const action = page.getByRole('button', { name: /^O quê/ })
      const typeAction = async (text: string) => {
        await action.click()
        await page.getByRole('dialog', { name: 'O quê' }).getByRole('combobox').fill(text)
      }
      await typeAction('Pessoa alterada')
      await page.keyboard.press('Enter')
      await page.waitForURL(/user\.change/)
      await page.reload()
      await page.getByRole('row').nth(3).waitFor()
      await action.filter({ hasText: 'O quê: Pessoa alterada' }).waitFor()
      const last = console.asked.filter(({ path }) => path === 'audit').at(-1)
      assert.deepEqual(last?.query, { limit: '25', sort: '-at', action: 'user.change' })
      await typeAction('some.action')
      await page.keyboard.press('Enter')
      await page.waitForURL(/some\.action/)
      await action.filter({ hasText: 'O quê: some.action' }).waitFor()
      await page.getByRole('button', { name: 'Quando' }).click()
      await page.waitForURL(/order=ASC/)
      await page.getByRole('columnheader', { name: 'Quando' }).and(page.locator('[aria-sort=ascending]')).waitFor()
    }))

  it('shows words, names and local times in place of those of the service, and what it does not know as it is', () =>
    open('/audit/e3/show', async (page) => {
      const cells = async (field: string) =>
        (
          await page
            .getByRole('row')
            .filter({ has: page.getByRole('rowheader', { name: field, exact: true }) })
            .innerText()
        )
          .split('\t')
          .slice(1)
          .map((cell) => cell.replaceAll('\n', ' ').trim())
      await page.getByText('Easy Pro').waitFor()
      assert.deepEqual(await cells('Situação'), ['Ativa', 'Em atraso'])
      assert.deepEqual(await cells('Plano'), ['Easy Pro', 'easy-gone'])
      assert.deepEqual(await cells('O quê'), ['– nenhum', 'As que falharam'])
      assert.deepEqual(await cells('Motivo'), ['– nenhum', 'Respondeu 410: não existe mais'])
      assert.deepEqual(await cells('Permissões'), ['– nenhum', 'Pessoas: ver'])
      assert.match((await cells('Até'))[1] ?? '', /15.*2027.*05:00/)
    }))

  it('shows times in the zone that another administrator has set meanwhile, once the first page is seen', () =>
    open('/audit', async (page) => {
      const time = page.getByRole('row').nth(1).locator('time')
      const inZone = (timeZone: string) =>
        new Intl.DateTimeFormat('pt-BR', { dateStyle: 'short', timeStyle: 'short', timeZone }).format(new Date(entries[0]?.at ?? ''))
      await time.waitFor()
      assert.equal(await time.textContent(), inZone('America/Sao_Paulo'))
      answer = (asked) => (asked.path === 'overview' ? { status: 200, body: overview } : usual(asked))
      await page.getByRole('link', { name: 'Início', exact: true }).click()
      await page.getByRole('heading', { name: 'Precisa de atenção' }).waitFor()
      await page.getByRole('link', { name: 'Auditoria', exact: true }).click()
      await time.waitFor()
      assert.equal(await time.textContent(), inZone('America/Manaus'))
    }))

  it('shows what an action changed in one table, in words, and what it left on request', () =>
    open('/audit/e2/show', async (page) => {
      const rows = async () =>
        (await page.getByRole('table', { name: 'O que mudou' }).getByRole('row').allInnerTexts()).map((row) =>
          row.split('\t').map((cell) => cell.replaceAll('\n', ' ').trim()),
        )
      const changed = [
        ['Campo', 'Antes', 'Depois'],
        ['Preço', 'R$\u00a099,00', 'R$\u00a0129,00'],
        ['Pagamento abaixo do preço', 'Vale, e a diferença é mostrada', 'Espera a sua decisão'],
        ['Códigos nos meios de pagamento', '– nenhum', `Meio de pagamento: Stripe, Código: ${MARKUP}`],
        ['of_tomorrow', '– nenhum', 'Sim'],
      ]
      await page.getByRole('rowheader', { name: 'Preço', exact: true }).waitFor()
      assert.deepEqual(await rows(), changed)
      await page.getByRole('button', { name: 'Mostrar os 4 campos que não mudaram' }).click()
      const [id, name, slug, scope] = (await rows()).slice(changed.length)
      assert.deepEqual(
        [id, name, slug, scope],
        [
          ['Identificador', 'p1', 'p1'],
          ['Nome', 'Easy', 'Easy'],
          ['Nome na URL', 'easy-pro', 'easy-pro'],
          ['Em que apps o plano vale', 'Todos os apps', 'Todos os apps'],
        ],
      )
      assert.deepEqual((await lookAt(page)).faults, [])
      await page.getByRole('button', { name: 'Esconder os que não mudaram' }).click()
      assert.deepEqual(await rows(), changed)
      await page.setViewportSize({ width: 390, height: 800 })
      await page.getByRole('heading', { level: 3, name: 'Preço', exact: true }).waitFor()
      assert.deepEqual((await lookAt(page)).faults, [])
    }))

  it('asks for proof in the middle of a form, and sends what was typed once it has it', () =>
    open('/plans/p1', async (page) => {
      let isAuthenticated = false
      answer = (asked) => {
        if (asked.method === 'PATCH' && !isAuthenticated) return { status: 401, body: { error: 'nao autenticado' } }
        return usual(asked)
      }
      await page.getByRole('textbox', { name: 'Nome', exact: true }).fill('Easy Pro Plus')
      await page.getByRole('button', { name: 'Salvar' }).click()
      const dialog = page.getByRole('dialog', { name: 'Sua sessão terminou' })
      await dialog.waitFor()
      assert.equal(await page.locator('input[name=name]').inputValue(), 'Easy Pro Plus')
      assert.deepEqual((await lookAt(page)).faults, [])
      isAuthenticated = true
      await dialog.getByRole('button', { name: 'Abrir a janela de entrada' }).click()
      await page.getByText('Salvo').waitFor()
      const sent = console.asked.filter(({ method }) => method === 'PATCH')
      assert.equal(sent.length, 2)
      assert.deepEqual(sent[1], sent[0])
      assert.deepEqual(sent[1]?.body, { name: 'Easy Pro Plus' })
      assert.equal(sent[1]?.ifMatch, '"v1"')
    }))

  it('warns the second of two users who edit one record, and lets them choose', () =>
    open('/plans/p1', async (page) => {
      await page.getByRole('textbox', { name: 'Nome', exact: true }).fill('Mine')
      await page.getByLabel('Preço em reais').fill('24.9')
      answer = (asked) => {
        if (asked.path === 'plans/p1' && asked.method === 'GET')
          return { status: 200, body: { ...plan, name: 'Theirs', price: 1990, gateway_refs: [] }, headers: { etag: '"v2"' } }
        if (asked.method === 'PATCH' && asked.ifMatch !== '"v2"') return { status: 412, body: { error: 'alterado por outra pessoa' } }
        return usual(asked)
      }
      await page.getByRole('button', { name: 'Salvar', exact: true }).click()
      const conflict = page.getByRole('alert').filter({ hasText: 'Isto mudou desde que você abriu' })
      await conflict.getByText('Theirs').waitFor()
      await conflict.getByText('Mine').waitFor()
      const shown = async () => (await conflict.locator('dl').allInnerTexts()).map((text) => text.replace(/\s+/g, ' '))
      assert.deepEqual(await shown(), ['Nome Agora no serviço Theirs O que você digitou Mine', PRICES])
      assert.deepEqual((await lookAt(page)).faults, [])
      await conflict.getByRole('button', { name: 'Salvar o que eu digitei' }).click()
      await page.waitForURL(/\/plans$/)
      const last = console.asked.filter(({ method }) => method === 'PATCH').at(-1)
      assert.equal(last?.ifMatch, '"v2"')
      assert.deepEqual(last?.body, { name: 'Mine', price: 2490 })
    }))

  it('compares anew when a third user was faster still, and says beside the field why a value is refused', () =>
    open('/plans/p1', async (page) => {
      const name = page.getByRole('textbox', { name: 'Nome', exact: true })
      await name.fill('Mine')
      let [version, theirs] = ['"v2"', 'Theirs']
      answer = (asked) => {
        if (asked.path !== 'plans/p1') return usual(asked)
        if (asked.method === 'GET') return { status: 200, body: { ...plan, name: theirs }, headers: { etag: version } }
        if (asked.ifMatch !== version) return { status: 412, body: { error: 'alterado por outra pessoa' } }
        if (JSON.stringify(asked.body).includes('Mine'))
          return { status: 400, body: { error: 'Payload invalido', fields: { name: 'too_big' } } }
        return usual(asked)
      }
      await page.getByRole('button', { name: 'Salvar', exact: true }).click()
      const conflict = page.getByRole('alert').filter({ hasText: 'Isto mudou desde que você abriu' })
      await conflict.getByText('Theirs').waitFor()
      ;[version, theirs] = ['"v3"', 'Of a third']
      const keep = conflict.getByRole('button', { name: 'Salvar o que eu digitei' })
      await keep.click()
      await conflict.getByText('Of a third').waitFor()
      await keep.click()
      await page.getByText('Grande demais').waitFor()
      assert.equal(await name.getAttribute('aria-invalid'), 'true')
      await name.fill('Shorter')
      const { promise, resolve: release } = Promise.withResolvers<void>()
      await page.route('**/api/admin/plans/p1', (route) => promise.then(() => route.continue()))
      await keep.click()
      await until(() => keep.isDisabled())
      release()
      await page.waitForURL(/\/plans$/)
      await page.unrouteAll()
      const sent = console.asked.filter(({ method }) => method === 'PATCH')
      assert.deepEqual(
        sent.map(({ ifMatch }) => ifMatch),
        ['"v1"', '"v2"', '"v3"', '"v3"'],
      )
      assert.deepEqual(sent.at(-1)?.body, { name: 'Shorter' })
    }))

  it('makes one token of a double click, also of one that is faster than the page is drawn', () =>
    open('/tokens/create', async (page) => {
      const { promise, resolve: release } = Promise.withResolvers<void>()
      answer = (asked) => (asked.method === 'POST' ? { status: 201, body: { id: 't1', token: 'adm_um' } } : usual(asked))
      await page.route('**/api/admin/tokens', (route) => promise.then(() => route.continue()))
      const posts: string[] = []
      page.on('request', (request) => void (request.method() === 'POST' && posts.push(request.url())))
      await page.getByRole('textbox', { name: /^Nome( \*)?$/ }).fill('noturno')
      const create = page.getByRole('button', { name: 'Criar', exact: true })
      // Two clicks in one task, then one while the first request is on its way.
      await page.evaluate("{ const it = document.querySelector('main button[type=submit]'); it.click(); it.click() }")
      await until(() => posts.length > 0)
      await until(async () => (await create.getAttribute('aria-disabled')) === 'true')
      await create.dispatchEvent('click')
      await page.getByRole('textbox', { name: /^Nome( \*)?$/ }).press('Enter')
      release()
      await page.getByText('adm_um').waitFor()
      assert.equal(posts.length, 1)
      await page.unrouteAll()
    }))

  it('lets a refused form be sent again', () =>
    open('/tokens/create', async (page) => {
      let isTaken = true
      answer = (asked) => {
        if (asked.method !== 'POST') return usual(asked)
        if (isTaken) return { status: 400, body: { error: 'Payload invalido', fields: { name: 'too_big' } } }
        return { status: 201, body: { id: 't1', token: 'adm_dois' } }
      }
      await page.getByRole('textbox', { name: /^Nome( \*)?$/ }).fill('noturno')
      await page.getByRole('button', { name: 'Criar', exact: true }).click()
      await page.getByText('Grande demais').waitFor()
      isTaken = false
      await page.getByRole('button', { name: 'Criar', exact: true }).click()
      await page.getByText('adm_dois').waitFor()
    }))

  it('warns of what is lost when a form is left that could not be saved', () =>
    open('/plans/p1', async (page) => {
      const refusals: Array<[status: number, said: string]> = [
        [500, 'O serviço encontrou um erro'],
        [409, 'Isto não é possível no estado atual'],
        [412, 'Isto mudou desde que você abriu'],
      ]
      let status = 0
      answer = (asked) => (asked.method === 'PATCH' || asked.method === 'POST' ? { status, body: { error: 'nao' } } : usual(asked))
      const questions: string[] = []
      page.on('dialog', (dialog) => {
        questions.push(dialog.type())
        void dialog.dismiss()
      })
      const staysHere = async (address: string) => {
        const before = questions.length
        await page.getByRole('link', { name: 'Auditoria', exact: true }).click()
        await until(() => questions.length > before)
        assert.equal(new URL(page.url()).pathname, address)
      }
      const name = page.getByRole('textbox', { name: 'Nome', exact: true })
      for (const [wanted, said] of refusals) {
        status = wanted
        await name.fill(`Easy ${wanted}`)
        await page.getByRole('button', { name: 'Salvar', exact: true }).click()
        await page.getByRole('alert').filter({ hasText: said }).waitFor()
        await staysHere('/admin/plans/p1')
        assert.equal(await name.inputValue(), `Easy ${wanted}`)
      }
      const keep = page.getByRole('alert').getByRole('button', { name: 'Salvar o que eu digitei' })
      const countReads = () => console.asked.filter(({ method, path }) => method === 'GET' && path === 'plans/p1').length
      const readBefore = countReads()
      await keep.click()
      await until(() => console.asked.filter(({ method }) => method === 'PATCH').length === 4)
      // After the refusal the record is read again. Then the button can be pressed again.
      await until(() => countReads() > readBefore)
      await keep.and(page.locator(':enabled:not([aria-disabled=true])')).waitFor()
      await staysHere('/admin/plans/p1')
      answer = usual
      await keep.click()
      await page.waitForURL(/\/plans$/)
      assert.equal(questions.length, 4, 'and not of what was saved')
      await pushAddress(page, '/admin/tokens/create')
      answer = (asked) => (asked.method === 'POST' ? { status: 500, body: { error: 'nao' } } : usual(asked))
      await page.getByRole('textbox', { name: /^Nome( \*)?$/ }).fill('noturno')
      await page.getByRole('button', { name: 'Criar', exact: true }).click()
      await page.getByRole('alert').filter({ hasText: 'O serviço encontrou um erro' }).waitFor()
      await staysHere('/admin/tokens/create')
      page.removeAllListeners('dialog')
      await page.goto(`${console.url}/healthz`)
    }))

  it('keeps the focus on the button of a form that is refused', () =>
    open('/tokens/create', async (page) => {
      const { promise, resolve: release } = Promise.withResolvers<void>()
      answer = (asked) => (asked.method === 'POST' ? { status: 500, body: { error: 'nao' } } : usual(asked))
      await page.route('**/api/admin/tokens', (route) => promise.then(() => route.continue()))
      await page.getByRole('textbox', { name: /^Nome( \*)?$/ }).fill('noturno')
      const create = page.getByRole('button', { name: 'Criar', exact: true })
      await create.focus()
      await page.keyboard.press('Enter')
      await page.locator('main button[type=submit][aria-disabled=true]').waitFor()
      await pause(100)
      release()
      await page.getByRole('alert').filter({ hasText: 'O serviço encontrou um erro' }).waitFor()
      assert.equal(await page.evaluate('document.activeElement.textContent'), 'Criar')
      await until(async () => (await create.getAttribute('aria-disabled')) === 'false')
      await page.unrouteAll()
      page.on('dialog', (dialog) => void dialog.accept())
      await page.goto(`${console.url}/healthz`)
      page.removeAllListeners('dialog')
    }))

  it('shows what is wrong beside the field, in words', () =>
    open('/plans/p1', async (page) => {
      answer = (asked) =>
        asked.method === 'PATCH' ? { status: 400, body: { error: 'Payload invalido', fields: { name: 'too_big' } } } : usual(asked)
      await page.getByRole('textbox', { name: 'Nome', exact: true }).fill('x'.repeat(300))
      await page.getByRole('button', { name: 'Salvar' }).click()
      await page.getByText('Grande demais').waitFor()
      assert.equal(await page.getByRole('textbox', { name: 'Nome', exact: true }).getAttribute('aria-invalid'), 'true')
    }))

  it('goes on when the service is back after a restart', () =>
    open('/plans', async (page) => {
      await page.getByRole('link', { name: 'Easy Pro' }).waitFor()
      let isAway = true
      answer = (asked) => (isAway ? { status: 503, body: { error: 'Servico indisponivel, tente novamente' } } : usual(asked))
      await page.getByRole('link', { name: 'Auditoria' }).click()
      const alert = page.getByRole('alert').filter({ hasText: 'fora do ar por um instante' })
      await alert.waitFor()
      isAway = false
      await alert.getByRole('button', { name: 'Tentar de novo' }).click()
      await page.getByRole('row').nth(3).waitFor()
    }))

  it('sends who is not signed in to sign in, and back to where they were', () =>
    open('/plans', async (page) => {
      answer = () => ({ status: 401, body: { error: 'nao autenticado' } })
      await page.goto(`${console.url}/admin/plans/p1`)
      await page.getByRole('heading', { name: 'Sign in here' }).waitFor()
      answer = usual
      await page.goto(`${console.url}/admin`)
      await page.getByRole('heading', { name: 'Easy Pro' }).waitFor()
      assert.match(page.url(), /\/admin\/plans\/p1$/)
    }))

  it('says to who is no administrator what to do', () =>
    open('/plans', async (page) => {
      answer = () => ({ status: 403, body: { error: 'nao permitido' } })
      await page.reload()
      await page.getByRole('heading', { name: 'Esta conta não é de administrador' }).waitFor()
      assert.deepEqual((await lookAt(page)).faults, [])
    }))

  it('changes language and colours, and keeps both', () =>
    open('/plans', async (page) => {
      await page.getByRole('button', { name: 'Idioma: Português' }).click()
      await page.getByRole('menuitem', { name: 'English' }).click()
      await page.getByRole('heading', { name: 'Plans' }).waitFor()
      await page.getByRole('button', { name: 'Use dark colours' }).click()
      await page.getByRole('button', { name: 'Use light colours' }).waitFor()
      await page.reload()
      await page.getByRole('heading', { name: 'Plans' }).waitFor()
      await page.getByRole('button', { name: 'Use light colours' }).waitFor()
      assert.equal(await page.evaluate('document.documentElement.lang'), 'en')
    }))

  it('is used by keyboard: past the menu, into the list, to a record', () =>
    open('/plans', async (page) => {
      await page.getByRole('link', { name: 'Easy Pro' }).waitFor()
      await page.keyboard.press('Tab')
      assert.equal(await page.evaluate('document.activeElement.textContent'), 'Ir para o conteúdo')
      await page.keyboard.press('Enter')
      await page.getByRole('link', { name: 'Easy Pro' }).focus()
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { level: 1, name: 'Easy Pro' }).waitFor()
      assert.equal(await page.evaluate('document.activeElement.id'), 'content')
    }))

  it('keeps the rest alive when one page fails', () =>
    open('/plans', async (page) => {
      answer = (asked) => (asked.path === 'audit' ? { status: 200, body: { data: [{ id: 'e1' }, null], next_cursor: null } } : usual(asked))
      page.removeAllListeners('pageerror')
      await page.getByRole('link', { name: 'Auditoria' }).click()
      await page.getByRole('heading', { name: 'Esta página encontrou um erro' }).waitFor()
      await page.getByRole('link', { name: 'Planos' }).click()
      await page.getByRole('heading', { name: 'Planos' }).waitFor()
    }))

  it('shows its frame before its scripts are there, and grey rows before those of a list', async () => {
    answer = usual
    const page = await tabs.take({})
    const hold = async (pattern: string) => {
      const { promise, resolve } = Promise.withResolvers<void>()
      await page.route(pattern, (route) => promise.then(() => route.continue()))
      return resolve
    }
    const [giveScripts, giveRows] = [await hold('**/admin/assets/*.js'), await hold('**/api/admin/audit*')]
    await page.goto(`${console.url}/admin/audit`, { waitUntil: 'commit' })
    await page.locator('.shell').getByText('Portaria').waitFor()
    // Playwright's own wait asks again by `eval`, which the page's policy refuses.
    const styleOf = (selector: string, property: string) =>
      page.evaluate<string | undefined>(`[...document.querySelectorAll('${selector}')].map((one) => getComputedStyle(one).${property})[0]`)
    await until(async () => (await styleOf('.shell-bar', 'display')) === 'flex')
    giveScripts()
    const rows = page.getByRole('progressbar', { name: 'Carregando' })
    await page.getByRole('heading', { level: 1, name: 'Auditoria' }).waitFor()
    await rows.waitFor()
    assert.ok(((await rows.boundingBox())?.height ?? 0) > 300)
    assert.equal(await page.locator('.shell').count(), 0)
    giveRows()
    await page.getByRole('row').nth(3).waitFor()
    // In the look that was chosen here, whatever the browser's is.
    await page.getByRole('button', { name: 'Usar cores escuras' }).click()
    await page.getByRole('button', { name: 'Usar cores claras' }).waitFor()
    await page.unrouteAll()
    const giveThem = await hold('**/admin/assets/*.js')
    await page.goto(`${console.url}/admin/audit`, { waitUntil: 'commit' })
    await until(async () => (await styleOf('.shell', 'backgroundColor')) === 'rgb(13, 18, 16)')
    giveThem()
    await page.getByRole('row').nth(3).waitFor()
    await page.unrouteAll()
    await tabs.leave(page)
  })

  it('shows a table on a tablet, where it fits, and blocks on a phone', () =>
    open(
      '/audit',
      async (page) => {
        await page.getByRole('row').nth(3).waitFor()
        const rest = await page.locator('.MuiTableContainer-root').evaluate((element) => element.scrollWidth - element.clientWidth)
        assert.equal(rest, 0)
        await page.setViewportSize({ width: 560, height: 900 })
        await page.getByRole('list', { name: 'Auditoria' }).waitFor()
        assert.equal(await page.getByRole('row').count(), 0)
      },
      { viewport: { width: 768, height: 1024 } },
    ))

  it('says of a page that is too far to be opened by its address that it is, and shows the first one', () =>
    open('/audit?page=40', async (page) => {
      await page.getByText('longe demais para abrir direto').waitFor()
      await page.getByRole('row').nth(3).waitFor()
      assert.deepEqual((await lookAt(page)).faults, [])
    }))

  it('stays on a page that could not be read, reads it again, and does so by itself while the service restarts', () =>
    open('/audit', async (page) => {
      let failing = Number.POSITIVE_INFINITY
      let status = 500
      answer = (asked) => {
        if (asked.path !== 'audit' || asked.query.cursor === undefined || failing === 0) return usual(asked)
        failing -= 1
        return { status, body: { error: 'nao' } }
      }
      await page.getByRole('button', { name: 'Próxima' }).click()
      const alert = page.getByRole('alert').filter({ hasText: 'O serviço encontrou um erro' })
      await alert.waitFor()
      await pause(300)
      assert.equal(await alert.count(), 1)
      assert.match(page.url(), /page=2/)
      assert.deepEqual((await lookAt(page)).faults, [])
      failing = 0
      await alert.getByRole('button', { name: 'Tentar de novo' }).click()
      await page.getByText('Página 2').waitFor()
      await page.getByRole('button', { name: 'Anterior' }).click()
      await page.getByText('Página 1').waitFor()
      ;[status, failing] = [503, 1]
      await page.reload()
      await page.getByRole('button', { name: 'Próxima' }).click()
      await page.getByText('Página 2').waitFor()
      // The rows of the page before stay until the five of this page are there.
      await page.getByRole('row').nth(6).waitFor({ state: 'detached' })
      await page.getByRole('row').nth(5).waitFor()
      assert.equal(failing, 0)
    }))

  it('goes back from a page that does not exist to where the user was, and shows no empty list in its place', () =>
    open('/plans', async (page) => {
      await page.getByRole('link', { name: 'Easy Pro' }).waitFor()
      await page.evaluate(`{
        const texts = ['Nada encontrado', 'Nada por aqui']
        window.shown = []
        new MutationObserver(() => {
          for (const text of texts) if (document.body.innerText.includes(text)) window.shown.push(text)
        }).observe(document.body, { childList: true, subtree: true })
      }`)
      for (const number of [9, 40]) {
        await pushAddress(page, `/admin/audit?page=${number}`)
        await page.getByRole('heading', { level: 1, name: 'Auditoria' }).waitFor()
        await page.getByText(number === 40 ? 'longe demais para abrir direto' : 'página da lista não existe mais').waitFor()
        await page.getByText('Página 1').waitFor()
        await page.goBack()
        await page.getByRole('heading', { level: 1, name: 'Planos' }).waitFor()
        assert.match(page.url(), /plans/)
      }
      assert.deepEqual(await page.evaluate('window.shown'), [])
    }))

  it('does not ask for the names in it again when the window is looked at again', () =>
    open('/audit', async (page) => {
      const askedOf = (what: string) => console.asked.filter(({ path }) => path.startsWith(what)).length
      answer = (asked) =>
        asked.path.startsWith('users/') ? { status: 200, body: { id: asked.path.slice('users/'.length), name: 'Bia' } } : usual(asked)
      await page.reload()
      await page.getByRole('row').nth(3).getByText('Bia').first().waitFor()
      const [names, lists] = [askedOf('users/'), askedOf('audit')]
      assert.ok(names > 0)
      await page.evaluate("dispatchEvent(new Event('visibilitychange')); document.dispatchEvent(new Event('visibilitychange'))")
      await until(() => askedOf('audit') > lists)
      await pause(300)
      assert.equal(askedOf('users/'), names)
    }))

  it('asks for nobody whose id a viewer does not see', () =>
    open('/audit', async (page) => {
      answer = (asked) => {
        if (asked.path === 'me') return { status: 200, body: { ...me, role: 'viewer' } }
        return asked.path === 'events/ev1' ? { status: 200, body: event } : usual(asked)
      }
      await page.goto(`${console.url}/admin/events/ev1/show`)
      const about = page.getByRole('region', { name: 'Evento', exact: true })
      await about.getByText('•••').waitFor()
      assert.equal(await about.getByRole('button', { name: /^Copiar/ }).count(), 1, 'the id of the event alone')
      assert.deepEqual(
        console.asked.filter(({ path }) => path.startsWith('users/')),
        [],
      )
    }))

  it('offers a viewer nothing that a viewer may not do', () =>
    open('/plans', async (page) => {
      answer = (asked) => (asked.path === 'me' ? { status: 200, body: { ...me, role: 'viewer' } } : usual(asked))
      await page.reload()
      await page.getByText('Easy Pro').waitFor()
      assert.equal(await page.getByRole('link', { name: 'Easy Pro' }).count(), 0)
      await page.goto(`${console.url}/admin/plans/p1`)
      await page.getByRole('heading', { level: 1, name: 'Sua função não permite ver esta página' }).waitFor()
      await page.getByText('Sua função aqui é Leitura.').waitFor()
      assert.equal(await page.title(), 'Sua função não permite ver esta página · Portaria')
      assert.equal(await page.getByRole('button', { name: 'Salvar' }).count(), 0)
      await page.getByRole('link', { name: 'Voltar ao início' }).click()
      await page.getByRole('heading', { level: 1, name: 'Início' }).waitFor()
    }))
})

/** As a user compares them: no centavos. */
const PRICES = 'Preço Agora no serviço R$ 19,90 O que você digitou R$ 24,90'

function usual({ method, path, query }: Asked): Canned | undefined {
  if (path === 'me') return { status: 200, body: me }
  if (path === 'plans') return { status: 200, body: { data: [plan], next_cursor: null } }
  if (path === 'plans/p1') return { status: 200, body: plan, headers: { etag: method === 'PATCH' ? '"v2"' : '"v1"' } }
  if (path === 'audit') {
    const [start, limit] = [Number(query.cursor ?? 0), Number(query.limit)]
    return {
      status: 200,
      body: { data: entries.slice(start, start + limit), next_cursor: start + limit < entries.length ? String(start + limit) : null },
    }
  }
  const entry = entries.find(({ id }) => path === `audit/${id}`)
  return entry && { status: 200, body: entry }
}
