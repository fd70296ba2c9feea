import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { SNIPPET_DOORS, SNIPPET_KINDS } from '../../../../server/src/products/snippets/snippet-kinds.ts'
import { appFacts, appKinds } from '../doors/app-kinds.ts'
import { emptyDraft, isSlug, productBody, slugOf, suggestSlug, withDoor } from './draft.ts'
import { appUrlOf, tryingUri, withCallback } from './lines.ts'

describe('The name in addresses', () => {
  it('is suggested from the name, and always one that the service takes', () => {
    for (const [name, slug] of [
      ['Clube do Livro & Café', 'clube-do-livro-cafe'],
      ['  Loja  ', 'loja'],
      ['São João 2027!', 'sao-joao-2027'],
      [`${'a'.repeat(63)} b`, 'a'.repeat(63)],
    ] as const) {
      assert.equal(suggestSlug(name), slug)
      assert.ok(isSlug(slug), slug)
    }
    assert.equal(suggestSlug('日本'), '')
  })

  it('stays what somebody typed', () => {
    assert.equal(slugOf({ name: 'Clube', slug: 'meu-clube' }), 'meu-clube')
    assert.equal(slugOf({ name: 'Clube', slug: undefined }), 'clube')
  })
})

describe('The kind of app', () => {
  it('is one that the service has lines for, with the same facts', () => {
    assert.deepEqual(appKinds, SNIPPET_KINDS)
    for (const kind of SNIPPET_KINDS) {
      const { callbackPath, ...door } = { callbackPath: undefined, ...SNIPPET_DOORS[kind] }
      assert.deepEqual(appFacts[kind], { ...door, ...(callbackPath !== undefined && { callbackPath }) }, kind)
    }
  })

  it('decides what is registered: a redirect URI, OpenID Connect with it, or a host', () => {
    const draft = { ...emptyDraft, name: 'Wiki ', uri: 'https://wiki.example/cb', host: 'wiki.example.com' }
    const base = { slug: 'wiki', name: 'Wiki' }
    const external = { ...base, audience: 'external', checkout: 'external', redirect_uris: [{ uri: draft.uri }] }
    assert.deepEqual(productBody(draft), external)
    assert.deepEqual(productBody({ ...draft, kind: 'spa' }), { ...external, openid: { kind: 'browser', pkce: 'required' } })
    assert.deepEqual(productBody(withDoor(draft, 'forward_auth')), {
      ...base,
      audience: 'internal',
      checkout: 'integrated',
      forward_auth: { access: 'signed_in', plans: [], hosts: ['wiki.example.com'] },
    })
  })
})

describe('The addresses', () => {
  it('name the app by its address, with its path where it lies below one', () => {
    assert.equal(appUrlOf('https://app.example/auth/callback'), 'https://app.example')
    assert.equal(appUrlOf('https://app.example/shop/auth/callback'), 'https://app.example/shop')
    assert.equal(appUrlOf('https://app.example/voltar?x=1'), 'https://app.example')
  })

  it('N9: offer for a bare address the path where the client answers, and leave every other as it is', () => {
    assert.equal(withCallback('http://127.0.0.1:4002/'), 'http://127.0.0.1:4002/auth/callback')
    assert.equal(withCallback('https://g.example.com/', '/login/generic_oauth'), 'https://g.example.com/login/generic_oauth')
    for (const uri of ['https://app.example/shop', 'https://app.example/?a=1', 'https://app.example/auth/callback'])
      assert.equal(withCallback(uri), uri)
  })

  it('suggest for trying another host than the service has, as browsers keep cookies by host', () => {
    assert.equal(tryingUri('localhost'), 'http://127.0.0.1:4004/auth/callback')
    assert.equal(tryingUri('127.0.0.1'), 'http://localhost:4004/auth/callback')
  })
})
