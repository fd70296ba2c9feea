import assert from 'node:assert/strict'
import { before, it } from 'node:test'
import fc from 'fast-check'
import { setUser } from '../../../src/admin/index.ts'
import { changeProduct, createProduct } from '../../../src/products/index.ts'
import type { Browser } from '../../support/browser.ts'
import { oneDatabase } from '../../support/databases.ts'
import { request } from '../../support/routes/raw-requests.ts'
import { BACKSLASHES, MALFORMED, REGEXES, SCRIPTS, SUFFIXES, TRICKS, USERINFO } from '../../support/routes/redirect-tricks.ts'
import { startForSuite } from '../../support/service.ts'
import { assertRefused, enter, INTERNAL, loginAddress, pass, signedIn } from '../../support/users/sign-in-steps.ts'

const APP = 'https://app.ok.example/cb'
const REGISTERED = [APP, 'https://foo.ok.example/cb?tenant=7', INTERNAL]

/** Every way in which an address is presented: both variants, signed out and in, with and without a key. */
async function assertRefusedEverywhere(browsers: Browser[], uri: string, publishableKey: string): Promise<void> {
  for (const browser of browsers) {
    const key = { api_key: publishableKey }
    const answers = [
      [await browser.get(loginAddress({ redirect_to: uri, state: 's' }), { accept: '*/*' }), 'redirect_to nao autorizado'],
      [await browser.get(loginAddress({ redirect_uri: uri, state: 's' }), { accept: '*/*' }), 'redirect_uri nao autorizado'],
      [await browser.get(loginAddress({ redirect_to: uri, ...key }), { accept: '*/*' }), 'redirect_to nao autorizado'],
    ] as const
    for (const [answer, error] of answers) {
      assertRefused(answer, 400, error)
      assert.equal(answer.location, undefined)
      assert.equal(answer.headers.get('refresh'), null)
      assert.deepEqual(answer.headers.getSetCookie(), [])
    }
  }
}

