import assert from 'node:assert/strict'
import { createHmac, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, describe, it, type TestContext } from 'node:test'
import { commandLine, MASTER_KEY, type Said } from '../../../test/support/command-line.ts'
import { eachDatabase } from '../../../test/support/databases.ts'
import { freePort } from '../../../test/support/free-port.ts'
import { activated, completed, notify, signed, WEBHOOK_SECRET, WEBHOOKS } from '../../../test/support/gateways/purchases.ts'
import { startService } from '../../../test/support/service.ts'
import { CERTIFICATES, KEY } from '../../../test/vectors/certificates.ts'
import { PURCHASE_EVENTS } from '../../purchases/index.ts'

/** The later events of a subscription. */
const LATER = PURCHASE_EVENTS.slice(2)
const OTHER_SECRET = 'a secret that nobody else has'

eachDatabase('The command webhook test', (database) => {
  async function begin(environment: Record<string, string> = WEBHOOKS) {
    const at = await database.fresh()
    const service = await startService(at, { environment })
    const settings = { PORTARIA_MASTER_KEY: MASTER_KEY, PORTARIA_URL: service.url }
    const portaria = commandLine(at, { ...settings, ...WEBHOOKS })
    const tested = async (options = '') => outcomeOf(await portaria(`webhook test --json ${options}`.trim()))
    return { at, service, settings, portaria, tested }
  }

  it('sends a signed test of either variant over HTTP, finds it recorded, and that it has granted nothing', async () => {
    const { service, portaria, tested } = await begin()
    const product = await service.product({ slug: 'curso', audience: 'external', checkout: 'external' })
    await portaria('plan set --slug mensal --name Mensal --price 100 --product curso')
    const { id: userId } = await service.user('ana@example.com')
    for (const [options, event] of [
      ['', 'purchase.completed'],
      ['--variant B', 'subscription.activated'],
      ['--event subscription.activated', 'subscription.activated'],
      ['--variant A --event purchase.completed --product curso --email Ana@Example.com', 'purchase.completed'],
      ['--variant B --product curso --email ana@example.com', 'subscription.activated'],
      ...LATER.map((event) => [`--event ${event}`, event] as const),
    ] as const) {
      const { code, ok, steps } = await tested(options)
      assert.deepEqual([code, ok, steps.map(({ step, ok: isWell }) => [step, isWell])], [0, true, WELL], JSON.stringify(steps))
      const [newest] = (await portaria('webhook list --json --limit 1')).json
      const email = options.includes('example.com') || options.includes('Example.com') ? 'ana@example.com' : 'webhook-test@example.com'
      assert.deepEqual([newest.event, newest.status, newest.subject], [event, 'test', email])
      assert.equal(detailOf(steps, 'stored'), `as ${newest.id} with status test`)
      const { payload } = (await portaria(`webhook show ${newest.id} --json`)).json
      assert.equal((payload.data ?? payload).is_test, true)
      if (options.includes('curso')) assert.equal(payload.product?.id ?? payload.data.product_id, product.product.id)
    }
    assert.deepEqual(await service.context.storage.db.selectFrom('subscriptions').select('id').execute(), [])
    const { out } = await portaria(['webhook', 'test'])
    assert.match(
      out,
      /^RESULT +STEP +DETAIL\nok +secret +configured\nok +reachable +http:\/\/localhost:\d+\nok +answer +200 \{"received":true\}\n/,
    )
    assert.match(out, /^Purchase notifications arrive, and a test grants nothing\.$/m)
    assert.equal((await portaria('webhook list --json')).json.length, 6 + LATER.length)
    const entries = (await portaria('audit list --action webhook.test --json')).json
    assert.deepEqual([entries.length, entries[0].actor, entries[0].after.ok], [6 + LATER.length, 'operator:cli', true])
    assert.ok(userId)
  })

  it('says that the two secrets differ, and that the running service has none', async () => {
    const { at, settings } = await begin()
    const differing = commandLine(at, { ...settings, PORTARIA_WEBHOOK_SECRET: OTHER_SECRET })
    const differs = outcomeOf(await differing('webhook test --json'))
    assert.deepEqual([differs.code, differs.ok, differs.steps.map(({ step }) => step)], [1, false, ['secret', 'reachable', 'answer']])
    assert.match(detailOf(differs.steps, 'answer'), /^401 \{"error":"Assinatura invalida"\}: the two secrets differ/)
    const spoken = await differing('webhook test')
    assert.deepEqual([spoken.code, spoken.err], [1, ''])
    assert.match(spoken.out, /^FAIL +answer +401 .+two secrets differ.+\n\nFix what is marked FAIL, then test again\.\n$/m)
    const unset = outcomeOf(await commandLine(at, settings)('webhook test --json'))
    assert.deepEqual([unset.code, unset.steps.map(({ step, ok }) => [step, ok])], [1, [['secret', false]]])
    const none = await begin({})
    const { code, steps } = await none.tested()
    assert.equal(code, 1)
    assert.match(detailOf(steps, 'answer'), /^500 \{"error":"Configuracao incompleta do servidor"\}: the running service has no secret/)
  })

  it('signs with the first secret while two are good', async () => {
    const { at, settings, tested } = await begin({ PORTARIA_WEBHOOK_SECRET: `${OTHER_SECRET},${WEBHOOK_SECRET}` })
    assert.equal((await tested()).code, 0)
    const rotating = commandLine(at, { ...settings, PORTARIA_WEBHOOK_SECRET: `${OTHER_SECRET},something-else-altogether` })
    assert.equal((await rotating('webhook test')).code, 0)
  })

  it('says why nobody answers: not running, no TLS, an untrusted certificate', async (context) => {
    const { tested } = await begin()
    const closed = await tested(`--url http://localhost:${await freePort()}`)
    assert.deepEqual(
      [closed.code, closed.steps.map(({ step, ok }) => [step, ok])],
      [
        1,
        [
          ['secret', true],
          ['reachable', false],
        ],
      ],
    )
    assert.match(detailOf(closed.steps, 'reachable'), /does not answer: is it running, and reachable from here\?/)
    const plain = await startSite(context, (_request, response) => response.end('{}'))
    const { steps: noTls } = await tested(`--url ${plain.replace('http:', 'https:')}`)
    assert.match(detailOf(noTls, 'reachable'), /does not speak TLS: is the port right, and is it https there\?/)
    const secure = createSecureServer({ key: KEY, cert: CERTIFICATES.good })
    const untrusted = await listen(context, secure)
    const { code, steps } = await tested(`--url https://localhost:${untrusted}`)
    assert.equal(code, 1)
    assert.match(detailOf(steps, 'reachable'), /the certificate of localhost:\d+ is not trusted on this machine/)
    const { steps: unknown } = await tested('--url https://no-such-host.invalid')
    assert.match(detailOf(unknown, 'reachable'), /no-such-host\.invalid (was not found|can't be looked up just now)/)
  })

  for (const [what, answer, sentence] of [
    ['a page', [502, 'text/html', '<html>Bad gateway</html>'], /is not Portaria \(502, text\/html\): a proxy's own page/],
    ['an empty answer', [200, 'text/plain', ''], /is not Portaria \(200, text\/plain\)/],
    ['JSON of another program', [200, 'application/json', '{"ok":true}'], /answers 200 without the words of Portaria/],
    ['a refusal of another program', [401, 'application/json', '{"error":"unauthorized"}'], /answers 401 without the words of Portaria/],
    ['a list', [200, 'application/json', '[true]'], /is not Portaria/],
  ] as const) {
    it(`knows ${what} from an answer of Portaria`, async (context) => {
      const { tested } = await begin()
      const [status, type, body] = answer
      const url = await startSite(context, (_request, response) => response.writeHead(status, { 'content-type': type }).end(body))
      const { code, steps } = await tested(`--url ${url}`)
      assert.deepEqual(
        [code, steps.map(({ step, ok }) => [step, ok])],
        [
          1,
          [
            ['secret', true],
            ['reachable', false],
          ],
        ],
      )
      assert.match(detailOf(steps, 'reachable'), sentence)
    })
  }

  it('follows no redirect, as senders follow none, and names the address to use', async (context) => {
    const { service, tested } = await begin()
    const url = await startSite(context, (_request, response) =>
      response.writeHead(308, { location: `${service.url}/api/webhook/payment` }).end(),
    )
    const { code, steps } = await tested(`--url ${url}`)
    assert.equal(code, 1)
    assert.match(detailOf(steps, 'reachable'), new RegExp(`sends senders on to ${service.url}/api/webhook/payment.+use that address`))
  })

  it('sees that the service has another database, or calls a path below a proxy', async (context) => {
    const { service, tested } = await begin()
    const elsewhere = await begin()
    const { code, steps } = await elsewhere.tested(`--url ${service.url}/`)
    assert.deepEqual([code, steps.filter(({ ok }) => !ok).map(({ step }) => step)], [1, ['stored']])
    assert.match(detailOf(steps, 'stored'), /is not in this database: the service that answers has another DATABASE_URL/)
    const below = await startSite(context, (request, response) => forward(service.url, request, response, { from: '/sso' }))
    assert.equal((await tested(`--url ${below}/sso`)).code, 0)
  })

  it('sees a test that was taken for a purchase: it is recorded as one, and access has changed', async (context) => {
    const { service, tested } = await begin()
    const asPurchase = await startSite(context, (request, response) =>
      forward(service.url, request, response, {
        alter: (text) => {
          const { signature: _, ...body } = JSON.parse(text)
          return signed({ ...body, is_test: false })
        },
      }),
    )
    const { code, steps } = await tested(`--url ${asPurchase} --email ana@example.com`)
    assert.deepEqual([code, steps.filter(({ ok }) => !ok).map(({ step }) => step)], [1, ['stored', 'access']])
    assert.match(
      detailOf(steps, 'access'),
      /bought with ana@example\.com has changed meanwhile: see `portaria webhook list --email ana@example\.com`/,
    )
    const marked = await startSite(context, (request, response) =>
      forward(service.url, request, response, {
        afterwards: () => service.context.storage.db.updateTable('notifications').set({ status: 'processed' }).execute(),
      }),
    )
    const second = await tested(`--url ${marked}`)
    assert.match(detailOf(second.steps, 'stored'), /^stored as [0-9a-f-]{36} with status processed, and not as a test$/)
  })

  it('leaves what a user has bought as it is', async () => {
    const { service, tested } = await begin()
    await service.user('ana@example.com')
    const productId = randomUUID()
    await notify(service.url, completed({ email: 'ana@example.com', productId }))
    const all = () => service.context.storage.db.selectFrom('subscriptions').selectAll().execute()
    const before = await all()
    assert.equal(before.length, 1)
    for (const variant of ['A', 'B']) assert.equal((await tested(`--variant ${variant} --email ana@example.com`)).code, 0)
    assert.deepEqual(await all(), before)
  })

  it('refuses what it can not send, before anything is called', async (context) => {
    const { portaria } = await begin()
    let calls = 0
    const url = await startSite(context, (_request, response) => {
      calls++
      response.end()
    })
    for (const [options, code, sentence] of [
      ['--variant A --event subscription.activated', 2, /this event belongs to the other variant/],
      ['--product nope', 1, /there is no such product/],
      ['--email ana', 1, /this is no email address/],
      ['--variant C', 2, /Expected A, B/],
      ['--variant A --event payment.refunded', 2, /this event belongs to the other variant/],
      ['--event purchase.refunded', 2, /Expected purchase\.completed, subscription\.activated/],
      ['--url ftp://example.com', 2, /Expected an address, as in https:\/\/sso\.example\.com/],
      ['--url https://user:secret@example.com', 2, /Expected an address/],
    ] as const) {
      const said = await portaria(`webhook test --url ${url} ${options}`)
      assert.deepEqual([said.code, sentence.test(said.err)], [code, true], said.err)
    }
    assert.equal(calls, 0)
    assert.deepEqual((await portaria('audit list --action webhook.test --json')).json, [])
  })
})

describe('The command webhook sign', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'portaria-sign-'))
  after(() => rmSync(folder, { recursive: true, force: true }))
  const nowhere = { url: `sqlite:${folder}/unused/portaria.db` }
  const portaria = commandLine(nowhere, { PORTARIA_WEBHOOK_SECRET: `${WEBHOOK_SECRET},${OTHER_SECRET}` })
  const file = path.join(folder, 'purchase.json')

  it('prints a notification, from a file or standard input, as its sender would send it', async () => {
    for (const body of [completed({ email: 'ana@example.com' }), activated({ email: 'Flávia <x>@example.com' })]) {
      writeFileSync(file, JSON.stringify(body, undefined, 4))
      for (const said of [await portaria(['webhook', 'sign', file]), await portaria('webhook sign -', JSON.stringify(body))]) {
        assert.deepEqual([said.code, said.err], [0, ''])
        assert.equal(said.out, `${signed(body)}\n`)
      }
      assert.deepEqual((await portaria(['webhook', 'sign', file, '--json'])).json, JSON.parse(signed(body)))
    }
  })

  it('signs what a receiver reads, whatever the form of numbers, escapes, order and doubled keys, and replaces an old signature', async () => {
    const said = await portaria('webhook sign - --json', '{"b":1.0,"1":1e2,"a":"\\u00e9","a":"z","signature":"old","n":null}')
    const { signature, ...body } = said.json
    assert.deepEqual(body, { b: 1, 1: 100, a: 'z', n: null })
    assert.equal(signature, createHmac('sha256', WEBHOOK_SECRET).update('{"1":100,"b":1,"a":"z","n":null}').digest('hex'))
  })

  it('is taken by the running service', async () => {
    const service = await startService({ url: 'sqlite::memory:' }, { environment: WEBHOOKS })
    const said = await portaria('webhook sign -', JSON.stringify(completed({ email: 'ana@example.com', is_test: true })))
    assert.deepEqual(await notify(service.url, said.out), { status: 200, body: { received: true } })
  })

  it('says what is missing: a secret, a file, a JSON object', async () => {
    const unset = await commandLine(nowhere, {})('webhook sign -', '{}')
    assert.deepEqual([unset.code, /^portaria: there is no secret to sign with: set PORTARIA_WEBHOOK_SECRET/.test(unset.err)], [1, true])
    const missing = await portaria(['webhook', 'sign', path.join(folder, 'none.json')])
    assert.deepEqual([missing.code, /none\.json can't be read: give the path of a file, or - /.test(missing.err)], [1, true])
    for (const text of ['', 'event=x', '[]', '"x"', 'null', '{"a":{"__proto__":1}}']) {
      const said = await portaria('webhook sign -', text)
      assert.deepEqual([said.code, said.out, /this is no JSON object that can be signed/.test(said.err)], [1, '', true], text)
    }
    const long = await portaria('webhook sign -', JSON.stringify({ text: 'x'.repeat(262_144) }))
    assert.deepEqual([long.code, /over 256 KiB/.test(long.err)], [1, true])
  })
})

type Step = { step: string; ok: boolean; detail: string }

const WELL = ['secret', 'reachable', 'answer', 'stored', 'access'].map((step) => [step, true])

function outcomeOf({ code, err, json }: Said): { code: number; ok: boolean; steps: Step[] } {
  assert.equal(err, '')
  assert.deepEqual(Object.keys(json), ['ok', 'steps'])
  return { code, ...json }
}

function detailOf(steps: Step[], step: string): string {
  return steps.find((one) => one.step === step)?.detail ?? 'not looked at'
}

/** A site of its own; answers its address. */
async function startSite(context: TestContext, answer: (request: IncomingMessage, response: ServerResponse) => unknown): Promise<string> {
  return `http://localhost:${await listen(context, createServer(answer))}`
}

async function listen(context: TestContext, server: Server | ReturnType<typeof createSecureServer>): Promise<number> {
  await once(server.listen(0, 'localhost'), 'listening')
  context.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

/** Passes a request on to the service, as a proxy does, and its answer back. */
async function forward(
  to: string,
  request: IncomingMessage,
  response: ServerResponse,
  {
    from = '',
    alter = (text: string) => text,
    afterwards = async () => {},
  }: { from?: string; alter?: (text: string) => string; afterwards?: () => Promise<unknown> },
): Promise<void> {
  let text = ''
  for await (const chunk of request.setEncoding('utf8')) text += chunk
  const answer = await fetch(`${to}${(request.url ?? '').slice(from.length)}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: alter(text),
  })
  await afterwards()
  response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' }).end(await answer.text())
}
