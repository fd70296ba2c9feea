import assert from 'node:assert/strict'
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { freePort } from '../../test/support/free-port.ts'
import { composeMail, createMailer, type Delivery } from './index.ts'

const url = `https://sso.example.com/auth/confirm?ticket=${'x'.repeat(200)}&lang=pt-BR`
const now = () => Date.UTC(2026, 10, 21, 8, 40, 0, 7)
const mail = {
  to: 'ana@example.com',
  ...composeMail('confirm_address', 'pt-BR', { name: 'Zoë Müller 🌻', code: '048151', url, minutes: 30 }),
}
const from = 'Portão da Casa <no-reply@sso.example.com>'
const patient = () => ({ signal: AbortSignal.timeout(20_000), messageId: '0193a0b2-7c1e-7d11-9f6e-0a1b2c3d4e5f' })

interface Received {
  raw: Buffer
  to: string[]
  from: string
  secure: boolean
  user: string | undefined
  connection: string
}

/** A real SMTP server on a free port of this machine, which keeps the mails it receives. */
async function startInbox(
  context: TestContext,
  options: SMTPServerOptions = {},
  port = 0,
): Promise<{ port: number; received: Received[]; hangUp: () => void }> {
  const received: Received[] = []
  const server = new SMTPServer({
    authOptional: true,
    logger: false,
    closeTimeout: 100,
    onData(stream, session, done) {
      const parts: Buffer[] = []
      stream.on('data', (part: Buffer) => parts.push(part))
      stream.on('end', () => {
        const { mailFrom, rcptTo } = session.envelope
        const sender = mailFrom === false ? '' : mailFrom.address
        received.push({
          raw: Buffer.concat(parts),
          to: rcptTo.map(({ address }) => address),
          from: sender,
          secure: session.secure,
          user: session.user,
          connection: session.id,
        })
        done()
      })
    },
    ...options,
  })
  const sockets = new Set<Socket>()
  server.server.on('connection', (socket: Socket) => sockets.add(socket))
  server.on('error', () => undefined) // a client that goes away is part of some tests
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  context.after(() => new Promise<void>((resolve) => server.close(() => resolve())))
  const hangUp = () => {
    for (const socket of sockets) socket.destroy()
  }
  return { port: (server.server.address() as AddressInfo).port, received, hangUp }
}

function mailerFor(context: TestContext, smtpUrl: string | undefined, folder?: string) {
  const mailer = createMailer({ smtpUrl, from, folder, now })
  context.after(() => mailer.close())
  return mailer
}

function headersOf({ headers }: Email): Record<string, string> {
  return Object.fromEntries(headers.map(({ key, value }) => [key, value]))
}

function refusing(responseCode: number, message: string): Error {
  return Object.assign(new Error(message), { responseCode })
}

