import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { voiceOf } from '../src/mail/texts.ts'
import { openIdTexts } from '../src/openid/texts.ts'
import { pageTexts } from '../src/pages/index.ts'
import { texts } from '../src/pages/texts.ts'

// Texts that users read: with characters that every font has, and in one form of address.

const root = fileURLToPath(new URL('../../', import.meta.url))
const sources = globSync(['console/src/**/*.{ts,tsx}', 'server/src/**/*.{ts,js,css}', 'client/src/**/*.ts'], { cwd: root }).filter(
  (file) => !file.endsWith('.test.ts'),
)

/** Hyphens and spaces that many fonts lack, or that nobody sees in an editor. A literal of them is an escape. */
const WITHOUT_GLYPH = /[\u2010\u2011\u200b-\u200f\u2028\u2029\u202a-\u202f\u2060\ufeff]/u

/** Formal address, which the pages and mails of users don't have: there it is `tú`. */
const FORMAL = /\b(usted|recargue|inténtelo|escriba|revise|elija|confirme|copie|guarde)\b/iu

/**
 * Phrases that were read aloud and refused: a word that means something else beside its neighbour, one that nobody says, and a name of an
 * app after `a`, which would need an accent where the name is feminine.
 */
const REFUSED = [
  /Chaves de assinatura/,
  /Pede atenção/,
  /\bgood for \d+ (days|hours)/,
  /Whoever has it/,
  /(acesso|entrada) a \$\{(app|product|name|service)/,
]

describe('Texts', () => {
  test('have no character that is a gap in common fonts', () => {
    assert.ok(sources.length > 500)
    const found = sources.filter((file) => WITHOUT_GLYPH.test(readFileSync(path.join(root, file), 'utf8')))
    assert.deepEqual(found, [])
    assert.match('two\u2011step', WITHOUT_GLYPH)
  })

  test('have none of the phrases that were refused', () => {
    const lines = sources.flatMap((file) => readFileSync(path.join(root, file), 'utf8').split('\n'))
    const said = lines.filter((line) => /['"`>]/.test(line))
    assert.deepEqual(
      said.filter((line) => REFUSED.some((phrase) => phrase.test(line))),
      [],
    )
    const examples = ['Chaves de assinatura', 'Pede atenção', 'good for 7 days', 'Whoever has it runs', `primeiro acesso a \${name}`]
    assert.deepEqual(
      examples.map((example) => REFUSED.filter((phrase) => phrase.test(example)).length),
      REFUSED.map(() => 1),
    )
  })

  test('of the pages and mails in Spanish say tú', () => {
    const said = [texts.es, pageTexts.es, openIdTexts.es, voiceOf('es', 'Aurora').labels].flatMap(sentencesIn)
    assert.ok(said.length > 400)
    assert.deepEqual(
      said.filter((sentence) => FORMAL.test(sentence)),
      [],
    )
    assert.match('Después, recargue esta página.', FORMAL)
  })
})

/** Every text of a dictionary; of those with a value in them, the source. */
function sentencesIn(part: unknown): string[] {
  if (typeof part === 'string') return [part]
  if (typeof part === 'function') return [String(part)]
  return typeof part === 'object' && part !== null ? Object.values(part).flatMap(sentencesIn) : []
}
