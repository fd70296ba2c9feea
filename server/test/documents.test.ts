import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { Writable } from 'node:stream'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { run } from '../src/cli/main.ts'
import { describeRetention } from '../src/storage/index.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const read = (name: string) => readFileSync(path.join(root, name), 'utf8')
const configure = read('docs/operate/configure.md')
const watch = read('docs/operate/watch.md')
const pages = [
  ...globSync('*.md', { cwd: root }),
  ...globSync('{docs,client,console,bench,examples}/**/*.md', { cwd: root, exclude: ['**/node_modules', '**/dist*'] }),
].filter((name) => !name.startsWith('docs/decisions/0'))

/** The output of `portaria … --help`; undefined where there is no such command. */
async function helpOf(args: string[]): Promise<string | undefined> {
  let text = ''
  const sink = new Writable({
    write(chunk, _encoding, done) {
      text += chunk
      done()
    },
  })
  const code = await run([...args, '--help'], { environment: {}, stdout: sink, stderr: sink })
  return code === 0 ? text : undefined
}

test('F17: every command that the documents show is there, with its options', async () => {
  const faults: string[] = []
  let shown = 0
  for (const page of pages) {
    for (const [, line = ''] of read(page).matchAll(/(?:npx |node server\/bin\/)portaria(?:\.mjs)? ([a-z][^`\n#|<]*)/g)) {
      const args = line.trim().split(/\s+/)
      const noun = args[0] ?? ''
      const help = await helpOf([noun])
      if (!help) {
        faults.push(`${page}: portaria ${line}`)
        continue
      }
      const isNoun = /\[command\]/.test(help)
      const verb = isNoun && /^[a-z-]+$/.test(args[1] ?? '') ? await helpOf([noun, args[1] ?? '']) : help
      const options = line.match(/(?<=\s)--[a-z-]+/g) ?? []
      const unknown = options.filter((option) => !verb?.includes(option))
      if (!verb?.includes(isNoun && verb !== help ? `portaria ${noun} ${args[1]}` : `portaria ${noun}`) || unknown.length > 0)
        faults.push(`${page}: portaria ${line} ${unknown}`)
      shown++
    }
  }
  assert.deepEqual(faults, [])
  assert.ok(shown > 60, `${shown} commands`)
})

test('F17: every setting of the configuration is in the table, and the documents name no other', () => {
  const known = new Set(read('server/src/config.ts').match(/PORTARIA_[A-Z_]*[A-Z]/g))
  const table = new Set([...configure.matchAll(/^\| `(PORTARIA_[A-Z_]+)`/gm)].map(([, name]) => name))
  assert.deepEqual(
    [...known].filter((name) => !name.endsWith('_FILE') && !table.has(name)),
    [],
  )
  assert.ok(table.size > 10)
  assert.deepEqual(
    [...table].filter((name) => name === undefined || !known.has(name)),
    [],
  )
})

test('F17: of every table that grows the documents say how long what is in it is kept, and as long it is', () => {
  const section = watch.slice(watch.indexOf('## How long what is kept'))
  assert.ok(section.includes(`\n\n${describeRetention()}\n\n`), 'stale: npx node scripts/retention.ts')
  const claims: [RegExp, RegExp, string][] = [
    [/every ten minutes/, /HOUSEKEEPING_MS = 10 \* MINUTE_MS/, read('server/src/housekeeping/tidy-if-due.ts')],
    [/the fifty latest attempts/, /MAX_ATTEMPTS = 50\b/, read('server/src/notifications/attempts/attempt-store.ts')],
    [/the newest hundred/, /MAX_REFUSED = 100\b/, read('server/src/notifications/refused-store.ts')],
  ]
  for (const [said, held, source] of claims) {
    assert.match(section, said)
    assert.match(source, held)
  }
})

test('F17: what the documents promise of faults in numbers is what the code holds', () => {
  const claims: [string, RegExp, string, RegExp][] = [
    [
      'docs/operate/upgrade.md',
      /wait for one less than half a second/,
      'server/src/storage/migrations/apply-migrations.ts',
      /LOCK_MS = 400\b/,
    ],
    [
      'docs/operate/upgrade.md',
      /an hour and a day later/,
      'server/src/storage/migrations/migrate.ts',
      /REFILLS_MS = \[60 \* 60_000, 24 \* 60 \* 60_000\]/,
    ],
    ['docs/operate/upgrade.md', /longer than two seconds/, 'server/src/storage/migrations/apply-migrations.ts', /LONG_MS = 2_000/],
    [
      'docs/operate/scale.md',
      /opens up to\s+10 connections \(`PORTARIA_DATABASE_CONNECTIONS`, 2 to 200\) and one for the change feed/,
      'server/src/storage/postgres/postgres.ts',
      /MAX_CONNECTIONS = 10\b/,
    ],
    ['docs/operate/upgrade.md', /`--start-period` of the image is 20 s/, 'Dockerfile', /--start-period=20s/],
    ['docs/operate/scale.md', /more than 3 seconds off/, 'server/src/kit/clock.ts', /3_000|3 \* SECOND/],
  ]
  for (const [page, said, file, held] of claims) {
    assert.match(read(page), said)
    assert.match(read(file), held, `${file} no longer holds ${said}`)
  }
})

test('F17: links of the documents lead to headings and files that are there', () => {
  const slug = (heading: string) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-')
  const faults: string[] = []
  for (const page of pages)
    for (const [, target = ''] of read(page)
      .replaceAll(/```[\s\S]*?```|`[^`\n]*`/g, '')
      .matchAll(/\]\((?!https?:|mailto:)([^)\s]+)\)/g)) {
      const [file = '', anchor] = target.replace(/^<(.*)>$/, '$1').split('#')
      const of = file === '' ? page : path.join(path.dirname(page), file)
      try {
        const text = read(of)
        const headings = [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => slug(heading))
        if (anchor !== undefined && of.endsWith('.md') && !headings.includes(anchor)) faults.push(`${page}: ${target}`)
      } catch (error) {
        if (!(error instanceof Error && 'code' in error && error.code === 'EISDIR')) faults.push(`${page}: ${target}`)
      }
    }
  assert.deepEqual(faults, [])
})

test('files that the documents for developers name are there', () => {
  const made = ['server/src/storage/migrations/later/NNNN-nickname.ts'] // by the reader
  const files = execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' }).split('\n')
  const isThere = (name: string) => made.includes(name) || files.some((file) => file === name || file.endsWith(`/${name}`))
  const missing = ['ARCHITECTURE.md', 'CONTRIBUTING.md', 'docs/tour.md'].flatMap((page) =>
    [...read(page).matchAll(/`((?:[\w.-]+\/)*[\w.-]+\.(?:tsx?|mjs|json|md))`/g)]
      .map(([, name = '']) => name)
      .filter((name) => !isThere(name))
      .map((name) => `${page}: ${name}`),
  )
  assert.deepEqual(missing, [])
})

test('the Portuguese page of integration shows the code that the English one has, which is run', () => {
  const blocks = (page: string) => read(page).match(/^```[\s\S]*?^```$/gm) ?? []
  const english = new Set(blocks('docs/integrate.md'))
  assert.ok(blocks('docs/pt-br/integrar.md').length > 10)
  assert.deepEqual(
    blocks('docs/pt-br/integrar.md').filter((block) => !english.has(block)),
    [],
  )
})

test('every decision is in the index by subject, under its own title; one that was superseded says so there and in its head', () => {
  const index = read('docs/decisions/README.md')
  const faults = globSync('docs/decisions/0*.md', { cwd: root }).flatMap((file) => {
    const [title = '', , head = ''] = read(file).split('\n')
    const line = index.split('\n').find((one) => one.startsWith(`- [${title.slice(2)}](${path.basename(file)})`))
    const later = /(?:superseded|changed) by \[\d+\]\([\w.-]+\)/.exec(head)?.[0] ?? ''
    const isDated = /^20\d\d-\d\d-\d\d · /.test(head)
    return isDated && title.startsWith('# ') && line?.includes(later) ? [] : [file]
  })
  assert.deepEqual(faults, [])
})
