import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { text } from 'node:stream/consumers'
import { after, before, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { setupTexts } from '../server/src/admin/setup/setup-texts.ts'
import { texts } from '../server/src/pages/texts.ts'
import { freePort } from '../server/test/support/free-port.ts'
import { openTerminal } from '../server/test/support/terminal.ts'
import { until } from '../server/test/support/until.ts'
import { type OwnBrowser, openBrowser } from './harness/browser.ts'
import { newVisitor } from './harness/harness.ts'
import { isKnown } from './harness/steps.ts'

const OWNER = { name: 'Dona Flor', email: 'dona@exemplo.com.br', password: 'girassol azul no telhado' }
const [program, example] = ['../server/bin/portaria.mjs', '../scripts/example.ts'].map((file) =>
  fileURLToPath(new URL(file, import.meta.url)),
)
const labels = { ...texts['pt-BR'], ...setupTexts['pt-BR'] }

describe('The first run', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'portaria-first-run-'))
  let browser: OwnBrowser
  let service: { url: string; setupUrl: string; environment: Record<string, string> }
  const complaints: string[] = []
  before(async () => {
    browser = await openBrowser()
    service = await startService()
  })
  after(async () => {
    await browser.close()
    rmSync(folder, { recursive: true, force: true })
  })

  /** `npm start` in an empty folder, at a terminal that shows the address. */
  async function startService() {
    const environment = { PORT: String(await freePort()) }
    const terminal = openTerminal([program ?? '', 'serve'], { environment, cwd: folder })
    const address = /^ {2}(http:\S+\/setup\?token=\S+)$/m
    await until(() => address.test(terminal.screen()))
    return { url: `http://localhost:${environment.PORT}`, setupUrl: address.exec(terminal.screen())?.[1] ?? '', environment }
  }

  /** A command in the service's folder; what it printed, as JSON. */
  async function portaria(...argv: string[]) {
    const env = { PATH: process.env.PATH ?? '', ...service.environment }
    const child = spawn(process.execPath, [program ?? '', ...argv, '--json'], { cwd: folder, env, stdio: ['ignore', 'pipe', 'inherit'] })
    return JSON.parse(await text(child.stdout))
  }

  const newProduct = (slug: string, uri: string, audience = 'external') =>
    portaria(
      'product',
      'create',
      '--slug',
      slug,
      '--name',
      'Loja do Bruno',
      '--audience',
      audience,
      '--checkout',
      'external',
      '--redirect-uri',
      uri,
    )

  it('goes from the address on the screen to an app that somebody has signed in to, with what the screen says alone', async () => {
    const tab = await newVisitor(browser, {}, complaints)
    await tab.goto(service.setupUrl)
    await tab.getByLabel(labels.signUp.name).fill(OWNER.name)
    await tab.getByLabel(labels.login.email).fill(OWNER.email)
    await tab.getByLabel(labels.login.password, { exact: true }).fill(OWNER.password)
    await tab.getByRole('button', { name: labels.setup.submit }).click()
    await tab.waitForURL(`${service.url}/admin`)
    const names = (await tab.context().cookies()).map(({ name }) => name)
    for (const name of ['eg_session', 'portaria']) assert.ok(names.includes(name), name)
    const [owner] = await portaria('user', 'list')
    assert.deepEqual([owner.email, owner.role], [OWNER.email, 'owner'])

    const app = `http://127.0.0.1:${await freePort()}`
    const { publishable_key, api_key } = await newProduct('clube', `${app}/auth/callback`)
    const terminal = openTerminal([example ?? '', 'external'], { environment: {} })
    await until(() => terminal.screen().includes('PORTARIA_API_KEY=…'))
    terminal.type(`PORTARIA_URL=${service.url}\nPORTARIA_PUBLISHABLE_KEY=${publishable_key}\nPORTARIA_API_KEY=${api_key}\n`)
    await until(() => terminal.screen().includes(`Loja do Bruno is at ${app}`))
    assert.ok(!terminal.screen().includes(api_key), 'the secret is not shown')

    await tab.goto(app)
    await tab.getByRole('link', { name: 'Sign in with Portaria' }).click()
    await tab.getByLabel(labels.profile.taxId).fill('529.982.247-25')
    await tab.getByLabel(labels.profile.phone).fill('(11) 98765-4321')
    await tab.getByRole('button', { name: labels.profile.submit }).click()
    await tab.getByRole('link', { name: 'Continuar para Loja do Bruno' }).click()
    await isKnown(tab, app, OWNER.name)
    terminal.type('\u0003')
    await until(() => terminal.child.exitCode !== null)
    await assert.rejects(fetch(app), 'nothing is left running')
    assert.deepEqual(complaints, [])
  })

  it('takes the lines of the example from a file or a pipe, in any form that shells know', async () => {
    const uri = `http://127.0.0.1:${await freePort()}/auth/callback`
    const { publishable_key, api_key } = await newProduct('arquivo', uri)
    const file = path.join(folder, 'app.env')
    const lines = `# mine\nexport PORTARIA_API_KEY="${api_key}"\n\nPORTARIA_PUBLISHABLE_KEY='${publishable_key}'\r\nPORTARIA_URL=${service.url}/\n`
    writeFileSync(file, lines)
    for (const [argv, stdin] of [[['external', file], ''] as const, [['external'], lines] as const]) {
      const said = await runExample(argv, stdin, / is at (\S+)/)
      assert.match(said.out, new RegExp(`Loja do Bruno is at ${new URL(uri).origin}`))
    }
  })

  it('says in one line what is wrong with the lines, and how to fix it', async () => {
    const port = await freePort()
    const { publishable_key: pk, api_key: sk } = await newProduct('longe', 'https://clube.example/auth/callback')
    const own = await newProduct('mesmo', `http://localhost:${port}/auth/callback`)
    const inner = await newProduct('interno', `http://127.0.0.1:${port}/auth/callback`, 'internal')
    const nobody = `http://localhost:${await freePort()}`
    const linesOf = (publishableKey: string, apiKey: string, url = service.url) =>
      `PORTARIA_URL=${url}\nPORTARIA_PUBLISHABLE_KEY=${publishableKey}\nPORTARIA_API_KEY=${apiKey}`
    for (const [argv, stdin, sentence] of [
      [[], '', /^npm run example -- external /],
      [['internal'], '', /^npm run example -- external /],
      [['external', 'no-such.env'], '', /^no-such\.env can't be read/],
      [['external'], `PORTARIA_API_KEY=${sk}`, /^missing: PORTARIA_URL, PORTARIA_PUBLISHABLE_KEY\. /],
      [['external'], linesOf(pk, sk, 'localhost'), /^PORTARIA_URL: localhost is no address/],
      [['external'], linesOf(pk, sk, nobody), /^no answer from http:\/\/localhost:\d+: does Portaria run there/],
      [['external'], linesOf(pk, `${sk.slice(0, -1)}_`), /does not know this API key/],
      [['external'], linesOf(own.publishable_key, sk), /two keys are of different products/],
      [['external'], linesOf(inner.publishable_key, inner.api_key), /interno is an internal app/],
      [['external'], linesOf(pk, sk), /npx portaria product set longe --add-uri http:\/\/127\.0\.0\.1:4004\/auth\/callback/],
      [['external'], linesOf(own.publishable_key, own.api_key), /mesmo has no redirect URI on this machine/],
    ] as const) {
      const said = await runExample(argv, stdin)
      assert.match(said.err, sentence)
      assert.equal(said.code, sentence.source.startsWith('^npm') ? 2 : 1)
      assert.ok(!(said.out + said.err).includes(sk))
    }
  })
})

/** The command with its standard input from a pipe, until it ends or has said something. */
async function runExample(
  argv: readonly string[],
  stdin: string,
  enough?: RegExp,
): Promise<{ code: number | null; out: string; err: string }> {
  const child = spawn(process.execPath, [example ?? '', ...argv], { stdio: ['pipe', 'pipe', 'pipe'] })
  child.stdin.end(stdin)
  let [out, err] = ['', '']
  child.stderr.setEncoding('utf8').on('data', (said: string) => (err += said))
  child.stdout.setEncoding('utf8').on('data', (said: string) => {
    out += said
    if (enough?.test(out)) child.kill('SIGTERM')
  })
  const { promise, resolve } = Promise.withResolvers<{ code: number | null; out: string; err: string }>()
  child.on('close', (code) => resolve({ code, out, err }))
  return promise
}
