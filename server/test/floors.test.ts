import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { findFullFolders, findViolations } from './support/floors.ts'

const src = new URL('../src/', import.meta.url)
const root = new URL('../../', import.meta.url)

/** Where TypeScript is. */
const roofs = ['server', 'client', 'console', 'e2e', 'bench', 'scripts', 'examples']

/** A small sound building; each planted violation below is one change to it. */
const sound = {
  'main.ts': "import { listen } from './http/index.ts'\nimport { app } from './app.ts'",
  'app.ts': "import type { FastifyInstance } from 'fastify'\nimport { handoffRoutes } from './handoff/index.ts'",
  'handoff/index.ts': "/** Not `import x from '../cli/index.ts'`. */\nexport { handoffRoutes } from './routes.ts'",
  'handoff/routes.ts': "import type { FastifyInstance } from 'fastify'\nimport { redeem } from './redeem.ts'",
  'handoff/redeem.ts': "import { findSession } from '../sessions/index.ts'",
  'handoff/redeem.test.ts':
    "import { sql } from 'kysely'\nimport '../sessions/store.ts'\nimport { eachDatabase } from '../../test/databases.ts'",
  'sessions/index.ts': "export { findSession } from './store.ts'\nexport type { Session } from './session.ts'",
  'sessions/session.ts': "export type Session = { id: string }\nconst glob = '/*'",
  'sessions/store.ts': "import { sql } from 'kysely'\nimport type { Session } from './session.ts'\nexport const one = sql`select 1`",
  'storage/index.ts': "import pg from 'pg'\nexport { DatabaseSync } from 'node:sqlite'",
  'http/index.ts': "import { now } from '../kit/index.ts'\nexport const listen = () => import('node:http')",
  'kit/index.ts': 'export const now = Date.now',
}

const planted: [kind: string, file: string, source: string, report: string][] = [
  ['an import of a higher floor', 'kit/clock.ts', "import { a } from '../http/index.ts'", 'imports upwards: http/index.ts'],
  ['a type from a higher floor', 'kit/clock.ts', "import type { A } from '../http/index.ts'", 'imports upwards: http/index.ts'],
  ['an import over several lines', 'kit/clock.ts', "import {\n  a,\n  b,\n} from '../http/index.ts'", 'imports upwards: http/index.ts'],
  ['a re-export of a higher floor', 'kit/clock.ts', "export * from '../http/index.ts'", 'imports upwards: http/index.ts'],
  ['an import for its effect', 'kit/clock.ts', "import '../http/index.ts'", 'imports upwards: http/index.ts'],
  ['a dynamic import of a higher floor', 'kit/clock.ts', "await import('../http/index.ts')", 'imports upwards: http/index.ts'],
  ['a type written as an import', 'kit/clock.ts', "type A = import('../http/index.ts').A", 'imports upwards: http/index.ts'],
  ['an import after a path with a star', 'kit/clock.ts', "const a = '/*'\nawait import('../app.ts')\n/* */", 'imports upwards: app.ts'],
  ['a feature that reads the configuration', 'handoff/mint.ts', "import { c } from '../config.ts'", 'imports upwards: config.ts'],
  ['a test that reaches up', 'kit/clock.test.ts', "import { a } from '../http/index.ts'", 'imports upwards: http/index.ts'],
  ['a file of another floor', 'handoff/mint.ts', "import { a } from '../sessions/session.ts'", 'passes by the door: sessions/session.ts'],
  ['a folder that is no floor', 'utils/index.ts', 'export const a = 1', 'stands on no floor'],
  ['an import from no floor', 'handoff/mint.ts', "import { a } from '../utils/index.ts'", 'imports from no floor: utils/index.ts'],
  ['an import from outside', 'handoff/mint.ts', "import { a } from '../../test/databases.ts'", 'reaches outside src: ../test/databases.ts'],
  ['an import of a test', 'handoff/mint.ts', "import { a } from './redeem.test.ts'", 'imports a test: handoff/redeem.test.ts'],
  ['a computed import', 'handoff/mint.ts', 'const name = `./a.ts`\nawait import(name)', 'imports a computed name'],
  ['HTTP in a use case', 'handoff/mint.ts', "import type { FastifyRequest } from 'fastify'", 'speaks HTTP: fastify'],
  ['a plug-in in a use case', 'handoff/mint.ts', "import cookie from '@fastify/cookie'", 'speaks HTTP: @fastify/cookie'],
  ['the bare server in a use case', 'handoff/mint.ts', "import { get } from 'node:http'", 'speaks HTTP: node:http'],
  ['markup in a use case', 'handoff/mint.ts', "import { html } from 'ghtml'", 'speaks HTTP: ghtml'],
  ['SQL in a use case', 'handoff/mint.ts', "import type { Kysely } from 'kysely'", 'speaks SQL: kysely'],
  ['a database in a use case', 'handoff/mint.ts', "import { DatabaseSync } from 'node:sqlite'", 'speaks SQL: node:sqlite'],
  ['a statement in a use case', 'handoff/mint.ts', "import { sql } from '../storage/index.ts'\nsql<Row>`select 1`", 'speaks SQL'],
]

