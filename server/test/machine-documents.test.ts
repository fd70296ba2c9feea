import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { startForSuite } from './support/service.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const pages = globSync('docs/**/*.md', { cwd: root }).map((file) => file.replaceAll('\\', '/'))

describe('Documents for readers who are machines', () => {
  const inMemory = async () => ({ url: 'sqlite::memory:' })
  const service = startForSuite({ name: 'sqlite', fresh: inMemory, empty: inMemory })
  const get = (place: string, headers: Record<string, string> = {}) => fetch(service().url + place, { headers })

  it('/llms.txt lists what apps and operators need, in both languages, and every link in it leads to Markdown or the description', async () => {
    const answer = await get('/llms.txt')
    assert.equal(answer.status, 200)
    assert.equal(answer.headers.get('content-type'), 'text/plain; charset=utf-8')
    assert.equal(answer.headers.get('cache-control'), 'public, max-age=300')
    const text = await answer.text()
    assert.match(text, /^# Portaria\n\n> /)
    assert.ok(text.length < 10_000, `${text.length} characters`)
    const links = [...text.matchAll(/^- \[.+\]\((\/[^)]+)\)/gm)].map(([, target = '']) => target)
    for (const needed of ['/docs/integrate.md', '/docs/pt-br/integrar.md', '/docs/operate/mail.md', '/openapi.json'])
      assert.ok(links.includes(needed), needed)
    for (const link of links) assert.equal((await get(link)).status, 200, link)
    const missing = pages.filter((page) => !page.includes('/decisions/0') && !links.includes(`/${page}`))
    assert.deepEqual(missing, [], 'a page that no list names')
  })

  it('serves each page as the file has it, without pictures, and with links that lead to pages it serves', async () => {
    for (const page of pages) {
      const answer = await get(`/${page}`)
      assert.equal(answer.status, 200, page)
      assert.equal(answer.headers.get('content-type'), 'text/markdown; charset=utf-8')
      const text = await answer.text()
      const written = readFileSync(path.join(root, page), 'utf8')
      assert.equal(text.split('\n')[0], written.split('\n')[0])
      for (const block of written.match(/^```[\s\S]*?^```$/gm) ?? []) assert.ok(text.includes(block), `${page}: a block of code changed`)
      const prose = text.replaceAll(/^```[\s\S]*?^```$|`[^`\n]*`/gm, '')
      assert.doesNotMatch(prose, /<picture>|<img/)
      for (const [, target = ''] of prose.matchAll(/\]\((?!https?:|mailto:|#)([^)\s#]+)[^)]*\)/g))
        assert.ok(pages.includes(path.posix.join(path.posix.dirname(page), target)), `${page}: ${target}`)
    }
  })

  it('sends a page once to whoever has it', async () => {
    const etag = (await get('/docs/integrate.md')).headers.get('etag') ?? ''
    const again = await get('/docs/integrate.md', { 'if-none-match': etag })
    assert.deepEqual([again.status, await again.text()], [304, ''])
  })

  it('serves nothing else, whatever the path says', async () => {
    for (const place of [
      ...['/docs/openapi.json', '/docs/none.md', '/docs/operate/none.md', '/docs/a/b/c.md', '/docs/screenshots/login-light.png'],
      ...['/docs/..%2FREADME.md', '/docs/%2e%2e/README.md', '/docs/..%5CREADME.md', '/docs/mail.md%00'],
    ])
      assert.equal((await get(place)).status, 404, place)
  })
})
