import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { isSlug, slugOf, suggestSlug } from './draft.ts'
import { appUrlOf, envLines, installCommand, tryingUri, withCallback } from './lines.ts'

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

describe('The lines to paste', () => {
  const keys = { publishable_key: 'pk_1', api_key: 'sk_1' }
  it('of an external app have both keys, those of an internal one none', () => {
    const common = ['PORTARIA_URL=https://p.example', 'PORTARIA_APP_URL=https://app.example']
    const uri = 'https://app.example/auth/callback'
    assert.deepEqual(envLines({ ...keys, audience: 'internal', uri }, 'https://p.example').split('\n'), common)
    assert.deepEqual(envLines({ ...keys, audience: 'external', uri }, 'https://p.example').split('\n'), [
      ...common,
      'PORTARIA_PUBLISHABLE_KEY=pk_1',
      'PORTARIA_API_KEY=sk_1',
    ])
  })

  it('name the app by its address, with its path where it lies below one', () => {
    assert.equal(appUrlOf('https://app.example/auth/callback'), 'https://app.example')
    assert.equal(appUrlOf('https://app.example/shop/auth/callback'), 'https://app.example/shop')
    assert.equal(appUrlOf('https://app.example/voltar?x=1'), 'https://app.example')
  })

  it('N9: offer for a bare address the path where the client answers, and leave every other as it is', () => {
    assert.equal(withCallback('http://127.0.0.1:4002/'), 'http://127.0.0.1:4002/auth/callback')
    for (const uri of ['https://app.example/shop', 'https://app.example/?a=1', 'https://app.example/auth/callback'])
      assert.equal(withCallback(uri), uri)
  })

  it('N6: install the client from the service that is looked at', () => {
    assert.equal(installCommand('https://sso.example.com'), 'npm install express https://sso.example.com/client/portaria-client.tgz')
  })

  it('suggest for trying another host than the service has, as browsers keep cookies by host', () => {
    assert.equal(tryingUri('localhost'), 'http://127.0.0.1:4004/auth/callback')
    assert.equal(tryingUri('127.0.0.1'), 'http://localhost:4004/auth/callback')
  })
})
