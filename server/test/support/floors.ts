/**
 * The rule of the floors (ARCHITECTURE.md): imports point down the list of floors, through the floors' doors, in no circle, and only
 * certain files speak HTTP or SQL. Pure: it judges any tree of sources, so planted violations can show that it sees them.
 */
import path from 'node:path/posix'

/** Top to bottom. A file may import its own floor and those below it. */
const floors = [
  'cli main.ts welcome.ts housekeeping app.ts workers.ts context.ts master-key-file.ts config.ts admin my-account openid sign-in personal-data handoff event-delivery access forward-auth gateways purchases notifications reports payment-history sessions subscriptions',
  'products users identity-providers appearance app-events changes outbox audit mail http pages rate-limits guarded-fetch storage processes kit',
].flatMap((line) => line.split(' '))

const httpPackages = /^(fastify|@fastify\/.*|ghtml|(node:)?https?|(node:)?http2)$/
const sqlPackages = /^(kysely(\/.*)?|pg|(node:)?sqlite)$/
const httpFiles =
  /^((http|pages)\/.*|app\.ts|main\.ts)$|(\/|-)(routes|guards|pages?)\.ts$|^(sign-in\/(flow\/complete-sign-in|guards\/guard-deps)|my-account\/components)\.ts$/
const sqlFiles = /^storage\/|(\/|-)store\.ts$/

type Import = { specifier: string | undefined }

/** Every breach of the rule in a tree of sources: path below `server/src` → text. One sentence each, empty for a sound tree. */
export function findViolations(sources: ReadonlyMap<string, string>): string[] {
  const graph = new Map<string, string[]>()
  const violations: string[] = []
  for (const [file, source] of sources) {
    if (floorOf(file) === -1) violations.push(`${file} stands on no floor`)
    const imports = parseImports(source)
    for (const { specifier } of imports) violations.push(...judge(file, specifier).map((fault) => `${file} ${fault}`))
    if (!isTest(file) && !sqlFiles.test(file) && /(^|[^.\w])sql(<[^`]*>)?`/m.test(source)) violations.push(`${file} speaks SQL`)
    const own = imports.flatMap(({ specifier }) => (specifier?.startsWith('.') ? [resolve(file, specifier)] : []))
    // Types count: a circle of them binds the files together just as well. A file may name its own types.
    graph.set(
      file,
      own.filter((target) => target !== file),
    )
  }
  return [...violations, ...findCycles(graph)]
}

function judge(file: string, specifier: string | undefined): string[] {
  if (specifier === undefined) return ['imports a computed name']
  return specifier.startsWith('.') ? judgeFile(file, resolve(file, specifier)) : judgePackage(file, specifier)
}

function judgeFile(file: string, target: string): string[] {
  if (isTest(file) && target.startsWith('../test/')) return []
  if (target.startsWith('../')) return [`reaches outside src: ${target}`]
  if (isTest(target)) return [`imports a test: ${target}`]
  if (floorOf(target) === -1) return [`imports from no floor: ${target}`]
  if (floorOf(target) < floorOf(file)) return [`imports upwards: ${target}`]
  const isDoor = floorOf(target) === floorOf(file) || !target.includes('/') || path.basename(target) === 'index.ts'
  return isDoor || isTest(file) ? [] : [`passes by the door: ${target}`]
}

function judgePackage(file: string, name: string): string[] {
  if (isTest(file)) return []
  if (httpPackages.test(name) && !httpFiles.test(file)) return [`speaks HTTP: ${name}`]
  if (sqlPackages.test(name) && !sqlFiles.test(file)) return [`speaks SQL: ${name}`]
  return []
}

/** Static, re-exporting and dynamic imports outside comments, those of types too. */
function parseImports(source: string): Import[] {
  const text = source.replace(/'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|\/\*[\s\S]*?\*\/|\/\/.*/g, (part) =>
    part.startsWith('/') ? part.replace(/[^\n]/g, ' ') : part,
  )
  const found = [
    ...text.matchAll(/^[ \t]*(?:import|export)\b(?:[^'"`;]*?\bfrom)?\s*(['"])(?<specifier>[^'"]+)\1/gm),
    ...text.matchAll(/\bimport\s*\(\s*(?:(['"])(?<specifier>[^'"]+)\1\s*[,)])?/g),
  ]
  return found.map((match) => ({ specifier: match.groups?.specifier }))
}

/** One sentence for each circle that a depth-first walk closes. */
function findCycles(graph: ReadonlyMap<string, readonly string[]>): string[] {
  const cycles: string[] = []
  const done = new Set<string>()
  const walk = (file: string, way: readonly string[]) => {
    if (way.includes(file)) cycles.push(`a circle of imports: ${[...way.slice(way.indexOf(file)), file].join(' → ')}`)
    if (way.includes(file) || done.has(file)) return
    for (const next of graph.get(file) ?? []) walk(next, [...way, file])
    done.add(file)
  }
  for (const file of graph.keys()) walk(file, [])
  return cycles
}

function floorOf(file: string): number {
  return floors.indexOf(file.split('/')[0] ?? '')
}

function resolve(file: string, specifier: string): string {
  return path.join(path.dirname(file), specifier)
}

function isTest(file: string): boolean {
  return file.endsWith('.test.ts')
}

/** Files that a folder may have of its own. Tests are counted apart from what they test. */
const MAX_FILES = 15

/**
 * Every folder with more source files, or more files of tests, than can be read at a glance: files of the repository → one sentence each.
 */
export function findFullFolders(files: readonly string[]): string[] {
  const counts = new Map<string, number>()
  for (const file of files) {
    const kind = `${path.dirname(file)} has % ${/\.test\.tsx?$/.test(file) ? 'files of tests' : 'source files'}`
    counts.set(kind, (counts.get(kind) ?? 0) + 1)
  }
  return [...counts].flatMap(([kind, count]) => (count > MAX_FILES ? [kind.replace('%', String(count))] : []))
}
