import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, describe, it } from 'node:test'
import fc from 'fast-check'
import { type Config, type Environment, readConfig } from '../src/config.ts'

const KEY = Buffer.alloc(32, 9).toString('base64')

async function faults(environment: Environment): Promise<string[]> {
  const read = await readConfig(environment)
  return 'faults' in read ? read.faults.map(({ variable }) => variable).sort() : []
}

async function config(environment: Environment): Promise<Config> {
  const read = await readConfig(environment)
  if ('faults' in read) assert.fail(JSON.stringify(read.faults))
  return read.config
}

describe('The configuration', () => {
  it('needs no variable at all', async () => {
    const plain = await config({})
    assert.equal(plain.port, 3000)
    assert.equal(plain.host, '127.0.0.1')
    assert.equal(plain.baseUrl, 'http://localhost:3000')
    assert.deepEqual(plain.database, { dialect: 'sqlite', file: './data/portaria.db' })
    assert.equal(plain.accessTokenSeconds, 3600)
    assert.equal(plain.logLevel, 'info')
    assert.equal(plain.masterKey, undefined)
    assert.deepEqual(plain.experiments, [])
    assert.ok(Object.isFrozen(plain))
  })

  it('reads every variable, and takes an empty one for absent', async () => {
    const full = await config({
      PORT: '8080',
      HOST: '0.0.0.0',
      PORTARIA_URL: 'https://sso.exemplo.com.br/',
      PORTARIA_COOKIE_DOMAIN: '.Exemplo.com.br',
      DATABASE_URL: 'postgres://portaria:senha@db:5432/portaria',
      PORTARIA_MASTER_KEY: KEY,
      PORTARIA_MASTER_KEY_PREVIOUS: Buffer.alloc(32, 8).toString('base64'),
      PORTARIA_WEBHOOK_SECRET: '0123456789abcdef, fedcba9876543210',
      PORTARIA_ACCESS_TOKEN_TTL: '600',
      PORTARIA_SMTP_URL: 'smtps://u:p@mail.exemplo.com.br:465',
      PORTARIA_MAIL_FROM: 'portaria@exemplo.com.br',
      PORTARIA_TRUST_PROXY: '10.0.0.0/8, 192.0.2.1',
      PORTARIA_ALLOW_PRIVATE: '10.1.0.0/16',
      PORTARIA_METRICS_PORT: '9464',
      PORTARIA_LOG_LEVEL: 'warn',
      PORTARIA_EXPERIMENTS: ' pagarme ',
      PORTARIA_DATABASE_CONNECTIONS: '25',
      NODE_ENV: 'production',
    })
    assert.equal(full.baseUrl, 'https://sso.exemplo.com.br')
    assert.equal(full.https, true)
    assert.equal(full.cookieDomain, 'exemplo.com.br')
    assert.deepEqual(full.experiments, ['pagarme'])
    assert.deepEqual(full.masterKey, Buffer.alloc(32, 9))
    assert.deepEqual(full.webhookSecrets, ['0123456789abcdef', 'fedcba9876543210'])
    assert.deepEqual(full.trustProxy, ['10.0.0.0/8', '192.0.2.1'])
    assert.equal(full.metricsPort, 9464)
    assert.deepEqual(full.database, { dialect: 'postgres', url: 'postgres://portaria:senha@db:5432/portaria', connections: 25 })
    assert.deepEqual((await config({ PORTARIA_DATABASE_CONNECTIONS: '25' })).database, { dialect: 'sqlite', file: './data/portaria.db' })
    assert.equal(full.production, true)
    const empty = Object.fromEntries(
      ['PORT', 'HOST', 'PORTARIA_URL', 'PORTARIA_TRUST_PROXY', 'DATABASE_URL', 'PORTARIA_MASTER_KEY'].map((name) => [name, '']),
    )
    assert.deepEqual(await config(empty), await config({}))
  })

  it('names every fault at once, one for each variable', async () => {
    const wrong = {
      PORT: '65536',
      PORTARIA_URL: 'sso.exemplo.com.br',
      PORTARIA_COOKIE_DOMAIN: 'outro.com.br',
      DATABASE_URL: 'mysql://db/portaria',
      PORTARIA_MASTER_KEY: 'short',
      PORTARIA_MASTER_KEY_PREVIOUS: 'short',
      PORTARIA_WEBHOOK_SECRET: 'short',
      PORTARIA_ACCESS_TOKEN_TTL: '1h',
      PORTARIA_SMTP_URL: 'mail.exemplo.com.br',
      PORTARIA_TRUST_PROXY: 'all',
      PORTARIA_ALLOW_PRIVATE: '10.0.0.0/33',
      PORTARIA_METRICS_PORT: '-1',
      PORTARIA_LOG_LEVEL: 'loud',
      PORTARIA_EXPERIMENTS: 'pagseguro',
      PORTARIA_SPEED: 'high',
      PORTARIA_DATABASE_CONNECTIONS: '1',
    }
    assert.deepEqual(await faults(wrong), Object.keys(wrong).sort())
  })

  it('says in each fault what was expected, and never what a secret held', async () => {
    const read = await readConfig({
      PORTARIA_MASTER_KEY: 'my-secret-text',
      PORTARIA_WEBHOOK_SECRET: 'tiny-secret',
      DATABASE_URL: 'mysql://u:pw-secret@db/x',
    })
    assert.ok('faults' in read)
    assert.equal(read.faults.length, 3)
    for (const { expects } of read.faults) assert.ok(expects.length > 10 && !/secret-text|tiny|pw-secret/.test(expects), expects)
  })

  it('refuses names that are none of its own, with the one that was perhaps meant', async () => {
    const read = await readConfig({
      PORTARIA_TRUSTPROXY: '1',
      PORTARIA_LOG_LEVEL_FILE: '/etc/level',
      PORTARIA_NONSENSE: '',
      OTHER_NAME: 'x',
    })
    assert.ok('faults' in read)
    assert.deepEqual(read.faults.map(({ variable }) => variable).sort(), [
      'PORTARIA_LOG_LEVEL_FILE',
      'PORTARIA_NONSENSE',
      'PORTARIA_TRUSTPROXY',
    ])
    assert.match(read.faults.find(({ variable }) => variable === 'PORTARIA_TRUSTPROXY')?.expects ?? '', /perhaps PORTARIA_TRUST_PROXY/)
  })

  it('takes the names of experiments that there are, and says which those are', async () => {
    for (const text of ['pagarme', ' pagarme', 'pagarme,pagarme'])
      assert.deepEqual((await config({ PORTARIA_EXPERIMENTS: text })).experiments, ['pagarme'], text)
    assert.deepEqual((await config({ PORTARIA_EXPERIMENTS: '' })).experiments, [])
    for (const text of ['pagarme,pagbank', 'Pagarme', 'pagarme,', ',', 'pagarme pagbank', 'true', 'stripe', 'constructor']) {
      const read = await readConfig({ PORTARIA_EXPERIMENTS: text })
      assert.deepEqual(
        read,
        { faults: [{ variable: 'PORTARIA_EXPERIMENTS', expects: 'names with commas between them; known: pagarme, cimd' }] },
        text,
      )
    }
  })

  it('takes any text for a port or a number of seconds only where it is one', async () => {
    const number = fc.oneof(
      fc.integer({ min: -10, max: 100_000 }).map(String),
      fc.string({ maxLength: 6 }),
      fc.constantFrom('1e3', '0x10', ' 80', '080', '3000.0'),
    )
    await fc.assert(
      fc.asyncProperty(number, async (text) => {
        const isPort = /^\d+$/.test(text) && Number(text) <= 65_535
        assert.deepEqual(await faults({ PORT: text }), isPort || text === '' ? [] : ['PORT'])
        const isLife = /^\d+$/.test(text) && Number(text) >= 60 && Number(text) <= 86_400
        assert.deepEqual(await faults({ PORTARIA_ACCESS_TOKEN_TTL: text }), isLife || text === '' ? [] : ['PORTARIA_ACCESS_TOKEN_TTL'])
      }),
    )
  })

  it('takes only an origin for its own address', async () => {
    for (const url of ['https://sso.exemplo.com.br', 'http://localhost:3000/', 'https://sso.exemplo.com.br:8443']) {
      assert.deepEqual(await faults({ PORTARIA_URL: url }), [], url)
    }
    for (const url of [
      'https://a.com/path',
      'https://a.com?x',
      'https://a.com/#x',
      'https://u:p@a.com',
      'ftp://a.com',
      '//a.com',
      'https://',
    ]) {
      assert.deepEqual(await faults({ PORTARIA_URL: url }), ['PORTARIA_URL'], url)
    }
  })
})

