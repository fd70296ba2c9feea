import assert from 'node:assert/strict'
import { createHmac, randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { describe, it } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { parseEvent } from '../../src/events/event.ts'
import { isNewer, type PortariaEvent, type ReceiveOptions, receiveEvents } from '../../src/events/index.ts'
import { createPortaria } from '../../src/index.ts'

const APP = 'https://app.example.com'
const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const NOW = 1_790_000_000
const granted = {
  type: 'access.granted',
  timestamp: '2026-09-21T13:33:20.000Z',
  data: {
    sequence: 1_790_000_000_001,
    product_id: 'p',
    user_id: 'ana',
    active: true,
    status: 'active',
    reason: 'paid',
    plan_slug: 'pro',
    current_period_end: '2026-10-21T00:00:00.000Z',
    grace_until: null,
  },
}
const changed = (data: object, type = granted.type) => ({ ...granted, type, data: { ...granted.data, ...data } })

/** As Portaria signs, by the standard's own package. */
function headersOf(body: string, { id = 'msg_1', at = NOW, secrets = [SECRET] } = {}): Record<string, string> {
  const signature = secrets.map((secret) => new Webhook(secret).sign(id, new Date(at * 1000), body)).join(' ')
  return { 'webhook-id': id, 'webhook-timestamp': String(at), 'webhook-signature': signature }
}

function open(options: ReceiveOptions & { handle?: (event: PortariaEvent) => unknown } = {}) {
  const events: PortariaEvent[] = []
  const faults: unknown[] = []
  const { handle = () => {}, ...own } = options
  const receiver = receiveEvents(
    (event) => {
      events.push(event)
      return handle(event)
    },
    { secret: SECRET, now: () => NOW * 1000, onFault: (fault) => faults.push(fault), ...own },
  )
  const portaria = createPortaria({ url: 'https://sso.example.com', appUrl: APP, onEvent: receiver, onFault: () => {} })
  const send = async (headers: Record<string, string>, body: BodyInit) => {
    const request = new Request(`${APP}/auth/events`, { method: 'POST', headers, body, ...{ duplex: 'half' } })
    const answer = (await portaria.handle(request)) ?? assert.fail('the path is not answered')
    assert.equal(answer.headers.get('cache-control'), 'no-store')
    const { error }: { error?: string } = JSON.parse(await answer.text())
    return error === undefined ? answer.status : `${answer.status} ${error}`
  }
  const deliver = (event: unknown, how: Parameters<typeof headersOf>[1] = {}) => {
    const body = typeof event === 'string' ? event : JSON.stringify(event)
    return send(headersOf(body, how), body)
  }
  return { events, faults, portaria, receiver, send, deliver }
}

describe('An event that Portaria delivers', () => {
  it('reaches the handler with its time, its user and the access as checkAccess answers it', async () => {
    const { deliver, events } = open()
    assert.equal(await deliver(granted), 200)
    const { data } = granted
    const access = { active: true, reason: 'paid', status: 'active', planSlug: 'pro', graceUntil: null }
    assert.deepEqual(events, [
      {
        id: 'msg_1',
        type: 'access.granted',
        at: new Date(granted.timestamp),
        productId: 'p',
        userId: 'ana',
        sequence: data.sequence,
        data,
        access: { ...access, currentPeriodEnd: new Date(data.current_period_end) },
      },
    ])
  })

  it('is the one of the standard’s own vector', async () => {
    const body = '{"test": 2432232314}'
    const headers = {
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    }
    const { send } = open({ now: () => 1_614_265_330_000 })
    assert.equal(await send(headers, body), '400 payload_invalid', 'signed, and none of Portaria’s')
    assert.equal(await send(headers, body.replace('4', '5')), '401 signature_invalid')
  })

  it('of each type of the catalogue is known by it, and of any other is unknown', async () => {
    const types = ['access.changed', 'access.revoked', 'user.created', 'user.updated', 'user.deleted', 'session.revoked']
    const more = ['subscription.created', 'subscription.updated', 'subscription.ended', 'purchase.unresolved', 'endpoint.disabled']
    const { deliver, events } = open()
    for (const type of [...types, ...more]) assert.equal(await deliver(changed({}, type), { id: type.replace('.', '_') }), 200)
    assert.deepEqual(
      events.map(({ type }) => type),
      [...types, ...more],
    )
    assert.equal(await deliver(changed({}, 'rank.reached'), { id: 'a' }), 200)
    assert.equal(await deliver(changed({ reason: 'by_decree' }), { id: 'b' }), 200)
    assert.equal(await deliver(changed({ sequence: null }), { id: 'c' }), 200)
    assert.deepEqual(
      events.slice(-3).map((event) => event.type === 'unknown' && event.name),
      ['rank.reached', 'access.granted', 'access.granted'],
    )
    assert.equal(await deliver({ type: 'endpoint.disabled', timestamp: granted.timestamp, data: {} }, { id: 'd' }), 200)
    const { productId, userId, sequence } = events.at(-1) ?? assert.fail()
    assert.deepEqual([productId, userId, sequence], [null, null, null])
  })

  it('is handled once, however often it comes, and again only while the handler has not succeeded', async () => {
    let isBroken = true
    const { deliver, events, faults } = open({
      handle() {
        if (isBroken) throw new Error('the database is away')
      },
    })
    assert.equal(await deliver(granted), '500 not handled')
    assert.match(String(faults), /database is away/)
    isBroken = false
    assert.equal(await deliver(granted, { at: NOW + 5 }), 200)
    for (let n = 0; n < 3; n++) assert.equal(await deliver(granted, { at: NOW + n }), 200)
    assert.equal(events.length, 2)
    assert.equal(await deliver(granted, { id: 'msg_2' }), 200)
    assert.equal(events.length, 3)
  })

  it('that comes a second time while it is handled waits for the same handler', async () => {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const { deliver, events } = open({ handle: ({ id }) => (id === 'good' ? promise : id === 'bad' ? promise.then(() => reject()) : 0) })
    const both = [deliver(granted, { id: 'good' }), deliver(granted, { id: 'good' })]
    while (events.length === 0) await new Promise((done) => setImmediate(done))
    resolve()
    assert.deepEqual(await Promise.all(both), [200, 200])
    assert.equal(events.length, 1)
  })

  it('is looked up in the store of the app, which hears of it when it is handled', async () => {
    const ids = new Set(['msg_0'])
    const { deliver, events } = open({ store: ids })
    assert.deepEqual([await deliver(granted, { id: 'msg_0' }), events.length], [200, 0])
    assert.deepEqual([await deliver(granted), events.length], [200, 1])
    assert.ok(ids.has('msg_1'))
    const away = { has: () => false, add: () => Promise.reject(new Error('away')) }
    assert.equal(await open({ store: away }).deliver(granted), '500 not handled')
  })

  it('is verified with either secret while one is rotated, and from the environment', async (context) => {
    const next = `whsec_${randomBytes(32).toString('base64')}`
    for (const secret of [[SECRET, next], `${SECRET} ${next}`, next]) {
      assert.equal(await open({ secret }).deliver(granted, { secrets: [SECRET, next] }), 200)
      assert.equal(await open({ secret }).deliver(granted, { secrets: [next] }), 200)
    }
    context.after(() => delete process.env.PORTARIA_EVENTS_SECRET)
    delete process.env.PORTARIA_EVENTS_SECRET
    const { deliver, faults } = open({ secret: undefined })
    assert.equal(await deliver(granted), '500 not handled')
    assert.match(String(faults), /PORTARIA_EVENTS_SECRET is missing: the secret of the endpoint/)
    process.env.PORTARIA_EVENTS_SECRET = SECRET
    assert.equal(await deliver(granted), 200)
  })

  it('is verified with no secret that is none', () => {
    for (const secret of [
      '',
      [],
      'MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
      'whsec_',
      'whsec_YWJj',
      'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaS',
      `whsec_${'A'.repeat(88)}`,
      'whsec_$$$$',
    ])
      assert.throws(() => receiveEvents(() => {}, { secret }), { name: 'PortariaError', code: 'configuration' }, String(secret))
    for (const secret of [5, {}, [undefined], [null], true])
      assert.throws(() => Reflect.apply(receiveEvents, undefined, [() => {}, { secret }]), String(secret))
  })

  const body = JSON.stringify(granted)
  const refusals: Record<string, [answer: string, headers: Record<string, string>, body?: BodyInit]> = {
    'of another secret': ['401 signature_invalid', headersOf(body, { secrets: [`whsec_${randomBytes(24).toString('base64')}`] })],
    'with the body of another': ['401 signature_invalid', headersOf(JSON.stringify(changed({ user_id: 'bia' })))],
    'with the id of another': ['401 signature_invalid', { ...headersOf(body), 'webhook-id': 'msg_2' }],
    'with a later time than was signed': ['401 signature_invalid', { ...headersOf(body), 'webhook-timestamp': String(NOW + 1) }],
    'with a space more': ['401 signature_invalid', headersOf(body), `${body} `],
    'with its fields in another order': [
      '401 signature_invalid',
      headersOf(body),
      JSON.stringify(Object.fromEntries(Object.entries(granted).reverse())),
    ],
    'of six minutes ago': ['400 timestamp_too_old', headersOf(body, { at: NOW - 301 })],
    'of the future': ['400 timestamp_too_new', headersOf(body, { at: NOW + 301 })],
    'without a signature': ['400 headers_invalid', { ...headersOf(body), 'webhook-signature': '' }],
    'without an id': ['400 headers_invalid', { ...headersOf(body), 'webhook-id': '' }],
    'with an id that has a dot': ['400 headers_invalid', headersOf(body, { id: 'a.b' })],
    'with a long id': ['400 headers_invalid', headersOf(body, { id: 'a'.repeat(129) })],
    'with two ids': ['400 headers_invalid', { ...headersOf(body), 'webhook-id': 'msg_1, msg_1' }],
    'with a time in ms': ['400 headers_invalid', { ...headersOf(body), 'webhook-timestamp': String(NOW * 1000) }],
    'with a time that is no number': ['400 headers_invalid', { ...headersOf(body), 'webhook-timestamp': '1e9' }],
    'with two times': ['400 headers_invalid', { ...headersOf(body), 'webhook-timestamp': `${NOW}, ${NOW}` }],
    'with a signature of another version': [
      '400 headers_invalid',
      { ...headersOf(body), 'webhook-signature': headersOf(body)['webhook-signature']?.replace('v1,', 'v2,') ?? '' },
    ],
    'with a part of its signature': [
      '400 headers_invalid',
      { ...headersOf(body), 'webhook-signature': headersOf(body)['webhook-signature']?.slice(0, 20) ?? '' },
    ],
    'with a hundred signatures': [
      '400 headers_invalid',
      { ...headersOf(body), 'webhook-signature': Array(100).fill(headersOf(body)['webhook-signature']).join(' ') },
    ],
    'with signatures parted by commas': [
      '400 headers_invalid',
      { ...headersOf(body), 'webhook-signature': `${headersOf(body)['webhook-signature']},v1,x` },
    ],
    'with a byte order mark': ['400 payload_invalid', headersOf(`\ufeff${body}`), `\ufeff${body}`],
    'that is no JSON': ['400 payload_invalid', headersOf('{'), '{'],
    'that is no object': ['400 payload_invalid', headersOf('[]'), '[]'],
    'without data': [
      '400 payload_invalid',
      headersOf('{"type":"a.b","timestamp":"2026-01-01T00:00:00Z"}'),
      '{"type":"a.b","timestamp":"2026-01-01T00:00:00Z"}',
    ],
    'without a time': ['400 payload_invalid', headersOf('{"type":"a.b","data":{}}'), '{"type":"a.b","data":{}}'],
    'that is empty': ['400 payload_invalid', headersOf(''), ''],
    'that says to be too large': ['413 body_too_large', { ...headersOf(body), 'content-length': '20481' }],
  }
  for (const [name, [answer, headers, sent = body]] of Object.entries(refusals))
    it(`is none ${name}: ${answer}`, async () => {
      const { send, events } = open()
      assert.equal(await send(headers, sent), answer)
      assert.deepEqual(events, [])
    })

  it('with signatures of later versions beside its own is one', async () => {
    const { send, events } = open()
    const own = headersOf(body)['webhook-signature']
    const other = `v1,${createHmac('sha256', 'x').digest('base64')}`
    assert.equal(await send({ ...headersOf(body), 'webhook-signature': `v1a,abc ${other} ${own} v2,x` }, body), 200)
    assert.equal(events.length, 1)
  })

  it('that is no UTF-8 is none, though it is signed', async () => {
    const bytes = Buffer.concat([
      Buffer.from('{"type":"'),
      Buffer.from([0xff]),
      Buffer.from('","timestamp":"2026-01-01T00:00:00Z","data":{}}'),
    ])
    const key = Buffer.from(SECRET.slice(6), 'base64')
    const signature = createHmac('sha256', key).update(`msg_1.${NOW}.`).update(bytes).digest('base64')
    const headers = { ...headersOf(''), 'webhook-signature': `v1,${signature}` }
    assert.equal(await open().send(headers, bytes), '400 payload_invalid')
  })

  it('comes in pieces, through the middle of a letter', async () => {
    const text = JSON.stringify(changed({ plan_slug: 'pão-de-açúcar' }))
    const pieces = Array.from(Buffer.from(text), (byte) => new Uint8Array([byte]))
    const { send, events, receiver } = open()
    assert.equal(await send(headersOf(text), inPieces(pieces)), 200)
    const again = new Request(`${APP}/auth/events`, { method: 'POST', headers: headersOf(text, { id: 'msg_2' }) })
    assert.equal((await receiver(again, undefined, Readable.from(pieces))).status, 200)
    assert.deepEqual(
      events.map((event) => event.type === 'access.granted' && event.access.planSlug),
      ['pão-de-açúcar', 'pão-de-açúcar'],
    )
  })

  it('that goes on for ever is refused before it is read to its end', async () => {
    let read = 0
    const endless = new ReadableStream({
      pull(controller) {
        read += 1024
        controller.enqueue(new Uint8Array(1024))
      },
    })
    assert.equal(await open().send(headersOf(body), endless), '413 body_too_large')
    assert.ok(read < 25_000, `${read} bytes were read`)
  })

  it('of 20,480 bytes is one', async () => {
    const long = JSON.stringify(changed({ filler: 'x'.repeat(20_480 - JSON.stringify(changed({ filler: '' })).length) }))
    assert.equal(long.length, 20_480)
    assert.equal(await open().deliver(long), 200)
    assert.equal(await open().deliver(`${long} `), '413 body_too_large')
  })

  it('that a body parser has read is answered 500, with what to do, unless the bytes were kept', async () => {
    const { receiver, faults, events } = open()
    const request = () => new Request(`${APP}/auth/events`, { method: 'POST', headers: headersOf(body) })
    for (const raw of [{ body: granted }, { body: granted, readableDidRead: true, [Symbol.asyncIterator]: () => {} }])
      assert.equal((await receiver(request(), undefined, raw)).status, 500)
    assert.match(String(faults[0]), /a body parser has read the event: put portariaRoutes before it/)
    assert.equal((await receiver(request(), undefined, { body: granted, rawBody: Buffer.from(body) })).status, 200)
    assert.equal((await receiver(request(), undefined, { body: Buffer.from(body) })).status, 200)
    assert.equal(events.length, 1)
  })

  it('is answered only where the app receives events, and only to a POST', async () => {
    const bare = createPortaria({ url: 'https://sso.example.com', appUrl: APP })
    assert.equal(await bare.handle(new Request(`${APP}/auth/events`, { method: 'POST' })), undefined)
    assert.equal((await open().portaria.handle(new Request(`${APP}/auth/events`)))?.status, 405)
  })
})

function inPieces(pieces: readonly Uint8Array[]): ReadableStream<Uint8Array> {
  const next = pieces.values()
  return new ReadableStream({
    pull(controller) {
      const { done, value } = next.next()
      if (done) controller.close()
      else controller.enqueue(value)
    },
  })
}

describe('isNewer', () => {
  it('says so of a higher sequence, however a database gives it, and where nothing is known', () => {
    const event = { sequence: 1_790_000_000_001 }
    for (const known of [null, undefined, 1_790_000_000_000, '1790000000000', 1_790_000_000_000n]) assert.equal(isNewer(event, known), true)
    for (const known of [1_790_000_000_001, '1790000000001', 1_790_000_000_001n, 1_790_000_000_002])
      assert.equal(isNewer(event, known), false)
  })

  it('takes every event as it is received; one without a sequence has happened once, and is always newer', () => {
    const event: PortariaEvent | undefined = parseEvent('a', JSON.stringify(changed({}, 'user.updated')))
    assert.equal(event && isNewer(event, granted.data.sequence - 1), true)
    assert.equal(event && isNewer(event, granted.data.sequence), false)
    const ended = parseEvent('b', JSON.stringify({ type: 'session.revoked', timestamp: granted.timestamp, data: {} }))
    assert.equal(ended && isNewer(ended, 1_790_000_000_001), true)
  })
})
