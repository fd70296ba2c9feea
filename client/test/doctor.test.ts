import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { after, before, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { changeProduct } from '../../server/src/products/index.ts'
import { eachDatabase } from '../../server/test/support/databases.ts'
import { startForSuite } from '../../server/test/support/service.ts'
import { examine } from '../src/doctor/examine.ts'
import type { Finding } from '../src/doctor/finding.ts'
import type { PortariaOptions } from '../src/settings.ts'

const BIN = fileURLToPath(new URL('../bin/portaria-client.mjs', import.meta.url))
const APP = 'http://localhost:4701'
const SHOP = 'http://127.0.0.1:4702'
const KNOWN_TO_NOBODY = 'sk_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'

const find = (findings: readonly Finding[], about: string) =>
  findings.find((one) => one.about === about) ?? assert.fail(`nothing about ${about}`)
const states = (findings: readonly Finding[]) => Object.fromEntries(findings.map(({ about, state }) => [about, state]))

eachDatabase('The doctor', (database) => {
  if (database.name !== 'sqlite') return // it sees HTTP alone
  const started = startForSuite(database)
  let shop: { publishable: string; secret: string }
  before(async () => {
    await started().product({ slug: 'painel', uris: [`${APP}/auth/callback`] })
    const made = await started().product({ slug: 'livraria', audience: 'external', checkout: 'external', uris: [`${SHOP}/auth/callback`] })
    shop = { publishable: made.product.publishableKey, secret: made.apiKey }
  })
  const look = (options: PortariaOptions = {}) => examine({ url: started().url, appUrl: APP, ...options }, {})
  const lookAtShop = (options: PortariaOptions = {}) =>
    look({ appUrl: SHOP, publishableKey: shop.publishable, apiKey: shop.secret, ...options })

  it('finds nothing wrong where nothing is', async () => {
    const all = { settings: 'good', address: 'good', clock: 'good', keys: 'good', callback: 'good', 'api key': 'good', cookies: 'good' }
    assert.deepEqual(states(await look()), all)
    assert.deepEqual(states(await lookAtShop()), { ...all, 'sign-outs': 'good' })
  })

  it('says which settings are missing or mistaken, all at once', async () => {
    const findings = await examine({ url: 'sso.example.com', apiKey: 'pk_x', confirmEverySeconds: -1 }, {})
    assert.deepEqual([...new Set(findings.map(({ state }) => state))], ['bad'])
    const text = findings.map((one) => one.text).join('\n')
    for (const name of ['`url`', 'PORTARIA_APP_URL', '`apiKey`', '`confirmEverySeconds`']) assert.ok(text.includes(name), text)
  })

  it('says that a callback is not registered, and how it would be', async () => {
    const finding = find(await look({ appUrl: 'http://localhost:4799' }), 'callback')
    assert.equal(finding.state, 'bad')
    assert.match(finding.fix ?? '', /product set .*--add-uri http:\/\/localhost:4799\/auth\/callback$/)
  })

  it('tells a publishable key of another product, and an API key that nobody knows, and shows neither', async () => {
    const other = await started().product({
      slug: 'outra',
      audience: 'external',
      checkout: 'external',
      uris: ['http://127.0.0.1:4703/auth/callback'],
    })
    const findings = await lookAtShop({ publishableKey: other.product.publishableKey, apiKey: KNOWN_TO_NOBODY })
    assert.equal(find(findings, 'callback').state, 'bad')
    assert.match(find(findings, 'callback').text, /publishable key/)
    assert.equal(find(findings, 'api key').state, 'bad')
    const said = JSON.stringify(findings)
    assert.ok(!said.includes(KNOWN_TO_NOBODY) && !said.includes(other.product.publishableKey))
  })

  it('tells keys of two products apart, which each are good, and an external product that lacks its publishable one', async () => {
    const other = await started().product({ slug: 'terceira', audience: 'external', checkout: 'external' })
    const mixed = await lookAtShop({ apiKey: other.apiKey })
    assert.deepEqual([find(mixed, 'callback').state, find(mixed, 'api key').state, find(mixed, 'both keys').state], ['good', 'good', 'bad'])
    assert.match(find(mixed, 'both keys').text, /not that of terceira/)
    const lacking = await look({ appUrl: SHOP, apiKey: shop.secret })
    assert.match(find(lacking, 'both keys').text, /livraria is an external product, and PORTARIA_PUBLISHABLE_KEY is missing/)
  })

  it('looks at the address that is notified of sign-outs, and at OpenID Connect where the product speaks it', async () => {
    let answer = 400
    const app = createServer((_request, response) => void response.writeHead(answer).end('{}'))
    await new Promise<void>((done) => app.listen(0, '127.0.0.1', done))
    const appUrl = `http://127.0.0.1:${(app.address() as AddressInfo).port}`
    const uris = [`${appUrl}/auth/callback`]
    const { product, apiKey } = await started().product({ slug: 'saidas', audience: 'external', checkout: 'external', uris })
    const operator = { ...started().context, actor: 'operator:test' }
    const seen = async () => look({ appUrl, apiKey, publishableKey: product.publishableKey })
    const signOuts = async () => find(await seen(), 'sign-outs')
    assert.match((await signOuts()).text, /seen at the next check/)
    await changeProduct('saidas', { backchannelLogoutUri: 'https://saidas.example/logout' }, operator)
    assert.match((await signOuts()).text, /^https:\/\/saidas\.example\/logout is notified of them/)
    await changeProduct('saidas', { backchannelLogoutUri: `${appUrl}/auth/backchannel-logout` }, operator)
    assert.equal((await signOuts()).state, 'good')
    answer = 403
    assert.deepEqual([(await signOuts()).state, /answers 403/.test((await signOuts()).text)], ['doubtful', true])
    await new Promise((done) => app.close(done))
    assert.match((await signOuts()).text, /does not answer/)

    assert.equal((await seen()).filter(({ about }) => about === 'openid').length, 0)
    await changeProduct('saidas', { openid: { kind: 'web' } }, operator)
    assert.match(find(await seen(), 'openid').text, /kind web; PKCE with S256/)
    const cut: typeof fetch = (input, init) =>
      String(input).includes('openid-configuration') ? Promise.resolve(new Response('{}', { status: 404 })) : fetch(input, init)
    assert.equal(find(await look({ appUrl, apiKey, publishableKey: product.publishableKey, fetch: cut }), 'openid').state, 'bad')
    const { apiKey: inner } = await started().product({ slug: 'dentro', uris: [`${APP}/x/callback`] })
    await changeProduct('dentro', { openid: { kind: 'web' }, backchannelLogoutUri: `${APP}/x/backchannel-logout` }, operator)
    assert.match(find(await look({ apiKey: inner, authPath: '/x' }), 'sign-outs').text, /those sessions alone/)
  })

  it('reads little of an answer that never ends', async () => {
    let sent = 0
    const endless = () =>
      new ReadableStream({
        pull(controller) {
          sent += 10_000
          if (sent > 10_000_000) controller.error(new Error('too much was read'))
          else controller.enqueue(new Uint8Array(10_000).fill(97))
        },
      })
    const findings = await look({ fetch: async () => new Response(endless(), { headers: { date: new Date().toUTCString() } }) })
    assert.deepEqual([find(findings, 'address').state, find(findings, 'keys').state], ['good', 'bad'])
    assert.ok(sent < 2_000_000, `${sent} bytes`)
  })

  it('sees a clock that is off, either way, from the answers of the service', async () => {
    const at = (offMs: number) => async () => find(await look({ now: () => Date.now() + offMs }), 'clock')
    assert.deepEqual([(await at(300_000)()).state, (await at(-300_000)()).state], ['bad', 'bad'])
    assert.match((await at(-300_000)()).text, /300 s behind|299 s behind|301 s behind/)
    assert.equal((await at(30_000)()).state, 'doubtful')
    assert.equal((await at(2_000)()).state, 'good')
  })

  it('notices that the service goes by another name', async () => {
    const findings = await look({
      url: started().url.replace('localhost', '127.0.0.1'),
      fetch: (input, init) => fetch(String(input).replace('127.0.0.1', 'localhost'), init),
    })
    assert.equal(find(findings, 'issuer').state, 'bad')
    assert.ok(find(findings, 'issuer').fix?.includes(started().url))
  })

  it('warns an internal app that lies outside of the internal domain, and one on plain http', async () => {
    const uri = 'https://painel.example/auth/callback'
    const { apiKey } = await started().product({ slug: 'longe', uris: [uri] })
    const findings = await look({ appUrl: 'https://painel.example' })
    assert.equal(find(findings, 'cookies').state, 'doubtful')
    assert.match(
      find(findings, 'cookies').fix ?? '',
      /PORTARIA_PUBLISHABLE_KEY.*--add-trusted-uri https:\/\/painel\.example\/auth\/callback$/,
    )
    const withKey = () => look({ appUrl: 'https://painel.example', apiKey })
    assert.equal(find(await withKey(), 'cookies').state, 'bad', 'then it is known that the callback is not trusted')
    await changeProduct('longe', { addUris: [{ uri, trusted: true }] }, { ...started().context, actor: 'operator:test' })
    assert.equal(find(await withKey(), 'cookies').state, 'good')
    assert.equal(find(findings, 'callback').state, 'good')
    assert.equal(find(await look({ appUrl: 'http://painel.example' }), 'https').state, 'doubtful')
  })

  it('warns where what is sent to Portaria goes over plain http to another machine, the secret key above all', async () => {
    const fetchHere: typeof fetch = (input, init) => fetch(String(input).replace('http://sso.interno', started().url), init)
    const over = async (url: string, apiKey = '') =>
      (await look({ url, apiKey, fetch: fetchHere })).filter(({ about }) => about === 'https')
    const [warned, ...more] = await over('http://sso.interno', KNOWN_TO_NOBODY)
    assert.deepEqual([warned?.state, more], ['doubtful', []])
    assert.match(`${warned?.text} ${warned?.fix}`, /http:\/\/sso\.interno is plain http.*the secret key and the sessions/)
    assert.ok(!JSON.stringify(warned).includes(KNOWN_TO_NOBODY))
    assert.match((await over('http://sso.interno'))[0]?.fix ?? '', /read the sessions/)
    for (const url of [started().url, 'http://127.0.0.1:9', 'http://[::1]:9', 'http://sso.localhost:9', 'https://sso.example'])
      assert.deepEqual(await over(url, KNOWN_TO_NOBODY), [], url)
  })
})

describe('The doctor before something that is not Portaria', () => {
  let server: Server
  let url: string
  let answer: { status: number; type: string; body: string }
  before(async () => {
    server = createServer((_request, response) => response.writeHead(answer.status, { 'content-type': answer.type }).end(answer.body))
    await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve))
    const address = server.address()
    url = `http://localhost:${typeof address === 'object' ? address?.port : ''}`
  })
  after(() => server.close())

  it('says so, whatever it answers', async () => {
    for (const [status, body, about] of [
      [200, '<h1>Welcome to nginx</h1>', 'keys'],
      [502, '<h1>Bad gateway</h1>', 'address'],
      [301, '', 'address'],
    ] as const) {
      answer = { status, type: 'text/html', body }
      assert.equal(find(await examine({ url, appUrl: APP }, {}), about).state, 'bad', `${status}`)
    }
  })

  it('says why nobody answers', async () => {
    const refused = find(await examine({ url: 'http://localhost:59999', appUrl: APP }, {}), 'address')
    assert.match(refused.text, /does not answer: .*ECONNREFUSED/)
    const unknown = find(await examine({ url: 'http://sso.invalid', appUrl: APP }, {}), 'address')
    assert.match(unknown.text, /does not answer: .*(ENOTFOUND|EAI_AGAIN)/)
  })
})