describe('a mail that is taken', { concurrency: true }, () => {
  test('arrives as text and HTML, with its names and digits as they were', async (context) => {
    const { port, received } = await startInbox(context)
    assert.deepEqual(await mailerFor(context, `smtp://127.0.0.1:${port}`).deliver(mail, patient()), { delivered: 'by_smtp' })
    assert.equal(received.length, 1)
    const parsed = await PostalMime.parse(received[0]?.raw ?? '')
    assert.equal(parsed.subject, mail.subject)
    assert.equal(parsed.text?.trim(), mail.text.trim())
    assert.equal(parsed.html?.trim(), mail.html.trim())
    assert.deepEqual(parsed.attachments, [])
    assert.deepEqual(parsed.from, { name: 'Portão da Casa', address: 'no-reply@sso.example.com' })
    assert.deepEqual(parsed.to, [{ name: '', address: 'ana@example.com' }])
    assert.deepEqual(received[0]?.to, ['ana@example.com'])
    assert.equal(received[0]?.from, 'no-reply@sso.example.com')
    const headers = headersOf(parsed)
    assert.equal(headers['auto-submitted'], 'auto-generated')
    assert.equal(new Date(headers.date ?? '').getTime(), Math.floor(now() / 1000) * 1000)
    assert.match(headers['content-type'] ?? '', /^multipart\/alternative/)
    assert.ok(
      (received[0]?.raw.toString('latin1').split('\r\n') ?? []).every((line) => line.length <= 998 && /^[\x20-\x7e\t]*$/.test(line)),
    )
  })

  test('carries the same Message-ID when its job runs twice, another for another job', async (context) => {
    const { port, received } = await startInbox(context)
    const mailer = mailerFor(context, `smtp://127.0.0.1:${port}`)
    await mailer.deliver(mail, patient())
    await mailer.deliver(mail, patient())
    await mailer.deliver(mail, { ...patient(), messageId: 'another' })
    const ids = await Promise.all(received.map(async ({ raw }) => (await PostalMime.parse(raw)).messageId))
    const id = '<0193a0b2-7c1e-7d11-9f6e-0a1b2c3d4e5f@sso.example.com>'
    assert.deepEqual(ids, [id, id, '<another@sso.example.com>'])
    assert.equal(new Set(received.map(({ connection }) => connection)).size, 1, 'over one connection')
  })

  test('goes through STARTTLS and a password where the server has them', async (context) => {
    const { port, received } = await startInbox(context, {
      authOptional: false,
      onAuth: ({ username, password }, session, done) =>
        username === 'ana@x' && password === 'p:s/s@%' && session.secure ? done(null, { user: username }) : done(new Error('no')),
    })
    const auth = `${encodeURIComponent('ana@x')}:${encodeURIComponent('p:s/s@%')}`
    const mailer = mailerFor(context, `smtp://${auth}@localhost:${port}?requireTLS=true`)
    assert.deepEqual(await mailer.deliver(mail, patient()), { delivered: 'by_smtp' })
    assert.equal(received[0]?.secure, true)
    assert.equal(received[0]?.user, 'ana@x')
  })

  test('goes through TLS from the first byte with smtps', async (context) => {
    const { port, received } = await startInbox(context, { secure: true })
    assert.deepEqual(await mailerFor(context, `smtps://127.0.0.1:${port}`).deliver(mail, patient()), { delivered: 'by_smtp' })
    assert.equal(received[0]?.secure, true)
  })

  test('goes in clear on this machine when the server has no STARTTLS', async (context) => {
    const { port, received } = await startInbox(context, { disabledCommands: ['STARTTLS'] })
    assert.deepEqual(await mailerFor(context, `smtp://127.0.0.1:${port}`).deliver(mail, patient()), { delivered: 'by_smtp' })
    assert.equal(received[0]?.secure, false)
  })

  test('is one of many at once', async (context) => {
    const { port, received } = await startInbox(context)
    const mailer = mailerFor(context, `smtp://127.0.0.1:${port}`)
    const sent = await Promise.all(
      Array.from({ length: 30 }, (_, index) =>
        mailer.deliver({ ...mail, to: `p${index}@example.com` }, { ...patient(), messageId: `m${index}` }),
      ),
    )
    assert.ok(sent.every((one) => 'delivered' in one))
    assert.equal(new Set(received.map(({ to }) => to[0])).size, 30)
  })

  test('goes over a new connection when the server has closed the last one in between', async (context) => {
    const { port, received } = await startInbox(context, { socketTimeout: 1_000 })
    const mailer = mailerFor(context, `smtp://127.0.0.1:${port}`)
    for (const messageId of ['first', 'second', 'third']) {
      assert.deepEqual(await mailer.deliver(mail, { ...patient(), messageId }), { delivered: 'by_smtp' })
      await setTimeout(1_300)
    }
    assert.equal(received.length, 3)
    assert.equal(new Set(received.map(({ connection }) => connection)).size, 3)
  })

  test('goes over a new connection at once when the server hangs up just as the mail is about to go', async (context) => {
    const used = new Set<string>()
    const onMailFrom: SMTPServerOptions['onMailFrom'] = (_address, { id }, done) => {
      if (used.has(id)) return inbox.hangUp()
      used.add(id)
      done()
    }
    const inbox = await startInbox(context, { onMailFrom })
    const mailer = mailerFor(context, `smtp://127.0.0.1:${inbox.port}`)
    for (const messageId of ['first', 'second']) {
      assert.deepEqual(await mailer.deliver(mail, { ...patient(), messageId }), { delivered: 'by_smtp' })
    }
    assert.equal(inbox.received.length, 2)
  })

  test('comes through after another was refused', async (context) => {
    const { port, received } = await startInbox(context, {
      onRcptTo: ({ address }, _session, done) => done(address.startsWith('gone') ? refusing(550, '5.1.1 no such user') : null),
    })
    const mailer = mailerFor(context, `smtp://127.0.0.1:${port}`)
    assert.ok('refused' in (await mailer.deliver({ ...mail, to: 'gone@example.com' }, patient())))
    assert.deepEqual(await mailer.deliver(mail, patient()), { delivered: 'by_smtp' })
    assert.deepEqual(
      received.map(({ to }) => to),
      [['ana@example.com']],
    )
  })
})

