import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const document = readFileSync(path.join(root, 'docs/conformance.md'), 'utf8')
const trials = readFileSync(path.join(root, 'docs/trials.md'), 'utf8')

/** The modules of the plans Basic, Config, RP-initiated logout and Back-channel logout, without `oidcc-`. */
const MODULES = `
server response-type-missing idtoken-signature idtoken-unsigned userinfo-get userinfo-post-header userinfo-post-body
ensure-request-without-nonce-succeeds-for-code-flow scope-profile scope-email scope-address scope-phone scope-all alternate-happy-flow
display-page display-popup prompt-login prompt-none-not-logged-in prompt-none-logged-in max-age-1 max-age-10000
ensure-request-with-unknown-parameter-succeeds id-token-hint login-hint ui-locales claims-locales ensure-request-with-acr-values-succeeds
codereuse codereuse-30seconds ensure-registered-redirect-uri ensure-post-request-succeeds server-client-secret-post
request-uri-unsigned-supported-correctly-or-rejected-as-unsupported unsigned-request-object-supported-correctly-or-rejected-as-unsupported
claims-essential ensure-request-object-with-redirect-uri refresh-token ensure-request-with-valid-pkce-succeeds
discovery-endpoint-verification
rp-initiated-logout-discovery-endpoint-verification rp-initiated-logout rp-initiated-logout-bad-post-logout-redirect-uri
rp-initiated-logout-modified-id-token-hint rp-initiated-logout-no-id-token-hint rp-initiated-logout-no-params
rp-initiated-logout-no-post-logout-redirect-uri rp-initiated-logout-no-state rp-initiated-logout-only-state
rp-initiated-logout-query-added-to-post-logout-redirect-uri rp-initiated-logout-bad-id-token-hint
backchannel-logout-discovery-endpoint-verification backchannel-rp-initiated-logout`
  .trim()
  .split(/\s+/)

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
  assert.equal(rowsOf(trials).length, 71)
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

test('every module of the plans for OpenID Connect stands in docs/conformance.md, or is left out by name', () => {
  assert.equal(MODULES.length, 38 + 1 + 11 + 2)
  assert.deepEqual(
    MODULES.filter((module) => !modulesOf(document).has(module)),
    [],
  )
  const without = document.replace('| refresh-token |', '| refresh |')
  assert.ok(!modulesOf(without).has('refresh-token'), 'part of a name is taken for the whole')
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

/** The names before the first cell's colon, and those of the sentence about what is left out, in the section of OpenID Connect. */
function modulesOf(markdown: string): ReadonlySet<string> {
  const [, section = ''] = /^### OpenID Connect\n([\s\S]*?)^### /m.exec(markdown) ?? []
  const cells = rowsOf(section).map(({ line }) => /^\| ([^|:]*)/.exec(line)?.[1] ?? '')
  const [, left = ''] = /^Left out on purpose: (.+)$/m.exec(section) ?? []
  const names = [...cells.flatMap((cell) => cell.split(', ')), ...left.replaceAll(/\([^)]*\)/g, '').split(/, | and |\./)]
  return new Set(names.map((name) => name.trim()))
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