describe('npx portaria-client', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'portaria-client-'))
  after(() => rmSync(folder, { recursive: true, force: true }))
  const run = (args: string[], environment: Record<string, string> = {}) =>
    new Promise<{ code: number; output: string }>((resolve) => {
      const env = { PATH: process.env.PATH ?? '', ...environment }
      execFile(process.execPath, [BIN, ...args], { cwd: folder, env }, (error, stdout, stderr) => {
        resolve({ code: typeof error?.code === 'number' ? error.code : 0, output: stdout + stderr })
      })
    })

  it('explains itself, and refuses what it does not know', async () => {
    const help = await run(['--help'])
    assert.equal(help.code, 0)
    assert.match(help.output, /^Usage: portaria-client doctor/)
    for (const args of [[], ['doctors'], ['doctor', '--api-key', 'sk_x']]) assert.equal((await run(args)).code, 2, args.join(' '))
  })

  it('reads .env, prints one line a finding with its fix, and ends with 1 where something is bad', async () => {
    writeFileSync(path.join(folder, '.env'), 'PORTARIA_URL=http://localhost:59999\nPORTARIA_APP_URL=http://localhost:4701\n')
    const { code, output } = await run(['doctor'])
    assert.equal(code, 1)
    assert.match(output, /^✔ settings .*\n✖ address {3}http:\/\/localhost:59999 does not answer: .*\n +→ /m)
    const json = await run(['doctor', '--json'], { PORTARIA_URL: 'http://localhost:59998' })
    const findings: Finding[] = JSON.parse(json.output)
    assert.match(find(findings, 'address').text, /localhost:59998/, 'the environment wins over the file')
  })

  it('prints nothing of what the other side says that would move a terminal', async () => {
    const server = createServer(({ url }, response) => {
      const body = url?.startsWith('/auth/login') ? { error: 'red\u001b[31m\u009b2J\u202e\r\nall ✔' } : { keys: [1] }
      response
        .writeHead(200 + Number(url?.startsWith('/auth/login')) * 200, { 'content-type': 'application/json' })
        .end(JSON.stringify(body))
    })
    await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve))
    const address = server.address()
    const environment = { PORTARIA_URL: `http://localhost:${typeof address === 'object' ? address?.port : ''}`, PORTARIA_APP_URL: APP }
    try {
      for (const args of [['doctor'], ['doctor', '--json']]) {
        const { output } = await run(args, environment)
        assert.match(output, /the login answers 400 red\[31m2Jall ✔/)
        assert.doesNotMatch(output.replaceAll('\n', ''), /\p{C}/u)
      }
    } finally {
      server.close()
    }
  })

  it('passes by a folder that is named as its file', async () => {
    rmSync(path.join(folder, '.env'), { force: true })
    mkdirSync(path.join(folder, '.env'))
    const { code, output } = await run(['doctor'])
    assert.deepEqual([code, /✖ settings {2}PORTARIA_URL is missing/.test(output)], [1, true], output)
  })
})
