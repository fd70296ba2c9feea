import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { parseDocumentAddress, readDocument } from './client-document.ts'

const production = { isDevelopment: false }
const ADDRESS = 'https://tools.example/clients/cli.json'

describe('The client id of a client that describes itself', () => {
  it('is an https address with a path and a name, in its only form', () => {
    for (const id of [ADDRESS, 'https://tools.example/c', 'https://tools.example:8443/c.json', 'https://xn--bcher-kva.example/c'])
      assert.equal(parseDocumentAddress(id, production)?.href, id)
  })

  for (const id of [
    'pk_123',
    '',
    'https://',
    'https://tools.example',
    'https://tools.example/',
    'http://tools.example/c',
    'http://127.0.0.1:4000/c',
    'ftp://tools.example/c',
    'https://user@tools.example/c',
    'https://user:secret@tools.example/c',
    'https://tools.example/c#part',
    'https://tools.example/c#',
    'https://tools.example/c?x=1',
    'https://tools.example/c?',
    'https://tools.example/a/../c',
    'https://tools.example/a/./c',
    'https://tools.example/a/%2e%2e/c',
    'https://tools.example/a\\c',
    'https://tools.example/a c',
    ' https://tools.example/c',
    'https://tools.example/c\n',
    'HTTPS://tools.example/c',
    'https://Tools.example/c',
    'https://tools.example:443/c',
    'https://tools.example./c',
    'https://bücher.example/c',
    'https:tools.example/c',
    'https:///tools.example/c',
    'https://tools/c',
    'https://localhost/c',
    'https://127.0.0.1/c',
    'https://2130706433/c',
    'https://0x7f.1/c',
    'https://[::1]/c',
    'https://[::ffff:a9fe:a9fe]/c',
    'https://169.254.169.254/latest/meta-data',
    `https://tools.example/${'x'.repeat(500)}`,
  ])
    it(`is not ${JSON.stringify(id.slice(0, 60))}`, () => assert.equal(parseDocumentAddress(id, production), undefined))

  it('may be a loopback address over http in development alone', () => {
    assert.ok(parseDocumentAddress('http://127.0.0.1:4000/c', { isDevelopment: true }))
    assert.equal(parseDocumentAddress('http://10.0.0.1/c', { isDevelopment: true }), undefined)
  })
})

describe('The description of a client', () => {
  const usual = {
    client_id: ADDRESS,
    client_name: 'A tool',
    redirect_uris: ['https://tools.example/callback', 'http://127.0.0.1/callback'],
    token_endpoint_auth_method: 'none',
    grant_types: ['authorization_code', 'refresh_token'],
  }
  const read = (change: object) => readDocument(JSON.stringify({ ...usual, ...change }), new URL(ADDRESS))

  it('has a name and redirect URIs', () => {
    assert.deepEqual(read({}), { name: 'A tool', redirectUris: usual.redirect_uris })
    assert.deepEqual(read({ client_name: undefined, whatever: 1 }), { name: undefined, redirectUris: usual.redirect_uris })
  })

  it('keeps the redirect URIs of its own origin and of loopback hosts, in their only form', () => {
    const refused = [
      'https://other.example/callback',
      'https://tools.example.evil.example/callback',
      'https://tools.example:8443/callback',
      'http://tools.example/callback',
      'https://user@tools.example/callback',
      'https://tools.example/a/../callback',
      'https://TOOLS.example/callback',
      'https://tools.example/callback#',
      'http://127.0.0.1.evil.example/callback',
      'http://localhost.evil.example/callback',
      'https://localhost/callback',
      'http://0.0.0.0/callback',
      'http://10.0.0.1/callback',
      'com.example.app:/callback',
      'javascript:alert(1)',
      'data:text/html,x',
      '//tools.example/callback',
      '',
    ]
    const allowed = ['https://tools.example/callback?x=1', 'http://localhost:33418/', 'http://[::1]/callback']
    const found = read({ redirect_uris: [...allowed, ...refused.slice(0, 17)] })
    assert.deepEqual('redirectUris' in found && found.redirectUris, allowed)
    for (const uri of refused) assert.deepEqual(read({ redirect_uris: [uri] }), { refusal: 'no_redirect_uri' }, uri)
  })

  it('is refused with another client id, a secret, or another way to show who it is', () => {
    for (const id of [`${ADDRESS}/`, ADDRESS.toUpperCase(), `${ADDRESS}?x`, 'https://other.example/c'])
      assert.deepEqual(read({ client_id: id }), { refusal: 'other_client' })
    for (const change of [
      { token_endpoint_auth_method: 'client_secret_basic' },
      { token_endpoint_auth_method: 'client_secret_post' },
      { token_endpoint_auth_method: 'private_key_jwt' },
      // RFC 7591 §2: the absent method is client_secret_basic.
      { token_endpoint_auth_method: undefined },
      { client_secret: 'x' },
      { client_secret: null },
      { client_secret_expires_at: 0 },
    ])
      assert.deepEqual(read(change), { refusal: 'has_secret' }, JSON.stringify(change))
  })

  it('is refused where it is none', () => {
    for (const text of ['', 'null', '[]', '"x"', '{', '{}', '<html></html>'])
      assert.ok('refusal' in readDocument(text, new URL(ADDRESS)), text)
    for (const change of [
      { redirect_uris: [] },
      { redirect_uris: 'https://tools.example/callback' },
      { redirect_uris: [1] },
      { redirect_uris: Array.from({ length: 21 }, (_, n) => `https://tools.example/${n}`) },
      { client_name: 7 },
      { client_id: undefined },
      { grant_types: ['implicit'] },
      { response_types: ['token'] },
    ])
      assert.deepEqual(read(change), { refusal: 'no_document' }, JSON.stringify(change))
  })

  it('calls itself by a short line of plain text', () => {
    const nameOf = (name: string) => {
      const found = read({ client_name: name })
      return 'name' in found ? found.name : assert.fail(found.refusal)
    }
    assert.equal(nameOf('  A\u202E tool\u0000\n of\u200B mine '), 'A tool of mine')
    assert.equal(nameOf('\u200B \n'), undefined)
    assert.equal([...(nameOf('😀'.repeat(500)) ?? '')].length, 60)
  })
})