describe('a mail that is not taken', { concurrency: true }, () => {
  const atRecipient: [number, string, 'final' | 'temporary'][] = [
    [550, '5.1.1 <ana@example.com> user unknown', 'final'],
    [550, 'no such user ana@example.com', 'final'],
    [552, '5.2.2 mailbox of ana@example.com is full', 'final'],
    [553, '5.1.3 bad address ana@example.com', 'final'],
    [554, '5.7.1 <ana@example.com> relay access denied', 'temporary'],
    [530, '5.7.0 authenticate first, ana@example.com', 'temporary'],
    [503, '5.5.1 bad sequence', 'temporary'],
    [450, '4.2.0 <ana@example.com> greylisted', 'temporary'],
    [421, '4.3.2 shutting down', 'temporary'],
    [452, '4.2.2 ana@example.com over quota', 'temporary'],
  ]
  for (const [code, reply, refused] of atRecipient) {
    test(`${code} ${reply.split(' ', 1)} about the recipient is ${refused}, and the reason names nobody`, async (context) => {
      const { port } = await startInbox(context, { onRcptTo: (_address, _session, done) => done(refusing(code, reply)) })
      const delivery = await mailerFor(context, `smtp://127.0.0.1:${port}`).deliver(mail, patient())
      assertRefused(delivery, refused)
      assert.match(delivery.reason, new RegExp(`\\b${code}\\b`))
    })
  }

  for (const [code, refused] of [
    [554, 'final'],
    [552, 'final'],
    [451, 'temporary'],
  ] as const) {
    test(`${code} about the message is ${refused}`, async (context) => {
      const onData: SMTPServerOptions['onData'] = (stream, _session, done) =>
        void stream.resume().on('end', () => done(refusing(code, 'not this, ana@example.com')))
      const { port } = await startInbox(context, { onData })
      assertRefused(await mailerFor(context, `smtp://127.0.0.1:${port}`).deliver(mail, patient()), refused)
    })
  }

  test('a sender or a password that is refused is the operator’s to fix: temporary', async (context) => {
    const sender = await startInbox(context, {
      onMailFrom: (_address, _session, done) => done(refusing(550, '5.7.1 no-reply@sso.example.com not yours')),
    })
    assertRefused(await mailerFor(context, `smtp://127.0.0.1:${sender.port}`).deliver(mail, patient()), 'temporary')
    const password = await startInbox(context, {
      authOptional: false,
      onAuth: (_auth, _session, done) => done(refusing(535, '5.7.8 wrong')),
    })
    const delivery = await mailerFor(context, `smtp://user:secret@127.0.0.1:${password.port}`).deliver(mail, patient())
    assertRefused(delivery, 'temporary')
    assert.match(delivery.reason, /EAUTH .*535/)
  })

  test('a server that is down is temporary, and the mail comes through once it is back', async (context) => {
    const port = await freePort()
    const mailer = mailerFor(context, `smtp://127.0.0.1:${port}`)
    const delivery = await mailer.deliver(mail, patient())
    assertRefused(delivery, 'temporary')
    assert.match(delivery.reason, /ECONNREFUSED/)
    const { received } = await startInbox(context, {}, port)
    assert.deepEqual(await mailer.deliver(mail, patient()), { delivered: 'by_smtp' })
    assert.equal(received.length, 1)
  })

  test('a server that hangs is given up after ten seconds', async (context) => {
    const port = await startMute(context)
    const startedAt = Date.now()
    assertRefused(await mailerFor(context, `smtp://127.0.0.1:${port}`).deliver(mail, patient()), 'temporary')
    const took = Date.now() - startedAt
    assert.ok(took >= 9_000 && took < 15_000, `${took} ms`)
  })

  test('a server that hangs is given up at once when the job has no more time', async (context) => {
    const port = await startMute(context)
    const startedAt = Date.now()
    const delivery = await mailerFor(context, `smtp://127.0.0.1:${port}`).deliver(mail, { ...patient(), signal: AbortSignal.timeout(100) })
    assertRefused(delivery, 'temporary')
    assert.match(delivery.reason, /EABORT/)
    assert.ok(Date.now() - startedAt < 5_000)
  })

  test('a server that closes the door before it greets is temporary', async (context) => {
    const port = await startMute(context, 'closes')
    assertRefused(await mailerFor(context, `smtp://127.0.0.1:${port}`).deliver(mail, patient()), 'temporary')
  })

  test('nothing goes in clear where TLS is required, nor to a certificate that is not trusted', async (context) => {
    const clear = await startInbox(context, { disabledCommands: ['STARTTLS'] })
    assertRefused(await mailerFor(context, `smtp://127.0.0.1:${clear.port}?requireTLS=true`).deliver(mail, patient()), 'temporary')
    const selfSigned = await startInbox(context)
    const strict = mailerFor(context, `smtp://127.0.0.1:${selfSigned.port}?requireTLS=true&tls.rejectUnauthorized=true`)
    assertRefused(await strict.deliver(mail, patient()), 'temporary')
    assert.deepEqual([...clear.received, ...selfSigned.received], [])
  })

  const injections = [
    { subject: 'Oi\r\nBcc: eve@evil.example' },
    { subject: 'Oi\n\nhello' },
    { to: 'ana@example.com\r\nBcc: eve@evil.example' },
    { to: 'ana@example.com>\r\nRCPT TO:<eve@evil.example' },
    { to: 'ana@example.com, eve@evil.example' },
  ]
  for (const injection of injections) {
    test(`${JSON.stringify(injection)} goes nowhere: no header and no recipient can be slipped in`, async (context) => {
      const { port, received } = await startInbox(context)
      const delivery = await mailerFor(context, `smtp://127.0.0.1:${port}`).deliver({ ...mail, ...injection }, patient())
      assertRefused(delivery, 'final')
      assert.deepEqual(received, [])
    })
  }

  test('a mail server is greeted and logged in to without a mail, and says no to a wrong password', async (context) => {
    const { port, received } = await startInbox(context, {
      authOptional: false,
      onAuth: ({ password }, _session, done) =>
        password === 'right' ? done(null, { user: 'ana' }) : done(refusing(535, 'wrong password of ana@example.com')),
    })
    assert.equal(await mailerFor(context, `smtp://ana:right@127.0.0.1:${port}`).verify(), 'answers')
    const refused = await mailerFor(context, `smtp://ana:wrong@127.0.0.1:${port}`).verify()
    assert.ok(refused !== 'answers' && refused.refused === 'temporary', JSON.stringify(refused))
    assert.match(refused.reason, /535/)
    assert.doesNotMatch(refused.reason, /ana|wrong/)
    assert.deepEqual(received, [])
    const mute = createServer()
    await new Promise<void>((resolve) => mute.listen(0, '127.0.0.1', resolve))
    context.after(() => mute.close())
    const begun = Date.now()
    const silent = await mailerFor(context, `smtp://127.0.0.1:${(mute.address() as AddressInfo).port}`).verify()
    assert.ok(silent !== 'answers' && Date.now() - begun < 8_000)
  })

  test('a mailer that is closed takes nothing more', async (context) => {
    const { port, received } = await startInbox(context)
    const mailer = mailerFor(context, `smtp://127.0.0.1:${port}`)
    await mailer.deliver(mail, patient())
    await mailer.close()
    assertRefused(await mailer.deliver(mail, patient()), 'temporary')
    assert.equal(received.length, 1)
  })

  test('a message id that could begin a header is a fault', async (context) => {
    const mailer = mailerFor(context, undefined, '/nonexistent')
    for (const messageId of ['a\r\nBcc: eve@example.com', 'a> b', '', 'é'])
      await assert.rejects(mailer.deliver(mail, { ...patient(), messageId }), TypeError)
  })
})

