import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, it } from 'node:test'
import { commandLine, MASTER_KEY } from '../../../test/support/command-line.ts'
import { eachDatabase } from '../../../test/support/databases.ts'
import { startFakeApi } from '../../../test/support/gateways/fake-api.ts'
import { askAccess, openSchool } from '../../../test/support/gateways/gateways.ts'
import { startService } from '../../../test/support/service.ts'

const CPF = '529.982.247-25'
const DAY_MS = 86_400_000
/** One moment for a whole file: two equal lines are equal to the millisecond. */
const now = Date.now()
const day = (offset: number) => new Date(now + offset * DAY_MS).toISOString()

interface Access {
  email: string
  user_id: string | null
  product: string
  plan_slug: string
  active: boolean
  state: string
  current_period_end: string | null
}

eachDatabase('import purchases', (database) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'portaria-purchases-'))
  after(() => rmSync(folder, { recursive: true }))
  let files = 0
  const fileOf = (lines: readonly unknown[]) => {
    const file = path.join(folder, `${files++}.jsonl`)
    writeFileSync(file, `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`)
    return file
  }

  /** An installation with the product `academy`, its plan `mini`, and the operator's plan `pro`. */
  async function begin() {
    const portaria = commandLine(await database.fresh())
    await portaria('product create --slug academy --name Academy --audience external --checkout external')
    await portaria('plan set --slug pro --name Pro --price 9900')
    await portaria('plan set --slug mini --name Mini --price 900 --product academy')
    const accessNow = async () =>
      ((await portaria('subscription list --json')).json as Access[])
        .map(({ email, product, plan_slug: plan, active, state }) => [email, product, plan, active, state].join(' '))
        .sort()
    return { portaria, accessNow }
  }
  const paid = (email: string, id: string, more: object = {}) => ({
    ...{ at: day(-10), email, product: 'academy', plan: 'pro', payment_id: id, amount: 9900, period_start: day(-10), period_end: day(20) },
    ...more,
  })

  it('says who would end with which access, writes nothing, and an import then comes to exactly that', async () => {
    const { portaria, accessNow } = await begin()
    await portaria('user create --email ana@example.com --name Ana --verified')
    const file = fileOf([
      paid('ana@example.com', 'p1'),
      paid('bia@example.com', 'p2', { at: day(-60), period_start: day(-60), period_end: day(-30) }),
      paid('caio@example.com', 'p3', { subscription_id: 'sub-3', plan: 'mini', amount: 900 }),
      { event: 'refunded', at: day(-1), subscription_id: 'sub-3', payment_id: 'p3' },
      paid('davi@example.com', 'p4', { subscription_id: 'sub-4' }),
      { event: 'canceled', at: day(-1), subscription_id: 'sub-4' },
    ])
    const rehearsed = await portaria(`import purchases ${file} --dry-run --json`)
    assert.equal(rehearsed.code, 0, `${rehearsed.err}${rehearsed.out}`)
    const { access, ...counts } = rehearsed.json
    assert.deepEqual(counts, { dry_run: true, source: 'file', applied: 6, known: 0, tests: 0, pending: 0, refused: 0, lines: [] })
    const seen = (access as Access[]).map((one) => [one.email, one.user_id !== null, one.plan_slug, one.active, one.state].join(' '))
    assert.deepEqual(seen, [
      'ana@example.com true pro true active',
      'bia@example.com false pro false active',
      'caio@example.com false mini false refunded',
      'davi@example.com false pro true canceled',
    ])
    assert.deepEqual([await accessNow(), (await portaria('webhook list --json')).json], [[], []])
    const text = await portaria(`import purchases ${file} --dry-run`)
    assert.match(text.out, /ana@example\.com +yes +academy +pro +yes, paid/)
    assert.match(text.out, /2 of 4 purchases give access now\.\n\nWould be applied: 6\./)

    const done = await portaria(`import purchases ${file} --json`)
    const facts = (all: Access[]) =>
      all.map(({ email, user_id, active, state, current_period_end: end }) => ({ email, user_id, active, state, end }))
    assert.deepEqual([done.json.applied, facts(done.json.access)], [6, facts(access)])
    assert.equal((await accessNow()).length, 4)
    assert.equal((await portaria('user show ana@example.com --json')).json.subscriptions.length, 1)
    const before = await portaria('subscription list --json')
    const again = await portaria(`import purchases ${file} --json`)
    assert.deepEqual([again.code, again.json.applied, again.json.known], [0, 0, 6])
    assert.deepEqual((await portaria('subscription list --json')).json, before.json)
    const [entry] = (await portaria('audit list --action purchase.import --json')).json
    assert.deepEqual(entry.after, { source: 'file', state: 'done', applied: 0, known: 6, pending: 0 })
  })

  it('takes refunds before their payments, and no payment twice', async () => {
    const { portaria, accessNow } = await begin()
    const file = fileOf([
      { event: 'refunded', at: day(-1), email: 'ana@example.com', product: 'academy', plan: 'pro', payment_id: 'p1' },
      paid('ana@example.com', 'p1'),
      { event: 'refunded', at: day(-20), subscription_id: 's2', payment_id: 'p2' },
      paid('bia@example.com', 'p2', { subscription_id: 's2' }),
      paid('thief@example.com', 'p1'),
      paid('ana@example.com', 'p1', { amount: 1 }),
      paid('caio@example.com', 'p3'),
      paid('caio@example.com', 'p3'),
    ])
    const said = await portaria(`import purchases ${file} --json`)
    assert.equal(said.code, 1)
    assert.deepEqual(said.json.lines, [
      { line: 5, why: 'payment_id: line 2 has this payment, and says otherwise' },
      { line: 6, why: 'payment_id: line 2 has this payment, and says otherwise' },
    ])
    assert.deepEqual(await accessNow(), [
      'ana@example.com academy pro false refunded',
      'bia@example.com academy pro false refunded',
      'caio@example.com academy pro true active',
    ])
  })

  it('gives nobody access by their tax id, and refuses what can not be', async () => {
    const { portaria, accessNow } = await begin()
    writeFileSync(
      path.join(folder, 'victim.jsonl'),
      `${JSON.stringify({ email: 'victim@example.com', email_verified: true, tax_id: CPF })}\n`,
    )
    await portaria(`import users ${folder}/victim.jsonl`)
    const file = fileOf([
      paid('thief@example.com', 'p1', { tax_id: CPF, name: 'Victim' }),
      paid('a@example.com', 'p2', { at: day(1) }),
      paid('a@example.com', 'p3', { product: 'none' }),
      paid('a@example.com', 'p4', { plan: 'none' }),
      paid('no address', 'p5'),
      paid('a@example.com', 'p6', { role: 'owner' }),
      paid('a@example.com', 'p 7'),
      paid('a@example.com', 'p8', { amount: -1 }),
      { event: 'refunded', at: day(-1), payment_id: 'p9' },
      { event: 'granted', at: day(-1), subscription_id: 's' },
      paid('a@example.com', 'p10', { period_end: '9999-12-31' }),
    ])
    const report = path.join(folder, 'refused.csv')
    const said = await portaria(`import purchases ${file} --json --report ${report}`)
    assert.deepEqual(
      said.json.lines.map(({ line, why }: { line: number; why: string }) => `${line} ${why.split(':')[0]}`),
      [
        ...['2 at', '3 product', '4 plan', '5 email', '6 fields that are not known', '7 payment_id', '8 amount', '9 subscription_id'],
        ...['10 event', '11 period_end'],
      ],
    )
    assert.equal(readFileSync(report, 'utf8').split('\r\n').length, 12)
    assert.deepEqual(await accessNow(), ['thief@example.com academy pro true active'])
    assert.equal((await portaria('user show victim@example.com --json')).json.subscriptions.length, 0)
    assert.equal((await portaria('import purchases')).code, 2)
    assert.equal((await portaria('import purchases --from stripe')).code, 2)
    assert.equal((await portaria('import purchases nowhere.csv')).code, 2)
  })

  it('may come before the users, who find what they have paid', async () => {
    const { portaria } = await begin()
    await portaria(`import purchases ${fileOf([paid('ana@example.com', 'p1'), paid('bia@example.com', 'p2')])}`)
    await portaria(`import users ${fileOf([{ email: 'ana@example.com', email_verified: true }, { email: 'bia@example.com' }])}`)
    const of = async (email: string) => (await portaria(`user show ${email} --json`)).json.subscriptions.length
    assert.deepEqual([await of('ana@example.com'), await of('bia@example.com')], [1, 0], 'only who has verified the address')
  })

  it('reads a table as Excel in Brazil saves it', async () => {
    const { portaria, accessNow } = await begin()
    const file = path.join(folder, 'sales.csv')
    const rows = [
      'email;name;product;plan;payment_id;amount;at;period_end',
      `joao@example.com;João;academy;pro;p1;9900;2026-01-31;${day(20).slice(0, 10)}`,
      'bia@example.com;Bia;academy;pro;p2;99,00;2026-01-31;',
      '',
    ]
    writeFileSync(file, Buffer.from(rows.join('\r\n'), 'latin1'))
    const said = await portaria(`import purchases ${file} --json`)
    assert.deepEqual(said.json.lines, [{ line: 3, why: 'amount: it is missing or of another form' }])
    assert.deepEqual(await accessNow(), ['joao@example.com academy pro true active'])
    writeFileSync(file, 'email;role\na@example.com;owner\n')
    assert.match((await portaria(`import purchases ${file}`)).err, /columns that are not known: role/)
  })

  it('takes what stands before the cut of a file, and the rest with the whole file', async () => {
    const rows = [
      'email,product,plan,payment_id,amount,at',
      ...[1, 2, 3].map((n) => `a${n}@example.com,academy,pro,p${n},9900,2026-01-31`),
      '',
    ]
    const lines = [1, 2, 3].map((n) => JSON.stringify(paid(`a${n}@example.com`, `p${n}`)))
    // The cut day and the cut amount would be others.
    for (const [text, at, extension] of [
      [rows.join('\n'), 'p3,9900,2026-01-3', 'csv'],
      [rows.join('\n'), 'p3,99', 'csv'],
      [`${lines.join('\n')}\n`, '"a3@exa', 'jsonl'],
    ] as const) {
      const { portaria, accessNow } = await begin()
      const file = path.join(folder, `cut.${extension}`)
      writeFileSync(file, text.slice(0, text.indexOf(at) + at.length))
      const cut = await portaria(`import purchases ${file} --json`)
      assert.deepEqual([cut.code, cut.json.applied, cut.json.lines.length], [1, 2, 1], cut.err)
      assert.match(cut.json.lines[0].why, /it is the last line/)
      writeFileSync(file, text)
      const whole = await portaria(`import purchases ${file} --json`)
      assert.deepEqual([whole.code, whole.json.applied, whole.json.known], [0, 1, 2], whole.err)
      assert.equal((await accessNow()).length, 3)
    }
  })

  it("reads both of Hotmart's reports of sales", async () => {
    const { portaria, accessNow } = await begin()
    const at = (offset: number) => {
      const [, year, month, date, time] = /^(\d+)-(\d\d)-(\d\d)T(.{8})/.exec(day(offset)) ?? []
      return `${date}/${month}/${year} ${time}`
    }
    const newer = path.join(folder, 'hotmart.csv')
    const head =
      'Código da transação;Status da transação;Data da transação;Confirmação do pagamento;Código do produto;Produto;Código do preço;'
    const rows = [
      `${head}Moeda de compra;Valor de compra com impostos;Comprador(a);Email do(a) Comprador(a);Documento;Código do assinante`,
      `HP1;Aprovado;${at(-40)};${at(-40)};788;Curso;abc;BRL;99,90;João;joao@example.com;${CPF};SUB1`,
      `HP2;Completo;${at(-10)};${at(-10)};788;Curso;abc;BRL;1.099,90;João;joao@example.com;${CPF};SUB1`,
      `HP3;Reembolsado;${at(-9)};${at(-9)};788;Curso;xyz;BRL;99.9;Bia;bia@example.com;(none);(none)`,
      `HP4;Cancelado;${at(-9)};(none);788;Curso;xyz;BRL;99.9;Caio;caio@example.com;;`,
      `HP5;Aprovado;${at(-9)};${at(-9)};999;Outro;;USD;10;Davi;davi@example.com;;`,
      `HP6;Inventado;${at(-9)};${at(-9)};788;Curso;xyz;BRL;99.9;Eva;eva@example.com;;`,
      `HP7;Aprovado;31/02/2026 10:00:00;(none);788;Curso;xyz;BRL;99.9;Fe;fe@example.com;;`,
      `HP8;Chargeback;${at(-9)};${at(-9)};788;Curso;xyz;BRL;99.9;Gil;gil@example.com;;`,
      '',
    ]
    writeFileSync(newer, Buffer.from(rows.join('\r\n'), 'latin1'))
    const asked = `import purchases ${newer} --plan 788=academy/mini --plan abc=academy/pro@1m --json`
    const said = await portaria(asked)
    assert.deepEqual([said.json.source, said.json.applied], ['hotmart', 6])
    assert.deepEqual(said.json.lines, [
      { line: 6, why: '999, Outro has no plan here: name one with --plan CODE=PRODUCT/PLAN' },
      { line: 7, why: 'status: it is not known' },
      { line: 8, why: 'its dates are missing, or of another form than 31/12/2026 18:30:00' },
    ])
    assert.deepEqual(await accessNow(), [
      'bia@example.com academy mini false refunded',
      'gil@example.com academy mini false refunded',
      'joao@example.com academy pro true active',
    ])
    assert.deepEqual([(await portaria(asked)).json.applied, (await portaria(asked)).json.known], [0, 6])
    const older = path.join(folder, 'hotmart-old.csv')
    const columns =
      'Nome do Produto;Transação;Moeda;Preço do Produto;Moeda;Data de Venda;Data de Confirmação;Status;Nome;Documento;Email;Preço Total'
    writeFileSync(older, `${columns}\nCurso;HP9;BRL;99,90;BRL;${at(-5)};${at(-5)};Aprovado;Hugo;;hugo@example.com;99,90\n`)
    assert.equal((await portaria(`import purchases ${older} --plan Curso=academy/mini`)).code, 0)
    assert.ok((await accessNow()).includes('hugo@example.com academy mini true active'))
    assert.equal((await portaria(`import purchases ${older} --plan Curso`)).code, 2)
  })

  it('asks Stripe for all that its objects say, however old, and a delivery of the same changes nothing', async () => {
    const at = await database.fresh()
    const service = await startService(at, {})
    const api = await startFakeApi()
    const school = await openSchool(service, 'stripe', { apiUrl: api.url })
    const { slug } = school.product.product
    const portaria = commandLine(at, { PORTARIA_MASTER_KEY: MASTER_KEY })
    const seconds = (offset: number) => Math.floor(Date.parse(day(offset)) / 1_000)
    const list = (...data: object[]) => ({ object: 'list', has_more: false, data })
    const invoice = (id: string, subscription: string, email: string, from: number) => ({
      ...{ id, object: 'invoice', status: 'paid', livemode: true, created: seconds(from), currency: 'brl', amount_paid: 9_990 },
      ...{ customer: 'cus_1', customer_email: email, billing_reason: 'subscription_cycle', status_transitions: { paid_at: seconds(from) } },
      parent: { subscription_details: { subscription, metadata: { plan_slug: 'curso' } } },
      payments: list({ status: 'paid', payment: { type: 'payment_intent', payment_intent: `pi_${id}` } }),
      lines: list({
        ...{ id: `il_${id}`, amount: 9_990, period: { start: seconds(from), end: seconds(from + 30) } },
        parent: { subscription_item_details: { subscription, proration: false } },
      }),
    })
    const subscription = (id: string, more: object) => ({
      id,
      object: 'subscription',
      livemode: true,
      created: seconds(-400),
      status: 'active',
      ...more,
    })
    api.answers.set('/v1/checkout/sessions', list())
    api.answers.set(
      '/v1/invoices',
      list(
        invoice('in_1', 'sub_1', 'ana@example.com', -10),
        invoice('in_0', 'sub_1', 'ana@example.com', -400),
        invoice('in_2', 'sub_2', 'bia@example.com', -10),
        invoice('in_3', 'sub_3', 'caio@example.com', -10),
        { ...invoice('in_4', 'sub_4', 'sandbox@example.com', -10), livemode: false },
        invoice('in_5', 'sub_5', 'dora@example.com', -400),
      ),
    )
    api.answers.set(
      '/v1/subscriptions',
      list(
        subscription('sub_1', {
          ...{ cancel_at_period_end: true, canceled_at: seconds(-3), pause_collection: { behavior: 'void' } },
          latest_invoice: { id: 'in_1', status: 'paid', created: seconds(-10) },
          items: list({ current_period_start: seconds(-11), current_period_end: seconds(20) }),
        }),
        subscription('sub_2', { status: 'canceled', ended_at: seconds(-2), canceled_at: seconds(-2) }),
        subscription('sub_3', {}),
        subscription('sub_5', {
          ...{ pause_collection: { behavior: 'keep_as_draft' }, latest_invoice: { id: 'in_6', status: 'draft', created: seconds(-35) } },
          items: list({ current_period_start: seconds(-35), current_period_end: seconds(330) }),
        }),
      ),
    )
    const charge = {
      id: 'ch_3',
      object: 'charge',
      livemode: true,
      created: seconds(-10),
      amount: 9_990,
      amount_refunded: 9_990,
      refunded: true,
    }
    api.answers.set('/v1/charges', list({ ...charge, captured: true, payment_intent: 'pi_in_3', refunds: list({ created: seconds(-1) }) }))
    api.answers.set('/v1/invoice_payments', list())
    api.answers.set('/v1/disputes', list())
    const asked = `import purchases --from stripe --product ${slug} --json`
    const rehearsed = await portaria(`${asked} --dry-run`)
    assert.equal(rehearsed.code, 0, `${rehearsed.err}${rehearsed.out}`)
    const facts = (all: Access[]) => all.map(({ email, active, state }) => `${email} ${active} ${state}`).sort()
    const wanted = [
      'ana@example.com true canceled',
      'bia@example.com false canceled',
      'caio@example.com false refunded',
      'dora@example.com true active',
    ]
    assert.deepEqual(facts(rehearsed.json.access), wanted)
    assert.deepEqual((await portaria('subscription list --json')).json, [])
    const done = await portaria(asked)
    assert.deepEqual([facts(done.json.access), done.json.pending], [wanted, 0])
    assert.deepEqual(
      [(await askAccess(service, school, 'ana@example.com')).active, (await askAccess(service, school, 'caio@example.com')).active],
      [true, false],
    )
    const { db } = service.context.storage
    const waived = await db.selectFrom('subscription_events').select(['payment_id', 'at']).where('kind', '=', 'payment_waived').execute()
    assert.deepEqual(waived, [{ payment_id: 'in_6', at: seconds(-35) * 1_000 }], 'what was paid is not served for nothing')
    const again = await portaria(asked)
    assert.deepEqual([again.json.applied, again.json.access], [0, []])
    assert.ok(api.asked.includes('/v1/invoices?limit=40&expand%5B%5D=data.payments'))
    api.mood = 'refuses'
    const refused = await portaria(asked)
    assert.deepEqual([refused.code, /refuses the access token.*Nothing is written/.test(refused.err)], [1, true])
    await service.stop()
  })
})