oneDatabase('A redirect', (database) => {
  const suite = startForSuite(database)
  let browsers: Browser[]
  let key: string
  before(async () => {
    const service = suite()
    const made = await service.product({ slug: 'app', uris: REGISTERED })
    key = made.product.publishableKey
    await service.user('ana@exemplo.com.br')
    browsers = [service.browser(), await signedIn(service, 'ana@exemplo.com.br')]
  })

  const classes = [
    ['1 (redirect bypass by userinfo)', USERINFO],
    ['3 (path and case tricks)', TRICKS],
    ['4 (backslash, double decode)', BACKSLASHES],
    ['5 (regex redirect)', REGEXES],
    ['6 (sub-domain suffix match, malformed addresses)', [...SUFFIXES, ...MALFORMED]],
    ['7 (script schemes)', SCRIPTS],
  ] as const
  for (const [name, uris] of classes) {
    it(`${name}: is refused with 400 and goes nowhere unless its bytes are registered`, async () => {
      for (const uri of uris) await assertRefusedEverywhere(browsers, uri, key)
    })
  }

  it('3: goes nowhere for any small change of a registered address, and to exactly its bytes otherwise', async () => {
    const piece = fc.constantFrom(
      '',
      '/',
      '\\',
      '@',
      ':',
      '.',
      '#',
      '?',
      '%2e',
      '%00',
      '\t',
      ' ',
      'evil.example',
      ';',
      'A',
      'é',
      '*',
      '\u202e',
      '%',
      '&',
    )
    const change = fc.tuple(fc.constantFrom(...REGISTERED), fc.nat(40), fc.nat(2), piece)
    await fc.assert(
      fc.asyncProperty(change, fc.constantFrom('redirect_to', 'redirect_uri'), fc.nat(1), async ([uri, at, gone, added], name, who) => {
        const changed = uri.slice(0, at) + added + uri.slice(at + gone)
        const answer = await browsers[who]?.get(loginAddress({ [name]: changed }), { accept: '*/*' })
        if (REGISTERED.includes(changed)) assert.ok(answer && answer.status < 400)
        else assertRefused(answer ?? assert.fail(), 400, `${name} nao autorizado`)
      }),
      { numRuns: 120, seed: 1 },
    )
  })

  it('2 (check skipped on a silent path): is checked again when the user is signed in already, and leads to the registered bytes', async () => {
    const [, signed = assert.fail()] = browsers
    for (const uri of REGISTERED) {
      const left = await pass(signed, { redirect_to: uri, state: 'x y&z=1#' })
      const glue = uri.includes('?') ? '&' : '?'
      assert.ok(left.href.startsWith(uri + glue), left.href)
      assert.equal(left.searchParams.get('state'), 'x y&z=1#')
    }
  })

  it('2: gives a token to no address that is off the domain and not registered as trusted', async () => {
    const service = suite()
    for (const uri of [APP, 'https://foo.ok.example/cb?tenant=7']) {
      const left = await enter(service.browser(), 'ana@exemplo.com.br', { redirect_to: uri })
      assert.deepEqual(
        [...left.searchParams.keys()].filter((name) => name.startsWith('eg_')),
        [],
      )
    }
  })

  it('4: is decoded once', async () => {
    for (const path of [
      '/auth/login?redirect_to=https%253A%252F%252Fapp.ok.example%252Fcb',
      '/auth/login?redirect_to=%252f%252fevil.example',
    ]) {
      assert.equal((await request(suite(), 'GET', path)).status, 400)
    }
  })

  it('5, 7: can be registered neither as a pattern nor under a script scheme, at first or later, and nothing is written', async () => {
    const { context } = suite()
    const deps = { ...context, actor: 'operator:test' }
    const input = {
      name: 'x',
      audience: 'internal',
      checkout: 'integrated',
      handoff: 'eg_session',
      scopes: [],
      queryKeyAllowed: true,
    } as const
    const patterns = [
      'https://*.ok.example/cb',
      'https://app.ok.example/*',
      '^https://.*$',
      'https://(app|evil).example/',
      'https://app.ok.example/.*',
    ]
    for (const uri of [...USERINFO, ...BACKSLASHES, ...MALFORMED, ...SCRIPTS, ...patterns]) {
      const redirectUris = [{ uri, trusted: false }]
      const made = await createProduct({ ...input, slug: 'refused', redirectUris }, deps)
      const changed = await changeProduct('app', { addUris: redirectUris }, deps)
      for (const refused of [made, changed]) assert.equal('refusal' in refused && refused.refusal, 'uri_refused', uri)
    }
    assert.equal(await context.storage.db.selectFrom('products').select('id').where('slug', '=', 'refused').executeTakeFirst(), undefined)
    const uris = await context.storage.db.selectFrom('redirect_uris').select('uri').execute()
    assert.deepEqual(uris.map(({ uri }) => uri).sort(), [...REGISTERED].sort())
  })

  it("7: a user's picture is an https address and nothing else", async () => {
    const service = suite()
    const user = await service.user('pic@exemplo.com.br')
    const whole = await import('../../../src/users/index.ts').then(({ userStore }) =>
      userStore(service.context.storage.db).findById(user.id),
    )
    for (const avatarUrl of [
      ...SCRIPTS,
      'http://img.example/a.png',
      '//img.example/a.png',
      'https://img.example/a b',
      'https://',
      '/a.png',
    ]) {
      const changed = await setUser(whole ?? assert.fail(), { avatarUrl }, { ...service.context, actor: 'operator:test' })
      assert.equal('refusal' in changed && changed.refusal, 'avatar_malformed', avatarUrl)
    }
  })

  it('40 (open redirect at sign-out): leads to origins of ours alone, whatever is asked for', async () => {
    const service = suite()
    const origins = new Set([...REGISTERED.map((uri) => new URL(uri).origin)])
    const isOurs = (url: URL) => origins.has(url.origin) || url.hostname === 'localhost'
    const piece = fc.constantFrom(
      'https:',
      'http:',
      'javascript:',
      '//',
      '/',
      '\\',
      '@',
      ':',
      '.',
      '#',
      '?',
      '%2f',
      '%00',
      '\t',
      '\r\n',
      ' ',
      'localhost',
    )
    const host = fc.constantFrom(
      'app.ok.example',
      'evil.example',
      'localhost',
      'x.localhost',
      '443',
      '[::1]',
      'app.ok.example.',
      '127.0.0.1',
    )
    const text = fc.array(fc.oneof(piece, host), { maxLength: 7 }).map((pieces) => pieces.join(''))
    const known = [...USERINFO, ...TRICKS, ...BACKSLASHES, ...SUFFIXES, ...MALFORMED, ...SCRIPTS, ...REGISTERED].map(
      (uri) => [uri] as [string],
    )
    await fc.assert(
      fc.asyncProperty(text, async (wanted) => {
        const answer = await service.browser().get(`/auth/signout?${new URLSearchParams({ redirect_to: wanted })}`)
        const location = answer.headers.get('location')
        if (location === null) return assert.equal(answer.status, 200)
        assert.match(location, /^https?:\/\/[a-z0-9.:[\]-]+\/[\x21-\x7e]*$/)
        assert.ok(isOurs(new URL(location)), location)
      }),
      { numRuns: 250, seed: 2, examples: known },
    )
    const twice = await service.browser().get('/auth/signout?redirect_to=https://app.ok.example/&redirect_to=https://evil.example/')
    assert.equal(twice.location, undefined)
  })

  it("2, 4: the language switch and the splash never lead off the service, whatever the page's own address is", async () => {
    const service = suite()
    const paths = [
      '//evil.example',
      '/\\evil.example',
      '///evil.example/%2f..',
      '/.//evil.example',
      'http://evil.example/x',
      '/;//evil.example',
      '/%09/evil.example',
    ]
    for (const path of paths) {
      const { status, head, body } = await request(service, 'GET', path, { headers: { accept: 'text/html' } })
      assert.equal(status, 404, path)
      assert.doesNotMatch(head, /^(location|refresh):/im)
      for (const [, link = ''] of body.matchAll(/(?:href|action|src)="([^"]*)"/g)) {
        const plain = link.replaceAll('&#61;', '=').replaceAll('&#38;', '&')
        assert.equal(new URL(plain, service.url).origin, service.url, `${path}: ${link}`)
      }
    }
  })
})
