import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { noticePage } from './page.ts'
import { type Notice, textsFor } from './texts.ts'

const NOTICES: Notice[] = [
  'not_started_here',
  'no_longer_valid',
  'unavailable',
  'not_yet_valid',
  'no_token',
  'went_round',
  'misconfigured',
  'confirm_sign_out',
]

describe('A page of the client', () => {
  it('speaks the first language of the browser that there is, else Portuguese', () => {
    for (const [header, language] of [
      [null, 'pt-BR'],
      ['', 'pt-BR'],
      ['de', 'pt-BR'],
      ['en-US,en;q=0.9', 'en'],
      ['ES', 'es'],
      ['de, es-419;q=0.8, en;q=0.5', 'es'],
      ['pt-PT,en', 'pt-BR'],
      ['*', 'pt-BR'],
    ] as const) {
      assert.equal(textsFor(header).language, language, String(header))
    }
  })

  it('says something of its own for each notice in each language, and never what it was asked', async () => {
    const seen = new Set<string>()
    for (const language of ['pt-BR', 'en', 'es']) {
      for (const notice of NOTICES) {
        const request = new Request('https://app.example/auth/callback?error=<svg onload=1>', { headers: { 'accept-language': language } })
        const page = noticePage(notice, request, { href: '/auth/sign-in?return_to="><svg onload=1>&x', setCookies: ['a=b', 'c=d'] })
        const text = await page.text()
        assert.ok(text.includes(`<html lang="${language}">`))
        assert.ok(!text.includes('<svg'))
        assert.ok(text.includes('&#34;&#62;&#60;svg onload=1&#62;&#38;x'))
        assert.deepEqual(page.headers.getSetCookie(), ['a=b', 'c=d'])
        assert.equal(page.status === 200, notice === 'confirm_sign_out')
        const nonce = /nonce-([\w-]{16})'/.exec(page.headers.get('content-security-policy') ?? '')?.[1]
        assert.ok(nonce && text.includes(`<style nonce="${nonce}">`))
        seen.add(/<h1>(.*?)<\/h1>/.exec(text)?.[1] ?? '')
      }
    }
    assert.equal(seen.size, 3 * NOTICES.length)
  })
})
