import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { after, before, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core'
import { publint } from 'publint'
import { rolldown } from 'rolldown'
import { sweep } from '../../scripts/build/sweep.ts'

const run = promisify(execFile)
const root = fileURLToPath(new URL('../..', import.meta.url))
const client = path.join(root, 'client')
const ENTRIES = ['index', 'react', 'webhooks', 'events/index', 'next', 'express', 'fastify', 'hono', 'node'] as const
const SERVER_ENTRIES = ['', '/webhooks', '/events', '/express', '/fastify', '/hono', '/node']

/** npm on the Node that runs the tests. */
const npm = (args: string[], cwd: string) => run('npm', [...args, '--loglevel=error'], { cwd, shell: process.platform === 'win32' })

describe('The package, as it would be published', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'portaria-package-'))
  let tarball: string
  let files: string[]
  before(async () => {
    // The tests have built it; others may be running it at this moment.
    const { stdout } = await npm(['pack', '--json', '--ignore-scripts', '--pack-destination', folder], client)
    const [packed] = Object.values<{ filename: string; files: { path: string }[] }>(JSON.parse(stdout))
    assert.ok(packed)
    tarball = path.join(folder, packed.filename)
    files = packed.files.map((file) => file.path)
    writeFileSync(path.join(folder, 'package.json'), '{"name":"an-app","private":true,"type":"module"}')
    await npm(['install', '--prefer-offline', '--no-audit', '--no-fund', '--omit=peer', tarball], folder)
  })
  after(() => rmSync(folder, { recursive: true, force: true }))

  it('holds what runs, its types and its words, and no test or source', () => {
    for (const entry of ENTRIES) for (const end of ['js', 'd.ts']) assert.ok(files.includes(`dist/${entry}.${end}`), `${entry}.${end}`)
    for (const file of ['README.md', 'CHANGELOG.md', 'bin/portaria-client.mjs', 'dist/doctor/command.js', 'LICENSE'])
      assert.ok(files.includes(file), file)
    assert.deepEqual(
      files.filter((file) => /\.test\.|^src|^test/.test(file)),
      [],
    )
    const sources = files.flatMap((file) => /^dist(\/.+?)(?:\.d\.ts|\.js)$/.exec(file)?.[1] ?? [])
    assert.deepEqual(
      sources.filter((name) => !existsSync(path.join(client, `src${name}.ts`))),
      [],
    )
  })

  it('loses with a build what has no source any more', () => {
    const [src, dist] = [path.join(folder, 'swept', 'src'), path.join(folder, 'swept', 'dist')]
    for (const file of ['src/a.ts', 'src/b/c.ts', 'dist/a.js', 'dist/a.d.ts', 'dist/b/c.js', 'dist/b/gone.js', 'dist/b/gone.d.ts']) {
      mkdirSync(path.dirname(path.join(folder, 'swept', file)), { recursive: true })
      writeFileSync(path.join(folder, 'swept', file), '')
    }
    sweep(dist, src)
    assert.deepEqual(readdirSync(dist).sort(), ['a.d.ts', 'a.js', 'b'])
    assert.deepEqual(readdirSync(path.join(dist, 'b')), ['c.js'])
  })

  it('N6: would be published as it is: publicly, with its provenance, and with a changelog of its own', async () => {
    const { stdout, stderr } = await npm(['publish', '--dry-run', '--json', '--ignore-scripts', '--provenance=false'], client)
    // npm 11 wraps it in an object by name.
    const said = JSON.parse(stdout)
    const published = said['@portaria/client'] ?? said
    const { version, publishConfig } = JSON.parse(readFileSync(path.join(client, 'package.json'), 'utf8'))
    assert.equal(published.version, version, stderr)
    assert.deepEqual(publishConfig, { access: 'public', provenance: true })
    assert.match(readFileSync(path.join(client, 'CHANGELOG.md'), 'utf8'), new RegExp(`^## ${version.replaceAll('.', '\\.')}$`, 'm'))
  })

  it('is built whenever it is packed, and under the licence of the whole', () => {
    const { scripts, license } = JSON.parse(readFileSync(path.join(client, 'package.json'), 'utf8'))
    assert.deepEqual([scripts.prepack, license], ['npm run build', 'Apache-2.0'])
    assert.equal(readFileSync(path.join(client, 'LICENSE'), 'utf8'), readFileSync(path.join(root, 'LICENSE'), 'utf8'))
  })

  it('is nothing that publint or "are the types wrong" would fault', async () => {
    const bytes = readFileSync(tarball)
    const linted = await publint({
      pack: { tarball: bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) },
      strict: true,
    })
    assert.deepEqual(
      linted.messages.map(({ code }) => code),
      [],
    )
    const { problems } = { problems: [], ...(await checkPackage(createPackageFromTarballData(bytes))) }
    // An ES module is not for the resolution of before 2022, and from CommonJS it is imported, not required. Nothing else is let through.
    const faults = problems.filter(
      ({ kind, ...problem }) => kind !== 'CJSResolvesToESM' && !('resolutionKind' in problem && problem.resolutionKind === 'node10'),
    )
    assert.deepEqual(faults, [])
  })

  it('brings jose along and nothing else', async () => {
    const { stdout } = await npm(['ls', '--all', '--parseable'], folder)
    const installed = stdout
      .trim()
      .split('\n')
      .slice(1)
      .map((line) => line.replaceAll('\\', '/').split('node_modules/').at(-1))
    assert.deepEqual(installed.sort(), ['@portaria/client', 'jose'])
  })

  it('runs where it was installed, and so does its command', async () => {
    const imports = SERVER_ENTRIES.map((entry, at) => `import * as e${at} from '@portaria/client${entry}'`).join('\n')
    writeFileSync(
      path.join(folder, 'app.mjs'),
      `${imports}
const portaria = e0.createPortaria({ url: 'https://sso.example.com', appUrl: 'https://app.example.com' })
const answer = await portaria.handle(new Request('https://app.example.com/auth/sign-in?return_to=/x'))
console.log(answer.status, new URL(answer.headers.get('location')).origin, await portaria.handle(new Request('https://app.example.com/x')))`,
    )
    const { stdout } = await run(process.execPath, ['app.mjs'], { cwd: folder })
    assert.equal(stdout.trim(), '302 https://sso.example.com undefined')
    const help = await run(process.execPath, [path.join('node_modules', '.bin', 'portaria-client'), '--help'], { cwd: folder })
    assert.match(help.stdout, /^Usage: portaria-client/)
  })

  for (const resolution of ['nodenext', 'bundler'] as const) {
    it(`has types that a strict app can rely on (${resolution})`, async () => {
      const types = path.join(folder, 'node_modules', '@types')
      for (const name of ['react', 'node']) link(path.join(root, 'node_modules', '@types', name), path.join(types, name))
      for (const name of ['csstype', 'undici-types', 'next', 'react'])
        link(path.join(root, 'node_modules', name), path.join(folder, 'node_modules', name))
      writeFileSync(path.join(folder, 'app.ts'), APP)
      const options = {
        module: resolution === 'bundler' ? 'preserve' : 'nodenext',
        moduleResolution: resolution,
        target: 'es2022',
        lib: ['es2022', 'dom'],
      }
      const strict = { strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true, skipLibCheck: true, noEmit: true }
      writeFileSync(path.join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: { ...options, ...strict }, files: ['app.ts'] }))
      const { stdout } = await run(process.execPath, [path.join(root, 'node_modules', 'typescript', 'bin', 'tsc'), '-p', folder]).catch(
        (fault) => fault,
      )
      assert.equal(stdout, '')
    })
  }

  it('weighs little, gzipped and without jose: 15,850 bytes with every entry but events, which adds 1,750', async () => {
    const sizes = await Promise.all(
      ENTRIES.map(async (entry) => (await bundle(`dist/${entry}.js`, ['jose', /^react/, /^next/, /^node:/])).length),
    )
    const weigh = async (entries: readonly string[]) => gzipSync(await bundleAll(entries)).length
    const [without, all] = [await weigh(ENTRIES.filter((entry) => entry !== 'events/index')), await weigh(ENTRIES)]
    assert.ok(without <= 15_850 && all <= 17_600, `${without} and ${all} bytes; each, unzipped: ${sizes.join(', ')}`)
  })

  it('lets nothing of the server into the browser', async () => {
    const code = await bundle('dist/react.js', [/^react/])
    for (const text of ['jose', 'PORTARIA_', 'sk_', 'jwtVerify', '/auth/check', 'node:', 'process.env', 'authorization'])
      assert.ok(!code.includes(text), text)
    assert.ok(code.includes('/api/auth/session'))
    assert.match(readFileSync(path.join(client, 'dist/react.js'), 'utf8'), /^['"]use client['"]/)
  })

  it('needs nothing of Node where workers and edges run it', async () => {
    for (const entry of ['index', 'webhooks', 'events/index', 'hono'] as const) {
      const code = await bundle(`dist/${entry}.js`, [])
      assert.doesNotMatch(code, /["']node:|\brequire\(|\bBuffer\b/, entry)
    }
  })

  async function bundle(entry: string, external: (string | RegExp)[]): Promise<string> {
    const built = await rolldown({ input: path.join(client, entry), external, platform: 'browser', logLevel: 'silent' })
    const { output } = await built.generate({ minify: true, format: 'esm' })
    return output.map((chunk) => ('code' in chunk ? chunk.code : '')).join('')
  }

  async function bundleAll(entries: readonly string[]): Promise<string> {
    const input = Object.fromEntries(entries.map((entry) => [entry, path.join(client, `dist/${entry}.js`)]))
    const built = await rolldown({ input, external: ['jose', /^react/, /^next/, /^node:/], platform: 'browser', logLevel: 'silent' })
    const { output } = await built.generate({ minify: true, format: 'esm' })
    return output.map((chunk) => ('code' in chunk ? chunk.code : '')).join('')
  }
})

function link(target: string, at: string): void {
  try {
    symlinkSync(target, at, 'junction')
  } catch (fault) {
    if (!(fault instanceof Error && 'code' in fault && (fault.code === 'EEXIST' || fault.code === 'ENOENT'))) throw fault
  }
}

const APP = `
import { createPortaria, type Access, type Session, type User } from '@portaria/client'
import { signPurchaseNotification, verifyPurchaseNotification } from '@portaria/client/webhooks'
import { isNewer, receiveEvents } from '@portaria/client/events'
import { useSession } from '@portaria/client/react'

const onEvent = receiveEvents((event) => {
  if (event.type === 'access.changed') return isNewer(event, 5) ? event.access.planSlug : undefined
  if (event.type === 'unknown') return event.name
  if (event.type === 'user.updated') return isNewer(event, 5) ? event.data.name : undefined
  if (event.type === 'user.deleted') return event.userId
  // @ts-expect-error no such type
  if (event.type === 'access.lost') return 1
  // @ts-expect-error only events of access have it
  return event.access
}, { store: new Set<string>() })
const portaria = createPortaria({ url: 'https://sso.example.com', onEvent })

export async function page(request: Request): Promise<Response> {
  const handled = await portaria.handle(request)
  if (handled) return handled
  const { user, response } = await portaria.requireUser(request)
  if (response) return response
  const { id }: User = user
  const access: Access = await portaria.checkAccess({ userId: id })
  if (!access.active) return new Response(access.reason === 'no_subscription' ? 'buy' : access.reason)
  // @ts-expect-error one that is active is never refunded
  if (access.reason === 'refunded') return new Response()
  await portaria.checkAccess({ userId: id, email: user.email })
  await portaria.checkAccess({ email: user.email })
  // @ts-expect-error neither an id nor an address
  await portaria.checkAccess({})
  const read = await verifyPurchaseNotification(await request.text(), 'secret')
  const signed = await signPurchaseNotification({ a: 1 }, 'secret')
  return Response.json({ a: signed.a + 1, signature: signed.signature.length, read: 'refusal' in read })
}

export function greet(): string {
  const session = useSession()
  // @ts-expect-error nobody is known before the status is
  session.user
  return session.status === 'signed_in' ? session.user.name : session.status
}

export function who(session: Session): string | null {
  return session.status === 'signed_in' ? session.user.email : session.reason
}
`
