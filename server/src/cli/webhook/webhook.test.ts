import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { it } from 'node:test'
import { commandLine, MASTER_KEY } from '../../../test/support/command-line.ts'
import { eachDatabase } from '../../../test/support/databases.ts'
import { activated, completed, later, notify, WEBHOOKS } from '../../../test/support/gateways/purchases.ts'
import { startService } from '../../../test/support/service.ts'
import { notificationStore, resolveNotification } from '../../notifications/index.ts'

interface Listed {
  id: string
  status: string
  subject: string
}

eachDatabase('The webhook commands', (database) => {
  async function begin() {
    const at = await database.fresh()
    const service = await startService(at, { environment: WEBHOOKS })
    const portaria = commandLine(at, { PORTARIA_MASTER_KEY: MASTER_KEY })
    const send = async (body: object) => assert.equal((await notify(service.url, body)).status, 200)
    const list = async (options = ''): Promise<Listed[]> => (await portaria(`webhook list --json ${options}`.trim())).json
    const newest = async () => (await list('--limit 1'))[0]?.id ?? assert.fail('nothing was received')
    const audited = async (action: string) => (await portaria(`audit list --action ${action} --json`)).json
    return { service, portaria, send, list, newest, audited }
  }

  it('list what was received, newest first, in pages, and by status, source, event, address and date', async () => {
    const { service, portaria, send, list } = await begin()
    assert.equal((await portaria('webhook list')).out, 'No such notifications.\n')
    await send(completed({ email: ' Ana@Example.com' }))
    service.clock.now += 3_600_000
    await send(activated({ email: 'bia@example.com', isTest: true }))
    await send(completed({ email: 'caio@example.com', plan: 'no-such-plan' }))
    const all = (await portaria('webhook list --json')).json
    assert.deepEqual(Object.keys(all[0]), ['id', 'source', 'event', 'status', 'subject', 'received_at', 'paid_amount', 'plan_price'])
    assert.deepEqual(
      all.map(({ source, event, status, subject }: Record<string, string>) => [source, event, status, subject]),
      [
        ['purchase', 'purchase.completed', 'unresolved', 'caio@example.com'],
        ['purchase', 'subscription.activated', 'test', 'bia@example.com'],
        ['purchase', 'purchase.completed', 'processed', 'ana@example.com'],
      ],
    )
    const subjects = async (options: string) => (await list(options)).map(({ subject }) => subject.split('@', 1)[0])
    assert.deepEqual(await subjects('--status unresolved'), ['caio'])
    assert.deepEqual(await subjects('--source purchase'), ['caio', 'bia', 'ana'])
    assert.deepEqual(await subjects('--source stripe'), [])
    assert.deepEqual(await subjects('--event purchase.completed'), ['caio', 'ana'])
    assert.deepEqual(await subjects('--email ANA@example.com'), ['ana'])
    assert.deepEqual(await subjects(`--since ${all[1].received_at}`), ['caio', 'bia'])
    assert.deepEqual(await subjects(`--since ${new Date(service.clock.now + 86_400_000).toISOString().slice(0, 10)}`), [])
    assert.deepEqual(await subjects('--since 2020-01-31'), ['caio', 'bia', 'ana'])
    const page = await list('--limit 2')
    assert.deepEqual([...page, ...(await list(`--limit 2 --cursor ${page[1]?.id}`))], all)
    const shown = (await portaria('webhook list --limit 2')).out
    assert.match(shown, /^ID +RECEIVED +SOURCE +EVENT +STATUS +WHY +SUBJECT +AMOUNT\n.+unresolved +unknown plan +caio@example\.com\n/)
    assert.match(shown, new RegExp(`There may be more: add --cursor ${page[1]?.id}`))
    for (const wrong of ['--since yesterday', '--since 2026-13-01', '--status open'])
      assert.equal((await portaria(`webhook list ${wrong}`)).code, 2, wrong)
  })

  it('L15: show what was paid beside the price of the plan, where the two differ', async () => {
    const { portaria, send, newest } = await begin()
    await send(activated({ email: 'ana@example.com', amount: 1 }))
    const id = await newest()
    assert.match((await portaria('webhook list')).out, /^.+ processed +ana@example\.com +R\$ 0,01 paid, price R\$ 99,00$/m)
    assert.match((await portaria(`webhook show ${id}`)).out, /^amount +R\$ 0,01 paid, price R\$ 99,00$/m)
    const { paid_amount, plan_price } = (await portaria(`webhook show ${id} --json`)).json
    assert.deepEqual([paid_amount, plan_price], [1, 9_900])
  })

  it('L15: say of one below the price of its plan what was paid, and let it count when the plan is named', async () => {
    const { portaria, send, newest } = await begin()
    await portaria('plan set --slug fixo --name Fixo --price 9900 --below-price hold')
    await send(activated({ email: 'ana@example.com', name: 'Fixo', amount: 1 }))
    const id = await newest()
    assert.match(
      (await portaria('webhook list')).out,
      /^.+ unresolved +unexpected amount +ana@example\.com +R\$ 0,01 paid, price R\$ 99,00$/m,
    )
    assert.match((await portaria(`webhook show ${id}`)).out, /^amount +R\$ 0,01 paid, price R\$ 99,00$/m)
    const still = await portaria(`webhook reprocess ${id}`)
    assert.deepEqual([still.code, /^portaria: it still waits: less was paid than the price /.test(still.err)], [1, true], still.err)
    const again = (await portaria('webhook reprocess --all --json')).json
    assert.deepEqual([again.state, again.processed, again.pending], ['done', 0, { unexpected_amount: 1 }])
    const done = await portaria(`webhook resolve ${id} --plan fixo --json`)
    assert.deepEqual([done.code, done.json.status], [0, 'processed'], done.err)
  })

  it('show one notification with all that was sent, and what to do while it waits', async () => {
    const { portaria, send, newest } = await begin()
    const sent = completed({ email: 'ana@example.com', plan: 'no-such-plan' })
    await send(sent)
    const id = await newest()
    const { json } = await portaria(`webhook show ${id} --json`)
    const { received_at, attempts, ...rest } = json
    assert.deepEqual(
      attempts.map(({ at: _, ms, ...attempt }: { at: string; ms: number }) => ({ ...attempt, hasMs: typeof ms === 'number' })),
      [{ kind: 'receipt', outcome: 'unresolved', why: 'unknown_plan', actor: null, hasMs: true }],
    )
    assert.match(received_at, /^\d{4}-\d\d-\d\dT/)
    const known = { id, source: 'purchase', event: 'purchase.completed', status: 'unresolved', subject: 'ana@example.com' }
    assert.deepEqual(rest, {
      ...known,
      why: 'unknown_plan',
      payload: sent,
      subscription_id: null,
      processed_at: null,
      paid_amount: null,
      plan_price: null,
    })
    const { out } = await portaria(`webhook show ${id}`)
    assert.match(out, /^why +unknown plan$/m)
    assert.match(out, /"plan_slug": "no-such-plan"/)
    assert.match(out, new RegExp(`webhook resolve ${id} \\[--plan SLUG\\]`))
    const unknown = await portaria(`webhook show ${randomUUID()}`)
    assert.deepEqual([unknown.code, /there is no such notification: find its id/.test(unknown.err)], [1, true])
  })

  it('say of a refund whose purchase is unknown that it is kept until that is known', async () => {
    const { portaria, send, newest } = await begin()
    const of = { subscription_id: randomUUID(), product_name: 'Easy Pro', user_email: 'ana@example.com', payment_id: 'p1' }
    await send(later('payment.refunded', of))
    const id = await newest()
    const { out } = await portaria(`webhook show ${id}`)
    assert.match(out, /^why +kept until its purchase is known$/m)
    assert.match(out, /It is kept: it counts once the purchase that it is about is known here\./)
    assert.equal((await portaria(`webhook show ${id} --json`)).json.why, 'awaits_purchase')
    await send(activated({ email: 'ana@example.com', id: of.subscription_id, payment_id: 'p1' }))
    assert.equal((await portaria(`webhook show ${id} --json`)).json.why, null)
  })

  it('resolve one that waits with the plan that was bought, and the buyer has it at once', async () => {
    const { service, portaria, send, newest, audited } = await begin()
    const { id: userId } = await service.user('ana@example.com')
    await send(completed({ email: 'ana@example.com', plan: 'no-such-plan' }))
    const id = await newest()
    const still = await portaria(`webhook resolve ${id} --plan neither-this`)
    assert.equal(still.code, 1)
    assert.match(still.err, /^portaria: it still waits: no plan here is the one it names: [^\n]+\n$/)
    assert.deepEqual((await portaria(`webhook show ${id} --json`)).json.status, 'unresolved')
    const done = await portaria(['webhook', 'resolve', id, '--plan', 'easy-pro', '--reason', 'asked them', '--json'])
    assert.equal(done.code, 0, done.err)
    const subscription = await service.context.storage.db.selectFrom('subscriptions').selectAll().executeTakeFirstOrThrow()
    assert.deepEqual(done.json, { id, status: 'processed', subscription_id: subscription.id })
    assert.deepEqual([subscription.user_id, subscription.state], [userId, 'active'])
    const after = (await portaria(`webhook show ${id} --json`)).json
    assert.deepEqual([after.status, after.why, after.subscription_id], ['processed', null, subscription.id])
    assert.match(after.processed_at, /^\d{4}-/)
    const again = await portaria(`webhook resolve ${id} --plan easy-pro`)
    assert.match(again.err, /no notification with this id waits: see `portaria webhook list --status unresolved`/)
    const [{ actor, target, after: what, reason }, ...others] = await audited('notification.resolve')
    assert.deepEqual([actor, target, reason, others], ['operator:cli', id, 'asked them', []])
    assert.deepEqual(what, { plan: 'easy-pro', product: null, address_given: false })
  })

  it('resolve one whose address nobody can have, and one that several plans fit, and say what else is missing', async () => {
    const { service, portaria, send, newest } = await begin()
    await send(completed({ email: 'ana@localhost' }))
    const first = await newest()
    assert.match((await portaria(`webhook resolve ${first} --plan easy-pro`)).err, /still waits: the buyer's address is none/)
    assert.match((await portaria(`webhook resolve ${first} --email ana`)).err, /this is no email address/)
    assert.match((await portaria(`webhook resolve ${first} --email ana@example.com --plan nope`)).err, /still waits: no plan here/)
    assert.equal((await portaria(`webhook show ${first} --json`)).json.why, 'unusable_address')
    assert.equal((await portaria(`webhook resolve ${first} --email ana@example.com`)).code, 0)
    for (const slug of ['um', 'dois']) {
      await service.product({ slug, name: 'Curso' })
      await portaria(`plan set --slug mensal --name Mensal --price 100 --product ${slug}`)
    }
    await send(activated({ email: 'bia@example.com', name: 'Mensal' }))
    const second = await newest()
    assert.equal((await portaria(`webhook show ${second} --json`)).json.why, 'ambiguous_plan')
    assert.match((await portaria(`webhook resolve ${second} --product tres`)).err, /there is no such product/)
    const done = await portaria(`webhook resolve ${second} --product dois`)
    assert.match(done.out, /^Processed: it counts for subscription [0-9a-f-]{36}\.\n$/)
  })

  it('ignore one that waits, with a reason, after which nothing follows from it', async () => {
    const { service, portaria, send, newest, audited } = await begin()
    await send(completed({ email: 'ana@example.com', plan: 'no-such-plan' }))
    const id = await newest()
    for (const [line, sentence] of [
      [['webhook', 'resolve', id], /say what is known, with --plan, --product or --email; or --ignore it/],
      [['webhook', 'resolve', id, '--ignore'], /say why with --reason/],
      [['webhook', 'resolve', id, '--ignore', '--reason', ' '], /say why with --reason/],
      [['webhook', 'resolve', id, '--ignore', '--reason', 'x', '--plan', 'easy-pro'], /either --ignore, or what is known/],
    ] as const) {
      const said = await portaria(line)
      assert.deepEqual([said.code, sentence.test(said.err)], [2, true], said.err)
    }
    const done = await portaria(['webhook', 'resolve', id, '--ignore', '--reason', 'sent by mistake', '--json'])
    assert.deepEqual([done.code, done.json], [0, { id, status: 'ignored' }])
    const after = (await portaria(`webhook show ${id} --json`)).json
    assert.deepEqual([after.status, after.why], ['ignored', 'sent by mistake'])
    const none = (await portaria('webhook reprocess --all --json')).json
    assert.deepEqual([none.total, none.processed, none.pending], [0, 0, {}])
    assert.deepEqual(await service.context.storage.db.selectFrom('subscriptions').select('id').execute(), [])
    const [entry] = await audited('notification.ignore')
    assert.deepEqual([entry.actor, entry.target, entry.reason], ['operator:cli', id, 'sent by mistake'])
  })

  it('reprocess one, or all that wait on every page, and say how many still do and why', async () => {
    const { service, portaria, send, newest, list, audited } = await begin()
    assert.equal((await portaria('webhook reprocess --all')).out, 'None waits.\n')
    await send(completed({ email: 'ana@example.com', plan: 'new-plan' }))
    const one = await newest()
    assert.match((await portaria(`webhook reprocess ${one}`)).err, /it still waits: no plan here is the one it names: make it with/)
    assert.equal((await portaria(`webhook show ${one} --json`)).json.processed_at, null)
    for (let n = 0; n < 4; n++) await send(completed({ email: 'bia@example.com', plan: 'other-plan' }))
    await send(completed({ email: 'caio@localhost' }))
    for (let n = 0; n < 105; n++) await send(completed({ email: `p${n}@example.com`, plan: 'new-plan' }))
    await portaria('plan set --slug new-plan --name New --price 100')
    assert.equal((await portaria(`webhook reprocess ${one} --json`)).json.status, 'processed')
    const all = await portaria('webhook reprocess --all --json')
    assert.deepEqual(
      [all.json.total, all.json.done, all.json.processed, all.json.pending],
      [110, 110, 105, { unusable_address: 1, unknown_plan: 4 }],
    )
    assert.equal((await list('--status unresolved')).length, 5)
    const { out } = await portaria('webhook reprocess --all')
    assert.match(out, /^processed +0\nstill pending +5\nbecause +4: no plan here .+\n +1: the buyer's address .+\n\nSee which: /)
    assert.equal((await service.context.storage.db.selectFrom('subscriptions').select('id').execute()).length, 106)
    const entries = await audited('notification.reprocess')
    assert.deepEqual([entries.length, entries.at(-1).target, entries[0].actor], [106, one, 'operator:cli'])
    for (const line of ['webhook reprocess', `webhook reprocess ${one} --all`]) {
      const said = await portaria(line)
      assert.deepEqual(
        [said.code, /name one notification by its id, or a time with --since, or all that wait with --all/.test(said.err)],
        [2, true],
      )
    }
    assert.match((await portaria(`webhook reprocess ${one}`)).err, /no notification with this id waits/)
  })

  it('settle a notification once, however many operators resolve it at once', async () => {
    const { service, send, newest, audited } = await begin()
    await send(completed({ email: 'ana@example.com', plan: 'no-such-plan' }))
    const id = await newest()
    const resolve = (planSlug: string) =>
      resolveNotification(id, { planSlug, reason: undefined }, { ...service.context, actor: 'operator:test' })
    const processed = await Promise.all(['easy-pro', 'easy-standard', 'easy-pro', 'easy-enterprise'].map(resolve))
    const refused = processed.filter((one) => 'refusal' in one && one.refusal === 'not_pending')
    assert.equal(refused.length, 3)
    assert.equal((await audited('notification.resolve')).length, 1)
    assert.equal((await notificationStore(service.context.storage.db).findById(id))?.status, 'processed')
    assert.equal((await service.context.storage.db.selectFrom('subscriptions').select('id').execute()).length, 1)
  })
})
