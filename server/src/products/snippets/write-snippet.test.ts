import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import type { OpenIdSettings } from '../openid/openid-settings.ts'
import type { Product } from '../product.ts'
import { parseRedirectUri } from '../redirect-uri.ts'
import type { SnippetSettings } from './snippet.ts'
import { SNIPPET_DOORS, SNIPPET_KINDS, type SnippetKind } from './snippet-kinds.ts'
import { snippetKindsOf, writeSnippet } from './write-snippet.ts'

const place = { baseUrl: 'https://sso.example.com', proxyUrl: 'http://127.0.0.1:3000' }
const openid: OpenIdSettings = {
  kind: 'web',
  pkce: 'required',
  idTokenAlg: 'RS256',
  postLogoutUris: [],
  resources: [],
  takesDocuments: false,
  since: 0,
}

function settings(product: Partial<Product> = {}, uri?: string, hosts?: string[]): SnippetSettings {
  const usual = { slug: 'wiki', audience: 'internal', publishableKey: 'pk_…', openid: undefined } as const
  return {
    product: { ...usual, ...product } as Product,
    redirectUris: uri === undefined ? [] : [{ uri, trusted: false }],
    forwardAuth: hosts && { access: 'signed_in', plans: [], hosts },
  }
}

function textOf(kind: SnippetKind, given: SnippetSettings): string {
  const { values, files } = writeSnippet(kind, given, place)
  return [...values.map(({ name, value }) => `${name}: ${value}`), ...files.map(({ lines }) => lines)].join('\n')
}

describe('The lines to paste', () => {
  it('are those of the documents', () => {
    const read = (name: string) => readFileSync(new URL(`../../../../docs/${name}.md`, import.meta.url), 'utf8')
    const [openIdPage, forwardPage] = [read('openid'), read('forward-auth')]
    for (const kind of ['grafana', 'nextcloud'] as const)
      assert.ok(openIdPage.includes(`\n${textOf(kind, settings({ openid }))}\n`), `docs/openid.md has other lines for ${kind}`)
    const [, authjs] = writeSnippet('authjs', settings({ openid }), place).files
    assert.ok(openIdPage.includes(`\n${authjs?.lines}\n`), 'docs/openid.md has other lines for Auth.js')
    const panel = settings({ openid: { ...openid, kind: 'browser' } }, 'https://panel.example.com/callback')
    assert.ok(openIdPage.includes(`\n${textOf('spa', panel)}\n`), 'docs/openid.md has other lines for a single-page app')
    for (const kind of ['wordpress', 'metabase'] as const)
      for (const { name, value } of writeSnippet(kind, settings({ openid }), place).values)
        assert.ok(openIdPage.includes(`| ${name} | \`${value}\` |`), `docs/openid.md lacks ${name} of ${kind}`)
    for (const kind of ['nginx', 'caddy', 'traefik'] as const)
      assert.ok(forwardPage.includes(`\n${textOf(kind, settings({}, undefined, ['wiki.example.com']))}\n`), `forward-auth.md: ${kind}`)
  })

  it('have the product’s own values, and never a secret', () => {
    const given = { publishableKey: 'pk_loja', slug: 'loja', openid }
    for (const kind of SNIPPET_KINDS) {
      const text = textOf(kind, settings(given, 'https://loja.example/x/callback', ['loja.example:8443']))
      if (SNIPPET_DOORS[kind].door === 'forward_auth') assert.match(text, /loja\.example/, kind)
      else if (kind !== 'client') assert.match(text, /pk_loja/, kind)
      if (!['spa', 'native', 'client'].includes(kind) && SNIPPET_DOORS[kind].door === 'openid') assert.match(text, /sk_…/, kind)
      assert.doesNotMatch(text, /sk_[^…]|undefined|example\.com\/(?!openid|api|\.well-known|client)/, kind)
    }
  })

  it('of an app without a server have no secret at all', () => {
    for (const kind of ['spa', 'native'] as const) {
      const app = settings({ openid: { ...openid, kind: kind === 'spa' ? 'browser' : 'native' } }, 'http://127.0.0.1/callback')
      assert.doesNotMatch(textOf(kind, app), /secret|sk_/i)
      assert.match(textOf(kind, app), /redirect_uri: '?http:\/\/127\.0\.0\.1\/callback/)
    }
  })

  it('of our client have both keys outside of the family, and none within', () => {
    const uri = 'https://app.example/shop/auth/callback'
    const env = (audience: Product['audience'], at = uri) =>
      writeSnippet('client', settings({ audience }, at), place).files[0]?.lines.split('\n')
    const common = ['PORTARIA_URL=https://sso.example.com', 'PORTARIA_APP_URL=https://app.example/shop']
    assert.deepEqual(env('internal'), common)
    assert.deepEqual(env('external'), [...common, 'PORTARIA_PUBLISHABLE_KEY=pk_…', 'PORTARIA_API_KEY=sk_…'])
    assert.equal(env('internal', 'https://app.example/voltar?x=1')?.[1], 'PORTARIA_APP_URL=https://app.example')
    assert.match(textOf('client', settings({}, uri)), /npm install express https:\/\/sso\.example\.com\/client\/portaria-client\.tgz/)
  })

  it('match a proxy’s host without its port, which asks with it', () => {
    const wiki = settings({}, undefined, ['wiki.example.com:8443'])
    assert.match(textOf('nginx', wiki), /server_name wiki\.example\.com;[\s\S]*X-Forwarded-Host wiki\.example\.com:8443;/)
    assert.match(textOf('traefik', wiki), /Host\(`wiki\.example\.com`\)/)
    assert.match(textOf('caddy', wiki), /^wiki\.example\.com:8443 \{/)
  })

  it('are offered for what the product has turned on', () => {
    assert.deepEqual(snippetKindsOf(settings()), ['client'])
    assert.deepEqual(snippetKindsOf(settings({}, undefined, [])), ['nginx', 'caddy', 'traefik'])
    assert.deepEqual(snippetKindsOf(settings({ openid: { ...openid, kind: 'browser' } })), ['spa'])
    assert.deepEqual(snippetKindsOf(settings({ openid: { ...openid, kind: 'native' } })), ['native'])
    assert.deepEqual(snippetKindsOf(settings({ openid })), ['openid', 'grafana', 'wordpress', 'nextcloud', 'metabase', 'authjs'])
  })

  it('know callbacks that can be registered', () => {
    for (const kind of SNIPPET_KINDS) {
      const way = SNIPPET_DOORS[kind]
      if (way.door === 'forward_auth' || way.callbackPath === undefined) continue
      const uri = `https://app.example.com${way.callbackPath}`
      assert.deepEqual(parseRedirectUri(uri), { uri })
    }
  })
})