describe('The cookie domain', () => {
  const withDomain = (host: string, domain: string) => faults({ PORTARIA_URL: `https://${host}`, PORTARIA_COOKIE_DOMAIN: domain })

  it("may be the service's host or a domain above it", async () => {
    for (const domain of ['sso.exemplo.com.br', 'exemplo.com.br', '.exemplo.com.br'])
      assert.deepEqual(await withDomain('sso.exemplo.com.br', domain), [], domain)
  })

  it('may be no public suffix, where a cookie would reach strangers', async () => {
    for (const [host, domain] of [
      ['sso.exemplo.com.br', 'com.br'],
      ['sso.exemplo.com.br', 'br'],
      ['exemplo.github.io', 'github.io'],
      ['sso.exemplo.co.uk', 'co.uk'],
      ['exemplo.vercel.app', 'vercel.app'],
    ] as const) {
      assert.deepEqual(await withDomain(host, domain), ['PORTARIA_COOKIE_DOMAIN'], domain)
    }
  })

  it("may be no domain beside the service's own", async () => {
    for (const domain of ['outro.com.br', 'xemplo.com.br', 'app.sso.exemplo.com.br', 'exemplo.com.br.evil.example']) {
      assert.deepEqual(await withDomain('sso.exemplo.com.br', domain), ['PORTARIA_COOKIE_DOMAIN'], domain)
    }
  })
})