describe('the floors', () => {
  test('every import of the server points down, through the doors, in no circle', () => {
    const files = globSync('**/*.ts', { cwd: src }).map((file) => file.replaceAll('\\', '/'))
    assert.notEqual(files.length, 0)
    assert.deepEqual(findViolations(new Map(files.map((file) => [file, readFileSync(new URL(file, src), 'utf8')]))), [])
  })

  test('a sound building is not faulted', () => {
    assert.deepEqual(findViolations(new Map(Object.entries(sound))), [])
  })

  for (const [kind, file, source, report] of planted) {
    test(`${kind} is reported`, () => {
      assert.deepEqual(findViolations(new Map(Object.entries({ ...sound, [file]: source }))), [`${file} ${report}`])
    })
  }

  for (const [kind, source] of [
    ['at run time', "export * from './session.ts'"],
    ['of types alone', "import type { Session } from './session.ts'"],
  ] as const) {
    test(`a circle ${kind} is reported`, () => {
      const circle = { ...sound, 'sessions/session.ts': "import type { one } from './store.ts'", 'sessions/store.ts': source }
      assert.deepEqual(findViolations(new Map(Object.entries(circle))), [
        'a circle of imports: sessions/store.ts → sessions/session.ts → sessions/store.ts',
      ])
    })
  }
})

describe('the folders', () => {
  const files = (count: number, name: (index: number) => string) => Array.from({ length: count }, (_, index) => `kit/${name(index)}`)

  test('none has more than 15 source files or 15 files of tests of its own', () => {
    const all = roofs
      .flatMap((roof) =>
        globSync(`${roof}/**/*.{ts,tsx,mjs,js}`, { cwd: root, exclude: (name) => /^(node_modules|dist|\.next)$/.test(name) }),
      )
      .map((file) => file.replaceAll('\\', '/'))
    assert.ok(all.includes('server/test/floors.test.ts'))
    assert.deepEqual(findFullFolders(all), [])
  })

  test('fifteen of either kind are not too many, and a folder below counts for itself', () => {
    const below = files(15, (index) => `texts/t${index}.ts`)
    assert.deepEqual(findFullFolders([...files(15, (index) => `a${index}.ts`), ...files(15, (index) => `a${index}.test.ts`), ...below]), [])
  })

  test('a sixteenth is reported', () => {
    assert.deepEqual(findFullFolders(files(16, (index) => `a${index}.ts`)), ['kit has 16 source files'])
    assert.deepEqual(findFullFolders(files(16, (index) => `a${index}.test.ts`)), ['kit has 16 files of tests'])
  })
})
