import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { type IncomingMessage, request } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { after, describe, it } from 'node:test'
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib'
import type { FastifyInstance } from 'fastify'
import { consoleRoutes, createLogger, createMetrics, createResponses, createServer, securityHeaders } from '../../../src/http/index.ts'
import { createAdmission } from '../../../src/rate-limits/index.ts'
import { startForSuite } from '../../support/service.ts'

const SCRIPT = 'console.log("the console")\n'.repeat(40)
const PAGE =
  '<!doctype html>\n<html lang="pt-BR">\n<meta property="csp-nonce" nonce="__NONCE__">\n<script type="module" nonce="__NONCE__" src="/admin/assets/main-abc.js"></script>\n'

describe('The console', () => {
  const folder = makeBuild()
  const app = serve(folder)
  after(async () => {
    await app.close()
    rmSync(folder, { recursive: true, force: true })
  })
  const get = (url: string, headers: Record<string, string> = {}) => app.inject({ method: 'GET', url, headers })

  it('is one page at every address below /admin, since its paths are its own', async () => {
    for (const url of ['/admin', '/admin/', '/admin/users', '/admin/users/0199c2b4?tab=sessions']) {
      const { statusCode, headers, body } = await get(url)
      assert.equal(statusCode, 200, url)
      assert.equal(headers['content-type'], 'text/html; charset=utf-8')
      assert.match(body, /<script type="module" nonce="[\w-]{22}" src="\/admin\/assets\/main-abc\.js">/)
    }
  })

  it('lets in its own scripts, and styles that carry the nonce of that very answer, and speaks with nobody else', async () => {
    const responses = await Promise.all([get('/admin'), get('/admin')])
    const nonces = responses.map(({ body, headers }) => {
      const nonce = /csp-nonce" nonce="([\w-]{22})"/.exec(body)?.[1]
      assert.equal(
        headers['content-security-policy'],
        `default-src 'none'; script-src 'self'; style-src 'self' 'nonce-${nonce}'; img-src 'self' data:; connect-src 'self'; font-src 'self'; frame-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
      )
      assert.equal(headers['cache-control'], 'no-store')
      assert.equal(headers['x-content-type-options'], 'nosniff')
      assert.equal(headers['x-frame-options'], 'DENY')
      assert.doesNotMatch(body, /__NONCE__/)
      return nonce
    })
    assert.notEqual(nonces[0], nonces[1])
  })

  it('is in the language that the service would answer in, and remembers the one that is picked', async () => {
    assert.match((await get('/admin', { 'accept-language': 'es-MX' })).body, /<html lang="es">/)
    assert.match((await get('/admin', { cookie: 'portaria_lang=en', 'accept-language': 'es' })).body, /<html lang="en">/)
    const picked = await get('/admin/?lang=es')
    assert.match(picked.body, /<html lang="es">/)
    assert.match(String(picked.headers['set-cookie']), /^portaria_lang=es; Path=\/;/)
  })

  it('has from its first frame the look that its user chose, and nothing else of a cookie', async () => {
    assert.match((await get('/admin', { cookie: 'portaria_theme=dark' })).body, /<html lang="pt-BR" data-theme="dark">/)
    assert.match((await get('/admin', { cookie: 'portaria_theme=light' })).body, /<html lang="pt-BR" data-theme="light">/)
    assert.match((await get('/admin', { cookie: 'portaria_theme=dark"onload=' })).body, /<html lang="pt-BR">/)
    assert.match((await get('/admin')).body, /<html lang="pt-BR">/)
  })

  it('has files that browsers keep for ever, and that are not sent again to who asks anew', async () => {
    const { statusCode, headers, body } = await get('/admin/assets/main-abc.js')
    assert.equal(statusCode, 200)
    assert.equal(body, SCRIPT)
    assert.equal(headers['content-type'], 'text/javascript; charset=utf-8')
    assert.equal(headers['cache-control'], 'public, max-age=31536000, immutable')
    assert.equal(headers['x-content-type-options'], 'nosniff')
    assert.equal(headers.vary, 'Accept-Encoding')
    assert.equal(headers['content-encoding'], undefined)
    const again = await get('/admin/assets/main-abc.js', { 'if-none-match': String(headers.etag) })
    assert.equal(again.statusCode, 304)
    assert.equal(again.body, '')
  })

  it('sends files as the build compressed them, to who takes that', async () => {
    for (const [accepted, encoding] of [
      ['gzip, deflate, br', 'br'],
      ['BR;q=1.0', 'br'],
      ['gzip', 'gzip'],
      ['gzip, br;q=0', 'gzip'],
      ['br;q=0, gzip;q=0.000', undefined],
      ['deflate, zstd', undefined],
      ['', undefined],
    ] as const) {
      const { headers, rawPayload } = await get('/admin/assets/main-abc.js', { 'accept-encoding': accepted })
      assert.equal(headers['content-encoding'], encoding, accepted)
      const bytes = encoding === 'br' ? brotliDecompressSync(rawPayload) : encoding === 'gzip' ? gunzipSync(rawPayload) : rawPayload
      assert.equal(bytes.toString(), SCRIPT)
      const etag = String(headers.etag)
      const other = encoding === 'br' ? 'gzip' : 'br'
      const unchanged = await get('/admin/assets/main-abc.js', { 'accept-encoding': accepted, 'if-none-match': etag })
      assert.equal(unchanged.statusCode, 304)
      assert.notEqual((await get('/admin/assets/main-abc.js', { 'accept-encoding': other })).headers.etag, etag)
    }
  })

  it('gives out what was built and nothing else', async () => {
    await app.listen({ port: 0, host: '127.0.0.1' })
    for (const name of [
      'main-abc.js.br',
      'notes.txt',
      'none.js',
      '',
      '..%2Findex.html',
      '..%2f..%2fpackage.json',
      '%2e%2e/secret.js',
      '../secret.js',
      '/secret.js',
      'sub/main-abc.js',
      'main-abc.js%00',
      '__proto__',
      'constructor',
    ]) {
      const { status, body } = await getAsWritten(app, `/admin/assets/${name}`)
      assert.equal(status, 404, name)
      assert.equal(body, '{"error":"Recurso nao encontrado"}', name)
    }
  })

  it('answers HEAD like GET without its body, and no other method', async () => {
    for (const url of ['/admin', '/admin/users', '/admin/assets/main-abc.js']) {
      const head = await app.inject({ method: 'HEAD', url })
      assert.equal(head.statusCode, 200, url)
      assert.equal(head.body, '')
    }
    for (const method of ['POST', 'PUT', 'DELETE'] as const) {
      const { statusCode, headers } = await app.inject({ method, url: '/admin' })
      assert.equal(statusCode, 405)
      assert.equal(headers.allow, 'GET, HEAD')
    }
  })

  it('says what to run where it was not built, and is there as soon as it is', async () => {
    const empty = mkdtempSync(path.join(tmpdir(), 'portaria-console-'))
    const unbuilt = serve(empty)
    const page = await unbuilt.inject({ url: '/admin/users', headers: { accept: 'text/html', 'accept-language': 'en' } })
    assert.equal(page.statusCode, 503)
    assert.match(page.body, /npm run build/)
    assert.equal((await unbuilt.inject({ url: '/admin/assets/main-abc.js' })).statusCode, 404)
    fill(empty)
    assert.equal((await unbuilt.inject({ url: '/admin/users' })).statusCode, 200)
    rmSync(empty, { recursive: true, force: true })
  })
})

describe('The console of a running service', () => {
  const service = startForSuite({ name: 'sqlite', fresh: inMemory, empty: inMemory })

  it('names no other host, in its page or its policy', async () => {
    const answer = await fetch(`${service().url}/admin/products`)
    assert.equal(answer.status, 200)
    const page = await answer.text()
    assert.doesNotMatch(page, /(?:https?:)?\/\/\w/)
    assert.doesNotMatch(answer.headers.get('content-security-policy') ?? '', /https?:|\*|unsafe/)
    const addresses = [...page.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address]) => address ?? '')
    assert.ok(addresses.length >= 2)
    for (const address of addresses) {
      assert.match(address, /^\/admin\/assets\/[\w.-]+$/)
      assert.equal((await fetch(`${service().url}${address}`)).status, 200, address)
    }
  })
})

async function inMemory(): Promise<{ url: string }> {
  return { url: 'sqlite::memory:' }
}

function serve(folder: string): FastifyInstance {
  const headers = securityHeaders({ https: false })
  const responses = createResponses(headers, { https: false })
  const app = createServer({
    trustProxy: undefined,
    admission: createAdmission(),
    responses,
    logger: createLogger('silent'),
    metrics: createMetrics(),
    findImpersonation: async () => undefined,
  })
  consoleRoutes(app, { responses, headers, folder })
  return app
}

/** `inject` and `fetch` would tidy the address up first. */
async function getAsWritten(app: FastifyInstance, address: string): Promise<{ status: number | undefined; body: string }> {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    request({ host: '127.0.0.1', port: portOf(app), path: address }, resolve)
      .on('error', reject)
      .end()
  })
  return { status: response.statusCode, body: await text(response) }
}

function portOf(app: FastifyInstance): number | undefined {
  const [address] = app.addresses()
  return typeof address === 'object' ? address.port : undefined
}

function makeBuild(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'portaria-console-'))
  fill(folder)
  return folder
}

function fill(folder: string): void {
  const assets = path.join(folder, 'assets')
  mkdirSync(path.join(assets, 'sub'), { recursive: true })
  writeFileSync(path.join(folder, 'secret.js'), 'secret')
  writeFileSync(path.join(assets, 'notes.txt'), 'notes')
  writeFileSync(path.join(assets, 'main-abc.js'), SCRIPT)
  writeFileSync(path.join(assets, 'main-abc.js.br'), brotliCompressSync(SCRIPT))
  writeFileSync(path.join(assets, 'main-abc.js.gz'), gzipSync(SCRIPT))
  writeFileSync(path.join(folder, 'index.html'), PAGE)
}