describe('A secret in a file', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'portaria-config-'))
  after(() => rmSync(folder, { recursive: true }))
  const file = (name: string, text: string) => {
    writeFileSync(path.join(folder, name), text)
    return path.join(folder, name)
  }

  it('is read from there, without the line end', async () => {
    const read = await config({
      PORTARIA_MASTER_KEY_FILE: file('key', `${KEY}\n`),
      PORTARIA_WEBHOOK_SECRET_FILE: file('webhook', '0123456789abcdef\n'),
      DATABASE_URL_FILE: file('database', 'postgres://u:p@db/portaria\n'),
      PORTARIA_SMTP_URL_FILE: file('smtp', 'smtp://mail:25\n'),
    })
    assert.deepEqual(read.masterKey, Buffer.alloc(32, 9))
    assert.deepEqual(read.webhookSecrets, ['0123456789abcdef'])
    assert.equal(read.database.dialect, 'postgres')
    assert.equal(read.smtpUrl, 'smtp://mail:25')
  })

  it('that is not there, or holds something else, is a fault', async () => {
    assert.deepEqual(await faults({ PORTARIA_MASTER_KEY_FILE: path.join(folder, 'absent') }), ['PORTARIA_MASTER_KEY_FILE'])
    assert.deepEqual(await faults({ PORTARIA_MASTER_KEY_FILE: file('bad', 'text') }), ['PORTARIA_MASTER_KEY'])
  })

  it('beside the same one in the environment is a fault: which counts?', async () => {
    assert.deepEqual(await faults({ PORTARIA_MASTER_KEY_FILE: file('twice', KEY), PORTARIA_MASTER_KEY: KEY }), ['PORTARIA_MASTER_KEY'])
  })

  it('is required with PostgreSQL for the master key, which no node may invent', async () => {
    assert.deepEqual(await faults({ DATABASE_URL: 'postgres://db/portaria' }), ['PORTARIA_MASTER_KEY'])
    assert.deepEqual(await faults({ DATABASE_URL: 'postgres://db/portaria', PORTARIA_MASTER_KEY: KEY }), [])
    assert.deepEqual(await faults({ DATABASE_URL: 'postgres://db/portaria', PORTARIA_MASTER_KEY: 'short' }), ['PORTARIA_MASTER_KEY'])
  })
})
