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
  crowd: 'seed, or load',
  deed: 'action',
  deeds: 'actions',
  desk: 'context',
  disown: 'report-sign-in',
  doorbell: 'NOTIFY_CHANNEL',
  doubt: 'warning',
  doubts: 'warnings',
  farewell: 'account-deleted mail',
  fortune: 'seed',
  happening: 'timeline entry',
  heard: 'received',
  hindrance: 'error',
  house: 'context',
  mend: 'fix',
  mended: 'fixed',
  news: 'event',
  nudge: 'wake',
  overheard: 'recorded',
  patience: 'timeout',
  people: 'users',
  person: 'user',
  persons: 'users',
  proof: 'authentication',
  proofs: 'authentications',
  prove: 'verify',
  proven: 'verified',
  scene: 'fixture',
  settle: 'process',
  sparingly: 'rate limits',
  stage: 'harness, or fixture',
  standing: 'entitlement',
  stories: 'histories',
  storm: 'load, or burst',
  story: 'history, or timeline',
  tell: 'parse, report or notify',
  telling: 'event',
  tellings: 'events',
  tells: 'names, or notifies',
  till: 'merchant account',
  tills: 'merchant accounts',
  told: 'normalized, or event',
  unproven: 'unverified',
  veil: 'mask',
  veiled: 'masked',
  vendor: 'gateway API',
  vendors: 'gateway APIs',
  visit: 'sign-in attempt',
  weather: 'mode',
  word: 'label, or search term',
  words: 'labels, or search terms',
  world: 'fixture',
}

/** Names that stay, each for a reason: everywhere, or the word in one file. */
const ALLOWED: Record<string, string> = {
  'read-configuration.ts: visit': 'a function of yaml',
  'write-configuration.ts: visit': 'a function of yaml',
  'image.test.ts: stage': 'a build stage of the Dockerfile',
  Awaited: 'a type of TypeScript',
  'break-word': 'a value of CSS',
  requestStage: 'a parameter of the DevTools protocol',
  visitLimit: 'a method of Kysely',
}

const isForeign = (file: string) => /(^|\/)(node_modules|dist|\.next)$/.test(file)

const sources = globSync('{server,client,console,e2e,bench,scripts,examples}/**/*.{ts,tsx,js,mjs}', { cwd: root, exclude: isForeign })
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => file !== 'server/test/words.test.ts')

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
    assert.equal(found('const firstPerson = 1'), 1)
    assert.equal(found('describe({ tellsMethod: true })'), 1)
    assert.equal(found('', 'e2e/pages/scene.ts'), 1)
    assert.equal(found("const text = 'It was told twice.' // told"), 0)
    assert.equal(found('if (/^(payer|person)$/.test(name)) return'), 0)
    assert.equal(found('type A = Awaited<Promise<1>>'), 0)
  })
})

/** A comment, a regular expression, three kinds of strings, an identifier. Only the last four can hold names. */
const TOKENS = new RegExp(
  [
    /\/\/[^\n]*|\/\*[\s\S]*?\*\//,
    /(?<=[=(,:[!&|?{};>]\s*)\/(?![*/])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+\/[dgimsuvy]*/,
    /'((?:\\.|[^'\\\n])*)'|"((?:\\.|[^"\\\n])*)"|`((?:\\.|[^`\\])*)`/,
    /([A-Za-z_$][\w$]*)/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'g',
)

/** The names in a file that hold a replaced word, its own among them. Texts, comments and regular expressions are not names. */
function replacedIn(file: string, text: string): string[] {
  const names = [path.basename(file), ...namesIn(text)].filter((name) => !Object.hasOwn(ALLOWED, name))
  return names.flatMap((name) =>
    partsOf(name)
      .filter((part) => Object.hasOwn(REPLACED, part) && !Object.hasOwn(ALLOWED, `${path.basename(file)}: ${part}`))
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
