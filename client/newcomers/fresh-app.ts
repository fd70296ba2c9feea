import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { after } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { packClient } from '../../scripts/build/client-package.ts'
import { freePort } from '../../server/test/support/free-port.ts'
import type { TestService } from '../../server/test/support/service.ts'
import { startPortariaFor } from '../test/adapters/start-portaria.ts'
import { newVisitor, signInAtPortaria, type Visitor } from '../test/visitor.ts'
import versions from './versions.json' with { type: 'json' }

const guide = readFileSync(new URL('../../docs/frameworks.md', import.meta.url), 'utf8')
const start = readFileSync(new URL('../../docs/integrate.md', import.meta.url), 'utf8')
const STARTS_MS = 120_000

/** A package as a newcomer asks for it: the pinned version, or with `NEWCOMERS=latest` whatever is newest today. */
export function at(name: keyof typeof versions): string {
  return `${name}@${process.env.NEWCOMERS === 'latest' ? 'latest' : versions[name]}`
}

/** A package whose version is the matter of the test. */
export function pinned(name: keyof typeof versions): string {
  return `${name}@${versions[name]}`
}

/** The files of a recipe: the blocks below a heading that name their path in their first line, and the text after it. */
export function recipe(heading: string, document: 'guide' | 'start' = 'guide'): Map<string, string> {
  const markdown = document === 'guide' ? guide : start
  const [, section = assert.fail(`no heading ${heading}`)] = markdown.split(new RegExp(`^##+ ${heading}.*$`, 'm'))
  const [own = ''] = section.split(/^##+ /m)
  const blocks = [...own.matchAll(/^```\w+\n((?:---\n)?(?:\/\/|<!--) (\S+\.\w+).*\n[\s\S]*?)^```$/gm)]
  assert.ok(blocks.length > 0, `no files below ${heading}`)
  return new Map(blocks.map(([, code = '', file = '']) => [file, code]))
}

export interface FreshApp {
  folder: string
  /** Where it will listen, and where users reach it. */
  port: number
  url: string
  service: TestService
  /** Its settings for Portaria. */
  environment: Record<string, string>
  /** Runs a command in it; throws what it said when it fails. */
  run(command: string[], environment?: Record<string, string>): Promise<string>
  write(files: Map<string, string>): void
  /** Starts its server, and waits until it answers. */
  start(command: string[], environment?: Record<string, string>): Promise<void>
  /** The same folder once more, as an app with a path, a port and a Portaria of its own: installing takes longer than all the rest. */
  again(path?: string): Promise<FreshApp>
}

/**
 * An app as a newcomer makes it: by the framework's own command, or from nothing; with the client as the running service hands it out. Gone
 * when the tests of the file are over.
 */
export async function freshApp({
  create,
  packages,
  path: below = '',
}: {
  create?: string[]
  packages: string[]
  path?: string
}): Promise<FreshApp> {
  const parent = mkdtempSync(path.join(tmpdir(), 'portaria-newcomer-'))
  after(() => rmSync(parent, { recursive: true, force: true, maxRetries: 3 }))
  await packClient({ dist: 'built' })
  const folder = path.join(parent, 'app')
  const app = await serve(folder, below)
  if (create) await execute(['npx', '--yes', ...create], parent, {})
  else {
    mkdirSync(folder)
    writeFileSync(path.join(folder, 'package.json'), '{"name":"an-app","private":true,"type":"module"}')
  }
  const client = `${app.service.url}/client/portaria-client.tgz`
  await app.run(['npm', 'install', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error', ...packages, client])
  return app
}

async function serve(folder: string, below: string): Promise<FreshApp> {
  const port = await freePort()
  const url = `http://localhost:${port}${below}`
  const { service, stop } = await startPortariaFor(url)
  after(stop)
  const environment = { PORTARIA_URL: service.url, PORTARIA_APP_URL: url }
  return {
    folder,
    port,
    url,
    service,
    environment,
    run: (command, more = {}) => execute(command, folder, more),
    again: (other = '') => serve(folder, other),
    write(files) {
      for (const [file, code] of files) {
        mkdirSync(path.dirname(path.join(folder, file)), { recursive: true })
        writeFileSync(path.join(folder, file), code)
      }
    },
    start: (command, more = {}) => listen(command, folder, url, { ...environment, PORT: String(port), HOST: 'localhost', ...more }),
  }
}

/**
 * As a user and a program meet the app: sent to sign in, signed in, greeted by name; and 401 where a program asks. Answers the visitor,
 * signed in.
 */
export async function assertSignsIn({ url, service }: FreshApp, page: string, { notes = '/api/notes' } = {}): Promise<Visitor> {
  const { origin, pathname } = new URL(url)
  const below = pathname.replace(/\/$/, '')
  const stranger = newVisitor(origin)
  const refused = await stranger.send('GET', below + notes, { headers: { accept: 'application/json', 'sec-fetch-mode': 'cors' } })
  assert.deepEqual([refused.status, JSON.parse(refused.text).reason], [401, 'no_session'], refused.text)
  const sent = await stranger.open(below + page)
  const way = sent.headers.location ?? /http-equiv="refresh" content="\d+;url=([^"]+)"/.exec(sent.text)?.[1]?.replaceAll('&amp;', '&')
  const signIn = new URL(way ?? assert.fail(`not sent to sign in: ${sent.status} ${sent.text.slice(0, 500)}`), origin)
  assert.equal(signIn.pathname, `${below}/auth/sign-in`)
  const visitor = newVisitor(origin)
  const callback = await signInAtPortaria(visitor, service, 'ana@exemplo.com.br', '', signIn.pathname + signIn.search)
  const arrived = await visitor.open(callback.pathname + callback.search)
  assert.equal(new URL(arrived.headers.location ?? assert.fail(arrived.text), origin).href, origin + below + page)
  const greeted = await visitor.open(below + page)
  assert.equal(greeted.status, 200)
  assert.match(greeted.text, /Ana Flávia/)
  assert.match((await visitor.send('GET', below + notes, { headers: { accept: 'application/json' } })).text, /"of":"Ana Flávia/)
  return visitor
}

const opened: ChildProcess[] = []
/** The whole group: npm and the frameworks start processes of their own. */
after(() => {
  for (const { pid } of opened)
    if (pid !== undefined)
      try {
        process.kill(-pid, 'SIGKILL')
      } catch {
        // ended by itself
      }
})

function spawnIn(cwd: string, [file = '', ...args]: string[], environment: Record<string, string>) {
  const inherited = Object.entries(process.env).filter(([name]) => !/^(PORTARIA_|NODE_(TEST|OPTIONS|ENV)|PORT$|HOST$)/.test(name))
  const own = { CI: '1', NEXT_TELEMETRY_DISABLED: '1', ASTRO_TELEMETRY_DISABLED: '1' }
  const env = { ...Object.fromEntries(inherited), ...own, ...environment }
  const child = spawn(file, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true })
  opened.push(child)
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text: string) => (said += text))
  return { child, said: () => said }
}

async function execute(command: string[], cwd: string, environment: Record<string, string>): Promise<string> {
  const { child, said } = spawnIn(cwd, command, environment)
  const [code] = await once(child, 'close')
  assert.equal(code, 0, `${command.join(' ')}\n${said()}`)
  return said()
}

async function listen(command: string[], cwd: string, url: string, environment: Record<string, string>): Promise<void> {
  const { child, said } = spawnIn(cwd, command, environment)
  const until = Date.now() + STARTS_MS
  for (;;) {
    const answers = await fetch(url, { redirect: 'manual' }).then(
      () => true,
      () => false,
    )
    if (answers) return
    assert.ok(child.exitCode === null && Date.now() < until, `it does not start:\n${said()}`)
    await wait(100)
  }
}
