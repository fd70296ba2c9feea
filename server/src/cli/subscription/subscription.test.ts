import assert from 'node:assert/strict'
import { it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { commandLine } from '../../../test/support/command-line.ts'
import { eachDatabase } from '../../../test/support/databases.ts'
import { activated, bring, completed, notify, subscriptionsOf, WEBHOOKS } from '../../../test/support/gateways/purchases.ts'
import { PASSWORD, startService } from '../../../test/support/service.ts'
import { linkPurchases } from '../../subscriptions/index.ts'

const DAY_MS = 86_400_000

type Checked = { session: { plan_slug: string | null } }
const NOBODY = '01a1fd54-3ff9-7717-aaf2-1b6364bdeeb8'

eachDatabase('The subscription commands', (database) => {
  async function open() {
    const place = await database.fresh()
    const service = await startService(place, { environment: WEBHOOKS })
    const said = commandLine(place)
    return {
      service,
      /** Runs a command, then brings the service's clock to where the command's was. */
      portaria: async (line: string | readonly string[]) => {
        const answer = await said(line)
        service.clock.now = Date.now()
        return answer
      },
      signedIn: async (email: string) => {
        const browser = service.browser()
        await browser.signIn('/login', { email, password: PASSWORD })
        return {
          planIs: (plan: string | null) => soon(async () => (await browser.get('/auth/check')).json<Checked>().session.plan_slug === plan),
        }
      },
      access: async (apiKey: string, query: string) => {
        const answer = await fetch(`${service.url}/api/saas/check-access?${query}`, { headers: { authorization: `Bearer ${apiKey}` } })
        return (await answer.json()) as { active: boolean; reason: string }
      },
    }
  }

  it('list by user, address, product and state, in pages, and show one with all that was heard of it', async () => {
    const { service, portaria } = await open()
    const { product } = await service.product({ slug: 'curso', audience: 'external', checkout: 'external' })
    const ana = await service.user('ana@example.com')
    await notify(service.url, completed({ email: 'ana@example.com' }))
    await notify(service.url, completed({ email: 'bia@example.com', productId: product.id }))
    const bought = activated({ email: 'ana@example.com', name: 'Easy Enterprise' })
    await notify(service.url, bought)
    await bring(service, { ref: 'x', kind: 'payment_pending', email: 'caio@example.com' })
    const list = async (line: string): Promise<Array<{ id: string; email: string }>> =>
      (await portaria(['subscription', 'list', ...line.split(' ').filter(Boolean), '--json'])).json
    const emails = async (line: string) => (await list(line)).map(({ email }) => email.split('@')[0]).join(' ')
    assert.deepEqual(
      [await emails(''), await emails('--user ana@example.com'), await emails(`--user ${ana.id}`), await emails('--email BIA@example.com')],
      ['caio ana bia ana', 'ana ana', 'ana ana', 'bia'],
    )
    assert.deepEqual([await emails('--product curso'), await emails('--state pending')], ['bia', 'caio'])
    const [first] = await list('--limit 1')
    assert.equal(await emails(`--limit 2 --cursor ${first?.id}`), 'ana bia')
    assert.match((await portaria('subscription list --limit 2')).out, /There may be more: add --cursor /)
    const [newest] = await list('--user ana@example.com')
    const { changed_at, events, ref, ...shown } = (await portaria(`subscription show ${newest?.id} --json`)).json
    assert.deepEqual(shown, {
      id: newest?.id,
      state: 'active',
      active: true,
      status: 'active',
      reason: 'paid',
      plan_slug: 'easy-enterprise',
      product: null,
      product_id: null,
      email: 'ana@example.com',
      user_id: ana.id,
      product_user: null,
      link_closed_at: null,
      amount: 9_900,
      foreign_amount: null,
      method: null,
      current_period_end: null,
      grace_until: null,
      source: 'purchase',
      number: 0,
      is_newest: true,
      buyer_forgotten_at: null,
    })
    assert.deepEqual([ref, changed_at], [bought.data.subscription_id, events[0].at])
    assert.deepEqual([events.length, events[0].kind, events[0].amount, events[0].plan_slug], [1, 'paid', 9900, 'easy-enterprise'])
    assert.match(
      (await portaria(`subscription show ${newest?.id}`)).out,
      /^access +yes, paid$[\s\S]+^\S+ \S+ -03:00 +paid +\S+ +R\$ 99,00 +purchase$/m,
    )
    const abroad = { ref: 'abroad', kind: 'paid', email: 'dora@example.com', foreign: { currency: 'USD', amount: 4_900 } } as const
    const { id: inDollars } = await bring(service, abroad)
    assert.match((await portaria(`subscription show ${inDollars}`)).out, /^AT +WHAT +PAYMENT +AMOUNT +FROM\n.* paid .*US\$ 49,00 +test$/m)
    const table = (await portaria('subscription list')).out
    assert.match(
      table,
      /^ID +STATE +ACCESS +PLAN +PRODUCT +AMOUNT +BUYER\n.* +US\$ 49,00 +dora@example\.com\n.*caio@.*\n.* R\$ 99,00 +ana@example\.com$/m,
    )
    const user = (await portaria('user show ana@example.com --json')).json
    assert.deepEqual([user.plan_slug, user.subscriptions.length, user.subscriptions[0].id], ['easy-enterprise', 2, newest?.id])
    assert.match(
      (await portaria('user show ana@example.com')).out,
      /^plan +easy-enterprise$\n^subscriptions +\S+ +easy-enterprise +active/m,
    )
  })

  it('end access at once, on every node, until the next payment', async () => {
    const { service, portaria, signedIn } = await open()
    const ana = await service.user('ana@example.com')
    const paid = { ref: 'e1', kind: 'paid', email: 'ana@example.com', periodEnd: Date.now() + 30 * DAY_MS } as const
    const { id } = await bring(service, { ...paid, paymentId: 'p1' })
    const { planIs } = await signedIn('ana@example.com')
    await planIs('easy-pro')
    const ended = await portaria(['subscription', 'end', id, '--reason', 'asked by phone', '--json'])
    assert.deepEqual([ended.json.state, ended.json.active, ended.json.reason], ['canceled', false, 'canceled'])
    assert.deepEqual(
      ended.json.events.map(({ kind }: { kind: string }) => kind),
      ['paid', 'ended'],
    )
    await planIs(null)
    assert.match((await portaria(`subscription end ${id} --reason again`)).err, /it is so already/)
    const [entry, ...others] = (await portaria('audit list --action subscription.end --json')).json
    assert.deepEqual(
      [entry.actor, entry.target, entry.reason, entry.before.state, entry.after.state, others.length],
      ['operator:cli', id, 'asked by phone', 'active', 'canceled', 0],
    )
    assert.deepEqual([entry.before.user_id, JSON.stringify(entry).includes('@')], [ana.id, false])
    const again = await bring(service, { ...paid, paymentId: 'p2' })
    assert.deepEqual([again.id, again.state], [id, 'active'])
    await planIs('easy-pro')
  })

  it('end what a sender whose clock is ahead has reported', async () => {
    const { service, portaria } = await open()
    const { id } = await bring(service, { ref: 'e2', kind: 'paid', paymentId: 'p1', email: 'ana@example.com', at: Date.now() + 300_000 })
    assert.equal((await portaria(`subscription end ${id} --reason r --json`)).json.state, 'canceled')
    const other = await bring(service, { ref: 'e3', kind: 'paid', paymentId: 'p2', email: 'ana@example.com', at: Date.now() + 300_000 })
    assert.equal((await portaria(`subscription refund ${other.id} --reason r --json`)).json.active, false)
  })

  it('refund the payment of the period; the next payment opens a new one, and the old one moves no more', async () => {
    const { service, portaria } = await open()
    await service.user('ana@example.com')
    const { id } = await bring(service, { ref: 'r1', kind: 'paid', paymentId: 'p1', email: 'ana@example.com' })
    const refunded = await portaria(`subscription refund ${id} --reason returned --json`)
    assert.deepEqual([refunded.json.state, refunded.json.active, refunded.json.reason], ['refunded', false, 'refunded'])
    for (const action of ['refund', 'end']) {
      const said = await portaria(`subscription ${action} ${id} --reason again`)
      assert.deepEqual([said.code, said.out], [1, ''])
      assert.match(said.err, /^portaria: nothing to do, it is so already[^\n]+\n$/)
    }
    const eventKinds = async () => (await portaria(`subscription show ${id} --json`)).json.events.map(({ kind }: { kind: string }) => kind)
    assert.deepEqual(await eventKinds(), ['paid', 'refunded'])
    for (const late of [0, 1]) await bring(service, { ref: 'r1', kind: 'refunded', paymentId: 'p1', at: Date.now() - late })
    assert.deepEqual(await eventKinds(), ['paid', 'refunded'], 'the gateway reports the same money')
    assert.equal((await portaria(`subscription show ${id}`)).out.match(/ refunded .* operator$/gm)?.length, 1)
    const replayed = await bring(service, { ref: 'r1', kind: 'paid', paymentId: 'p1' })
    assert.equal(replayed.state, 'refunded')
    const next = await bring(service, { ref: 'r1', kind: 'paid', paymentId: 'p2' })
    assert.notEqual(next.id, id)
    for (const action of ['refund', 'end']) assert.match((await portaria(`subscription ${action} ${id} --reason r`)).err, /a later payment/)
    assert.equal((await portaria(`subscription show ${next.id} --json`)).json.number, 1)
    assert.match((await portaria(`subscription show ${id}`)).out, /^in its stream +1 of 2$/m)
    assert.equal((await portaria(`subscription end ${next.id} --reason r --json`)).json.state, 'canceled')
  })

  it('take it from its account, and no address claims it again by itself', async () => {
    const { service, portaria, signedIn } = await open()
    const { context } = service
    const ana = await service.user('ana@example.com')
    const { id } = await bring(service, { ref: 'u1', kind: 'paid', paymentId: 'p1', email: 'ana@example.com' })
    const { planIs } = await signedIn('ana@example.com')
    await planIs('easy-pro')
    const { json } = await portaria(`subscription unlink ${id} --reason stolen --json`)
    assert.deepEqual([json.user_id, json.state, json.active], [null, 'active', true])
    assert.ok(Math.abs(Date.parse(json.link_closed_at) - Date.now()) < 60_000)
    await planIs(null)
    const claim = () => context.changes.transaction((tx, announce) => linkPurchases(tx, ana.id, { ...context, announce }))
    assert.equal(await claim(), 0)
    const at = service.clock.now
    await bring(service, { ref: 'u1', kind: 'paid', paymentId: 'p2', email: 'ana@example.com', at })
    await bring(service, { ref: 'u1', kind: 'refunded', at: at + 1 })
    await bring(service, { ref: 'u1', kind: 'paid', paymentId: 'p3', email: 'ana@example.com', at: at + 2 })
    const rows = await subscriptionsOf(service, 'ana@example.com')
    assert.deepEqual(
      rows.map(({ user_id, number }) => [number, user_id]),
      [
        [0, null],
        [1, null],
      ],
    )
    await planIs(null)
    assert.match((await portaria(`subscription unlink ${id} --reason again`)).err, /it is so already/)
  })

  it('take one link and leave the other', async () => {
    const { service, portaria, access } = await open()
    const { product, apiKey } = await service.product({ slug: 'curso', audience: 'external', checkout: 'external' })
    const ana = await service.user('ana@example.com')
    await notify(service.url, completed({ email: 'ana@example.com', productId: product.id }))
    const ask = (query: string) => access(apiKey, query)
    assert.equal((await ask('user_id=wrong&email=ana@example.com')).active, true)
    const [bought] = await subscriptionsOf(service, 'ana@example.com')
    const { json } = await portaria(`subscription unlink ${bought?.id} --product-user --reason typo --json`)
    assert.deepEqual([json.product_user, json.user_id, json.link_closed_at], [null, ana.id, null])
    assert.equal((await ask('user_id=wrong')).reason, 'no_subscription')
    assert.equal((await ask('user_id=right&email=ana@example.com')).active, true)
    await soon(async () => (await ask('user_id=wrong&email=ana@example.com')).reason === 'linked_to_another_user')
    const other = (await portaria(`subscription unlink ${bought?.id} --account --reason r --json`)).json
    assert.deepEqual([other.product_user, other.user_id], ['right', null])
    assert.match((await portaria(`subscription unlink ${bought?.id} --account --reason r`)).err, /it is so already/)
    assert.equal((await portaria(`subscription unlink ${bought?.id} --reason r --json`)).json.product_user, null)
  })

  it('move it to another account: both see it at once', async () => {
    const { service, portaria, signedIn } = await open()
    const ana = await service.user('ana@example.com')
    const bia = await service.user('bia@example.com')
    const { id } = await bring(service, { ref: 'm1', kind: 'paid', paymentId: 'p1', email: 'ana@example.com' })
    const [anas, bias] = [await signedIn('ana@example.com'), await signedIn('bia@example.com')]
    await anas.planIs('easy-pro')
    await bias.planIs(null)
    const moved = (await portaria(['subscription', 'move', id, '--to', ' BIA@example.com', '--reason', 'her work address', '--json'])).json
    assert.deepEqual([moved.user_id, moved.email, typeof moved.link_closed_at], [bia.id, 'ana@example.com', 'string'])
    await anas.planIs(null)
    await bias.planIs('easy-pro')
    assert.match((await portaria(`subscription move ${id} --to ${bia.id} --reason r`)).err, /it is so already/)
    const back = (await portaria(`subscription move ${id} --to ${ana.id} --reason mistake --json`)).json
    assert.deepEqual([back.user_id, back.link_closed_at], [ana.id, null])
    await anas.planIs('easy-pro')
    await bias.planIs(null)
    const entries = (await portaria(`audit list --target ${id} --json`)).json
    assert.deepEqual(
      entries.map(({ action, reason }: { action: string; reason: string }) => [action, reason]),
      [
        ['subscription.move', 'mistake'],
        ['subscription.move', 'her work address'],
      ],
    )
  })

  it('refuse what can’t be, in one line that says what to do', async () => {
    const { service, portaria } = await open()
    const { id } = await bring(service, { ref: 'n1', kind: 'paid', paymentId: 'p1', email: 'ana@example.com' })
    const refused: Array<[line: string, sentence: RegExp]> = [
      [`subscription show ${NOBODY}`, /no such subscription/],
      [`subscription end ${NOBODY} --reason r`, /no such subscription/],
      [`subscription refund nonsense --reason r`, /no such subscription/],
      [`subscription unlink ${NOBODY} --reason r`, /no such subscription/],
      [`subscription unlink ${id} --reason r`, /it is so already/],
      [`subscription move ${id} --to nobody@example.com --reason r`, /no such user/],
      [`subscription move ${id} --to nobody --reason r`, /no such user/],
      ['subscription list --user nobody@example.com', /no such user/],
      ['subscription list --email nobody', /no email address/],
      ['subscription list --product none', /no such product/],
    ]
    for (const [line, sentence] of refused) {
      const said = await portaria(line)
      assert.deepEqual([said.code, said.out], [1, ''], line)
      assert.match(said.err, sentence)
      assert.match(said.err, /^portaria: [^\n]+\n$/)
    }
    for (const line of [`subscription end ${id}`, `subscription move ${id} --reason r`, 'subscription list --state gone']) {
      assert.equal((await portaria(line)).code, 2, line)
    }
    assert.deepEqual(
      (await portaria('audit list --json')).json.filter(({ target }: { target: string }) => target === id),
      [],
    )
  })

  it('set a product’s days of grace, which hold at once for what it has sold', async () => {
    const { service, portaria, access } = await open()
    const { product, apiKey } = await service.product({ slug: 'curso', audience: 'external', checkout: 'external' })
    const { product: other } = await service.product({ slug: 'outro', audience: 'external', checkout: 'external' })
    const periodEnd = service.clock.now - 8 * DAY_MS
    const sell = (ref: string, method: 'pix' | 'card' | undefined, productId = product.id) =>
      bring(service, { ref, kind: 'paid', paymentId: ref, email: `${ref}@example.com`, productId, periodEnd, method, at: periodEnd - 1 })
    const sold = [await sell('pix', 'pix'), await sell('card', 'card'), await sell('any', undefined), await sell('else', 'pix', other.id)]
    await bring(service, { ref: 'pix-over', kind: 'paid', paymentId: 'x', email: 'over@example.com', productId: product.id, method: 'pix' })
    const over = await bring(service, { ref: 'pix-over', kind: 'ended', productId: product.id })
    const until = async () => {
      const days: number[] = []
      for (const { id } of sold) {
        const { json } = await portaria(`subscription show ${id} --json`)
        days.push((Date.parse(json.grace_until) - periodEnd) / DAY_MS)
      }
      return days
    }
    assert.deepEqual(await until(), [7, 3, 3, 7])
    assert.equal((await access(apiKey, 'email=pix@example.com')).reason, 'expired')
    const { json } = await portaria('product set curso --grace pix=60 --grace card=0 --json')
    assert.deepEqual(json.grace_days, { card: 0, boleto: 5, pix: 60 })
    assert.deepEqual(await until(), [60, 0, 0, 7])
    assert.equal((await access(apiKey, 'email=pix@example.com')).reason, 'in_grace')
    assert.equal((await portaria(`subscription show ${over.id} --json`)).json.active, false)
    await portaria('product set curso --name Curso --grace boleto=9')
    assert.match((await portaria('product show curso')).out, /^name +Curso$[\s\S]+^days of grace +pix=60 boleto=9 card=0$/m)
    const later = await sell('later', 'card')
    assert.equal(later.accessUntil, periodEnd)
    const [entry] = (await portaria('audit list --action product.set_grace --json')).json
    assert.deepEqual(
      [entry.before, entry.after],
      [
        { pix: 60, card: 0 },
        { pix: 60, boleto: 9, card: 0 },
      ],
    )
    for (const grace of ['pix=61', 'pix=-1', 'cash=3', 'pix', 'pix=']) {
      assert.equal((await portaria(`product set curso --grace ${grace}`)).code, 2, grace)
    }
  })
})

async function soon(condition: () => Promise<boolean>): Promise<void> {
  for (const end = Date.now() + 2_000; !(await condition()); await sleep(50)) assert.ok(Date.now() < end, 'not within 2 seconds')
}