describe('without a mail server', () => {
  test('mails are files that one user can read, the newest one last', async (context) => {
    const folder = path.join(await mkdtemp(path.join(tmpdir(), 'portaria-mail-')), 'mail')
    context.after(() => rm(path.dirname(folder), { recursive: true }))
    let at = now()
    const warnings: string[] = []
    const mailer = createMailer({ smtpUrl: undefined, from, folder, onFile: (file) => warnings.push(file), now: () => at })
    for (const messageId of ['z-first', 'a-second']) {
      assert.deepEqual(await mailer.deliver(mail, { ...patient(), messageId }), { delivered: 'as_file' })
      at += 1
    }
    const names = (await readdir(folder)).sort()
    assert.deepEqual(names, ['2026-11-21T08-40-00.007Z-z-first.eml', '2026-11-21T08-40-00.008Z-a-second.eml'])
    assert.deepEqual(
      warnings,
      names.map((name) => path.join(folder, name)),
    )
    assert.equal((await stat(folder)).mode & 0o777, 0o700)
    const file = path.join(folder, names[1] ?? '')
    assert.equal((await stat(file)).mode & 0o777, 0o600)
    const parsed = await PostalMime.parse(await readFile(file))
    assert.equal(parsed.text?.trim(), mail.text.trim())
    assert.equal(parsed.html?.trim(), mail.html.trim())
    assert.equal(parsed.messageId, '<a-second@sso.example.com>')
    assert.equal(headersOf(parsed)['auto-submitted'], 'auto-generated')
  })

  test('a link and a letter with an accent can be copied from the file as they are', async (context) => {
    const folder = await mkdtemp(path.join(tmpdir(), 'portaria-mail-'))
    context.after(() => rm(folder, { recursive: true }))
    const line = `Olá, Ana: https://sso.example.com/verify?ticket=${'a-long-secret-'.repeat(10)}`
    await mailerFor(context, undefined, folder).deliver({ ...mail, text: `${line}\n` }, { ...patient(), messageId: 'one' })
    const [name = ''] = await readdir(folder)
    assert.ok((await readFile(path.join(folder, name), 'utf8')).split('\r\n').includes(line))
  })

  test('and without a folder, as in production, the caller hears that nothing is configured', async (context) => {
    assertRefused(await mailerFor(context, undefined).deliver(mail, patient()), 'nothing_configured')
  })
})

function assertRefused(
  delivery: Delivery,
  refused: 'final' | 'temporary' | 'nothing_configured',
): asserts delivery is Extract<Delivery, { reason: string }> {
  assert.ok('refused' in delivery)
  assert.equal(delivery.refused, refused, delivery.reason)
  assert.notEqual(delivery.reason, '')
  assert.doesNotMatch(delivery.reason, /@|ana|example|secret|no-reply/i)
}

/** A server that takes connections and stays silent, or closes them at once. */
async function startMute(context: TestContext, manner: 'hangs' | 'closes' = 'hangs'): Promise<number> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined)
    if (manner === 'closes') socket.end()
    else context.after(() => socket.destroy())
  })
  context.after(() => server.close())
  return await listening(server)
}

async function listening(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}
