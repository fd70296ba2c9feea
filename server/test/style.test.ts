import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../', import.meta.url))
const folders = ['server/src', 'client/src', 'console/src', 'scripts']
const sources = folders
  .flatMap((folder) => globSync(`${folder}/**/*.{ts,tsx}`, { cwd: root }))
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => !file.includes('.test.'))

const MAX_FUNCTION = 40
const MAX_FILE = 250
const MAX_WIDTH = 140

/**
 * Functions that only list: stores and others that answer an object of functions, tables of routes and commands, markup of components. Each
 * function inside them is measured too.
 */
const LISTS = /(Store|Routes|Commands)$|^create[A-Z]|^[A-Z]/

/** Longer all the same, each for a reason. By name, so that a file that moves stays known. */
const longer: Record<string, string> = {
  buildService: 'the wiring: one line for each floor',
  readConfig: 'one line for each setting',
  readSettings: 'one line for each option',
  addActions: 'one block for each command',
  describeRoute: 'one line for each part of the description',
  callback: 'one straight path of refusals',
  grantSubscription: 'one transaction',
  resolveNotification: 'one transaction',
}
const isMigration = (file: string) => /\/storage\/migrations\/\d/.test(file)

describe('the style', () => {
  test('names of files are kebab-case', () => {
    assert.deepEqual(
      sources.filter((file) => !/^[a-z0-9]+(-[a-z0-9]+)*\.tsx?$/.test(path.basename(file))),
      [],
    )
  })

  test('a class is an error, or what a library wants; anything else is a function that answers an object', () => {
    const allowed = new Set(['BoundedMap', 'Placeholder', 'Statements'])
    const others = sources.flatMap((file) =>
      [...readFileSync(path.join(root, file), 'utf8').matchAll(/^\s*(?:export )?class (\w+)(?:<[^{]*>)? \{/gm)]
        .map(([, name = '']) => name)
        .filter((name) => !allowed.has(name))
        .map((name) => `${file}: ${name}`),
    )
    assert.deepEqual(others, [])
  })

  // A reply is a thenable that resolves to `undefined`: it can't be awaited to learn whether it was answered.
  test('no function promises a reply or something else', () => {
    const either = /Promise<(?:[^<>]*\|\s*)?FastifyReply(?:\s*\|[^<>]*)?>/g
    const found = sources.flatMap((file) =>
      [...readFileSync(path.join(root, file), 'utf8').matchAll(either)].filter(([type]) => type.includes('|')).map(() => file),
    )
    assert.deepEqual(found, [])
  })

  test(`no function has more than ${MAX_FUNCTION} lines and no file more than ${MAX_FILE}, but those that only list and those with a reason`, () => {
    assert.deepEqual(findLong(folders), [])
  })

  test(`no comment reaches beyond column ${MAX_WIDTH}, in tests too; Biome wraps the code`, () => {
    const wide = globSync('{server,client,console,e2e,scripts,bench,examples}/**/*.{ts,tsx}', { cwd: root, exclude: isForeign }).flatMap(
      (file) => findWideComments(readFileSync(path.join(root, file), 'utf8')).map((line) => `${file}:${line}`),
    )
    assert.deepEqual(wide, [])
  })

  test('a planted comment that is too wide is reported in each of its forms; a long text is not', () => {
    const text = 'word '.repeat(30)
    const of = (text: string) => findWideComments(text)
    assert.deepEqual(of(`// ${text}`), [1])
    assert.deepEqual(of(`const a = 1 // ${text}`), [1])
    assert.deepEqual(of(`a('it // is') /* ${text} */`), [1])
    assert.deepEqual(of(`/**\n * ${text}\n */\n/* short\n   ${text} */`), [2, 5])
    assert.deepEqual(of(`const a = 'see // ${text}'\nconst b = "https://${text}"\n// ${'a'.repeat(MAX_WIDTH - 3)}`), [])
  })

  test('an exception that nothing needs any more is faulted', () => {
    const text = sources.map((file) => readFileSync(path.join(root, file), 'utf8')).join('\n')
    assert.deepEqual(
      Object.keys(longer).filter((name) => !text.includes(`function ${name}(`)),
      [],
    )
  })

  test('a planted function of 41 lines is reported, and one of 40 is not', () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'portaria-style-'))
    try {
      const body = (lines: number) => `{\n${'  a += 1\n'.repeat(lines - 2)}}\n`
      writeFileSync(
        path.join(folder, 'planted.ts'),
        `let a = 0\nfunction tooLong() ${body(41)}function fits() ${body(40)}tooLong(), fits()\n`,
      )
      assert.deepEqual(
        findLong([folder]).map((fault) => fault.replace(/^.*planted\.ts: /, '')),
        ['The function `tooLong` has too many lines (41).'],
      )
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})

const isForeign = (file: string) => /(^|\/)(node_modules|dist)$/.test(file)

/** The numbers of the lines with a comment that ends beyond `MAX_WIDTH`. */
function findWideComments(source: string): number[] {
  let isInside = false
  return source.split('\n').flatMap((line, i) => {
    const code = line.replaceAll(/(['"`])(?:\\.|(?!\1).)*\1/g, '""')
    const wasInside = isInside
    isInside = isInside ? !code.includes('*/') : /^\s*\/\*(?!.*\*\/)/.test(code)
    const isComment = wasInside || /(^|[\s{])\/[/*]/.test(code)
    return line.length > MAX_WIDTH && isComment ? [i + 1] : []
  })
}

/** The findings of oxlint, without the exceptions. */
function findLong(places: string[]): string[] {
  const folder = mkdtempSync(path.join(tmpdir(), 'portaria-style-'))
  try {
    const config = path.join(folder, 'sizes.json')
    const rules = { 'eslint/max-lines-per-function': ['error', { max: MAX_FUNCTION }], 'eslint/max-lines': ['error', { max: MAX_FILE }] }
    writeFileSync(config, JSON.stringify({ categories: { correctness: 'off' }, rules }))
    const diagnostics = lint(['--config', config, '--ignore-pattern', '**/*.test.ts', '--format', 'json', ...places])
    return diagnostics
      .filter(({ message, filename }) => {
        const name = /`(\w+)`/.exec(message)?.[1] ?? ''
        return !(LISTS.test(name) || name in longer || isMigration(filename) || filename.endsWith('server/src/app.ts'))
      })
      .map(({ message, filename }) => `${filename}: ${message.replace(/ Maximum.*/s, '')}`)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function lint(options: string[]): Array<{ message: string; filename: string }> {
  const oxlint = path.join(root, 'node_modules', 'oxlint', 'bin', 'oxlint')
  try {
    return JSON.parse(execFileSync(process.execPath, [oxlint, ...options], { cwd: root, encoding: 'utf8' })).diagnostics
  } catch (error) {
    // It exits with 1 when it finds something, which is in its output all the same.
    if (error instanceof Error && 'stdout' in error) return JSON.parse(String(error.stdout)).diagnostics
    throw error
  }
}
