import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { subscriptionTexts } from './subscriptions/texts.ts'

const sources = fileURLToPath(new URL('.', import.meta.url))
const guide = readFileSync(new URL('../../docs/console.md', import.meta.url), 'utf8')

describe('docs/console.md', () => {
  it('N12: names pages and buttons as the console does', () => {
    const texts = globSync('**/*texts*.ts', { cwd: sources })
      .map((file) => readFileSync(sources + file, 'utf8'))
      .join('\n')
    const named = [...guide.matchAll(/(?<![*\w])\*([A-Z][^*\n]+)\*(?!\*)/g)].map(([, args = '']) => args)
    assert.ok(named.length > 10)
    assert.deepEqual(
      named.filter((args) => !texts.includes(`'${args}'`) && !texts.includes(`"${args}"`)),
      [],
    )
  })

  it('N12: calls a paid purchase without an account by words of its own, in each language', () => {
    for (const { accessYes, accessNo, accessOfNobody } of Object.values(subscriptionTexts))
      assert.equal(new Set([accessYes, accessNo, accessOfNobody]).size, 3)
  })
})
