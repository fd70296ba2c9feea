import assert from 'node:assert/strict'
import { it } from 'node:test'
import fc from 'fast-check'
import { forwardedAddress, isNavigation } from './forwarded-request.ts'

const HOST = { origin: 'https://wiki.example.com' }
const HOME = 'https://wiki.example.com/'

it('The way back keeps path and query, and whatever the path says it stays on the registered host', () => {
  const uris: Array<[uri: string | string[] | undefined, address: string]> = [
    ['/', HOME],
    ['/a/b?c=d&e=%2F', 'https://wiki.example.com/a/b?c=d&e=%2F'],
    ['//evil.example/x', 'https://wiki.example.com//evil.example/x'],
    ['/../../x', 'https://wiki.example.com/x'],
    ['/%0d%0aSet-Cookie:x', 'https://wiki.example.com/%0d%0aSet-Cookie:x'],
    ['https://evil.example/', HOME],
    ['@evil.example/', HOME],
    ['.evil.example/', HOME],
    [':443@evil.example/', HOME],
    ['\\\\evil.example/', HOME],
    ['/\\evil.example/', HOME],
    ['/a\r\nb', HOME],
    ['/a b', HOME],
    ['/\u0000', HOME],
    ['/ã', HOME],
    ['', HOME],
    [undefined, HOME],
    [['/a', '/b'], HOME],
    [`/${'a'.repeat(3_000)}`, HOME],
  ]
  for (const [uri, address] of uris) assert.equal(forwardedAddress(HOST, uri), address, String(uri))
})

it('No path at all leads off the registered host', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...'/\\@:.?#%&a0 \t\r\n', 'evil.example', '//') }), (uri) => {
      assert.equal(new URL(forwardedAddress(HOST, uri)).origin, HOST.origin)
    }),
  )
})

it('Only a browser that opens a page is redirected', () => {
  const page = { 'x-forwarded-method': 'GET', accept: 'text/html,*/*;q=0.8' }
  const browser = { ...page, 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' }
  for (const headers of [page, browser]) assert.equal(isNavigation(headers), true)
  for (const headers of [
    {},
    { accept: page.accept },
    { ...page, accept: '*/*' },
    { ...page, 'x-forwarded-method': 'POST' },
    { ...page, 'x-forwarded-method': 'HEAD' },
    { ...page, 'x-forwarded-method': 'GET, GET' },
    { ...browser, 'sec-fetch-mode': 'cors' },
    { ...browser, 'sec-fetch-dest': 'iframe' },
    { ...browser, 'sec-fetch-dest': 'empty' },
  ])
    assert.equal(isNavigation(headers), false, JSON.stringify(headers))
})
