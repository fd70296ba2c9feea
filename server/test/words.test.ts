import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'

// Words that the glossary of STYLE.md has replaced stay out of names: of files, identifiers, columns, metrics, commands and audit actions.

const root = fileURLToPath(new URL('../../', import.meta.url))

/** By the word that is refused, the one to write. */
const REPLACED: Record<string, string> = {
  acted: 'impersonated',
  acting: 'impersonation',
  attention: 'alerts',
  awaited: 'pending',
  deed: 'action',
  deeds: 'actions',
  desk: 'context',
  disown: 'report-sign-in',
  doorbell: 'NOTIFY_CHANNEL',
  doubt: 'warning',
  doubts: 'warnings',
  farewell: 'account-deleted mail',
  happening: 'timeline entry',
  heard: 'received',
  hindrance: 'error',
  house: 'context',
  news: 'event',
  nudge: 'wake',
  patience: 'timeout',
  proof: 'authentication',
  prove: 'verify',
  proven: 'verified',
  settle: 'process',
  sparingly: 'rate limits',
  standing: 'entitlement',
  tell: 'parse, report or notify',
  till: 'merchant account',
  tills: 'merchant accounts',
  told: 'normalized, or event',
  unproven: 'unverified',
  veil: 'mask',
  veiled: 'masked',
  vendor: 'gateway API',
  visit: 'sign-in attempt',
  word: 'label, or search term',
  words: 'labels, or search terms',
}

/** What may be called so all the same, each for a reason. */
const ALLOWED: Record<string, string> = {
  Awaited: 'a type of TypeScript',
  'break-word': 'a value of CSS',
  visitLimit: 'a method of Kysely',
}

const sources = globSync(['server/src/**/*.ts', 'client/src/**/*.{ts,tsx}', 'console/src/**/*.{ts,tsx}', 'scripts/*.ts'], { cwd: root })
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => !file.includes('.test.'))

describe('names', () => {
  test('have no word that the glossary has replaced', () => {
    assert.deepEqual(
      sources.flatMap((file) => replacedIn(file, readFileSync(path.join(root, file), 'utf8'))),
      [],
    )
  })

  test('that are planted with such a word are reported, whatever they name', () => {
    const found = (text: string, file = 'planted.ts') => replacedIn(file, text).length
    assert.equal(found('', 'server/src/cli/told-events.ts'), 1)
    assert.equal(found('const toldEvents = 1'), 1)
    assert.equal(found("addColumn('told_at', 'integer')"), 1)
    assert.equal(found("metrics.gauge('portaria_news_total', 'Something of it')"), 1)
    assert.equal(found("command('settle <id>')"), 1)
    assert.equal(found("option('--proof <code>', 'a code')"), 1)
    assert.equal(found("const row = { 'user.acted': 1, veiled: 2 }"), 2)
    assert.equal(found("const text = 'It was told twice.' // told"), 0)
    assert.equal(found('type A = Awaited<Promise<1>>'), 0)
  })
})

const TOKENS = /\/\/[^\n]*|\/\*[\s\S]*?\*\/|'((?:\\.|[^'\\\n])*)'|"((?:\\.|[^"\\\n])*)"|`((?:\\.|[^`\\])*)`|([A-Za-z_$][\w$]*)/g

/** The names in a file that hold a replaced word, its own among them. Texts and comments are not names. */
function replacedIn(file: string, text: string): string[] {
  const names = [path.basename(file), ...namesIn(text)].filter((name) => !Object.hasOwn(ALLOWED, name))
  return names.flatMap((name) =>
    partsOf(name)
      .filter((part) => Object.hasOwn(REPLACED, part))
      .map((part) => `${file}: ${name} has “${part}”, which is ${REPLACED[part]} here`),
  )
}

function namesIn(text: string): string[] {
  return [...text.matchAll(TOKENS)].flatMap(([, single, double, template, identifier]) => {
    if (identifier !== undefined) return [identifier]
    if (template !== undefined) return [...template.matchAll(/\$\{([^}]*)/g)].flatMap(([, inside = '']) => namesIn(inside))
    return [single, double].filter((string) => string !== undefined && isName(string))
  }) as string[]
}

function partsOf(name: string): string[] {
  return name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/)
}

/** A name of a column, a metric, on the wire or in the audit log; or a command with its arguments. Other texts are sentences. */
function isName(text: string): boolean {
  return /^(?:--)?[a-z][\w.-]*(?: [<[][\w.-]+[>\]])*$/.test(text)
}
