import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const document = readFileSync(path.join(root, 'docs/conformance.md'), 'utf8')
const trials = readFileSync(path.join(root, 'docs/trials.md'), 'utf8')

test('every row of docs/conformance.md names tests that exist, or says not yet', () => {
  assert.deepEqual(faultsOf(document, findSentences), [])
  assert.ok(rowsOf(document).length > 150, 'rows are missing')
})

test('every row of docs/trials.md names tests that begin with its number, or a decision', () => {
  assert.deepEqual(faultsOf(trials, findSentences), [])
  const strangers = rowsOf(trials).filter(({ line, shown }) => {
    const [, number = ''] = /^\| (\w+) \|/.exec(line) ?? []
    return !/^(not yet|right as it is)/.test(shown) && !shown.split('<br>').some((reference) => reference.includes(`) ${number}: `))
  })
  assert.deepEqual(strangers, [])
  assert.equal(rowsOf(trials).length, 66)
})

test('every file of contract tests stands in docs/conformance.md', () => {
  const files = globSync('server/test/contract/**/*.test.ts', { cwd: root }).filter(
    (file) => !import.meta.filename.endsWith(path.normalize(file)),
  )
  assert.deepEqual(
    files.filter((file) => !document.includes(`(../${file.replaceAll('\\', '/')})`)),
    [],
  )
})

for (const [fault, shown] of [
  ['a row that shows nothing', ''],
  ['a row that says something else', 'soon'],
  ['a test that does not exist', '[a](../a.test.ts) does something'],
  ['a file that does not exist', '[b](../b.test.ts) does it'],
  ['one missing test among others', '[a](../a.test.ts) does it<br>[a](../a.test.ts) does not'],
] as const) {
  test(`${fault} is reported`, () => {
    const text = `| row | shown by |\n| --- | --- |\n| sound | [a](../a.test.ts) does it |\n| later | not yet |\n| planted | ${shown} |\n`
    const faults = faultsOf(text, (file) => (file === 'a.test.ts' ? new Set(['does it']) : undefined))
    assert.equal(faults.length, 1)
    assert.match(faults[0] ?? '', /planted/)
  })
}

/** The faults of a document. `sentences` answers the tests of a file, `undefined` where there is no such file. */
function faultsOf(markdown: string, sentences: (file: string) => ReadonlySet<string> | undefined): string[] {
  return rowsOf(markdown).flatMap(({ line, shown }) => {
    if (/^not yet(:|$)/.test(shown)) return []
    const [, decision] = /^right as it is: \[\d+\]\((decisions\/[\w-]+\.md)\)$/.exec(shown) ?? []
    if (decision !== undefined && existsSync(path.join(root, 'docs', decision))) return []
    const faulty = shown.split('<br>').filter((reference) => {
      const [, file = '', sentence = ''] = /^\[[^\]]+\]\(\.\.\/([^)]+)\) (.+)$/.exec(reference) ?? []
      return !sentences(file)?.has(sentence)
    })
    return faulty.map((reference) => `${line}: no such test: ${reference}`)
  })
}

/** The rows of all tables, without their heads, each with its last cell. */
function rowsOf(markdown: string): Array<{ line: string; shown: string }> {
  const lines = markdown.split('\n')
  return lines
    .filter((line, index) => line.startsWith('|') && !isRule(line) && !isRule(lines[index + 1] ?? ''))
    .map((line) => ({
      line,
      shown:
        line
          .split(/(?<!\\)\|/)
          .at(-2)
          ?.trim() ?? '',
    }))
}

function isRule(line: string): boolean {
  return /^\|[\s|-]+\|$/.test(line)
}

function findSentences(file: string): ReadonlySet<string> | undefined {
  const whole = path.join(root, file)
  if (!existsSync(whole)) return undefined
  const titles = readFileSync(whole, 'utf8').matchAll(/^\s*(?:it|test)\((?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)")/gm)
  return new Set([...titles].map(([, single, double]) => single ?? double ?? ''))
}
