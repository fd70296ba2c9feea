import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import process from 'node:process'
import { after, before, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { freePort } from '../server/test/support/free-port.ts'
import { until } from '../server/test/support/until.ts'
import { type OwnBrowser, openBrowser } from './harness/browser.ts'
import { heading, isKnown, passSplash, signIn } from './harness/steps.ts'

const NAME = 'Ana Flávia Conceição'

describe('The demo', () => {
  let browser: OwnBrowser
  before(async () => {
    browser = await openBrowser()
  })
  after(() => browser.close())

  it('shows with what it prints how one sign-in opens three apps and one sign-out closes them, again at a second start with a port of its own, and leaves nothing running', async () => {
    const context = await browser.newContext({ locale: 'pt-BR' })
    context.setDefaultTimeout(60_000)
    for (const start of ['first', 'second']) {
      const port = start === 'first' ? undefined : await freePort()
      const demo = await startDemo(port)
      if (port !== undefined) assert.equal(demo.service, `http://localhost:${port}`)
      const { painel, livraria, biblioteca, service, email, password, cpf, phone } = demo
      const tab = await context.newPage()
      await tab.goto(painel)
      await signIn(tab, email, { password })
      await tab.getByLabel('CPF ou CNPJ').fill(cpf)
      await tab.getByLabel('Telefone').fill(phone)
      await tab.getByRole('button', { name: 'Salvar e continuar' }).click()
      await passSplash(tab)
      await isKnown(tab, painel, NAME)
      await tab.goto(livraria)
      await tab.getByRole('link', { name: 'Sign in with Portaria' }).click()
      await tab.getByRole('link', { name: 'Continuar para Livraria Aurora' }).click()
      await isKnown(tab, livraria, NAME)
      await tab.goto(biblioteca)
      await tab.getByRole('link', { name: 'Sign in with Portaria' }).click()
      await isKnown(tab, biblioteca, NAME)
      await tab.goto(service)
      await heading(tab, 'Sua conta')
      await tab.getByRole('link', { name: 'Sair', exact: true }).click()
      await until(async () => {
        await tab.goto(biblioteca)
        return (await tab.getByRole('link', { name: 'Sign in with Portaria' }).count()) === 1
      })
      await tab.close()
      await openConsole(browser, demo)

      demo.process.kill('SIGINT')
      assert.deepEqual(await once(demo.process, 'exit'), [0, null], `${start} start`)
      for (const url of [painel, livraria, biblioteca, service]) await assert.rejects(fetch(url), `${url} after the ${start} start`)
    }
  })
})

/** In another browser: the administrator is somebody else. */
async function openConsole(browser: OwnBrowser, { console: address, administrator, password }: Awaited<ReturnType<typeof startDemo>>) {
  const context = await browser.newContext({ locale: 'pt-BR' })
  const tab = await context.newPage()
  await tab.goto(address)
  await signIn(tab, administrator, { password })
  await heading(tab, 'Início')
  await context.close()
}

async function startDemo(port: number | undefined) {
  const child = spawn(process.execPath, [fileURLToPath(new URL('../scripts/demo.ts', import.meta.url))], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, PORT: port === undefined ? '' : String(port) },
  })
  process.once('exit', () => child.kill())
  const text = await readUntil(child, /^ *Phone .*$/m)
  const find = (pattern: RegExp) => pattern.exec(text)?.[1] ?? assert.fail(`the demo does not print ${pattern}: ${text}`)
  return {
    process: child,
    painel: find(/^ *1 +(\S+)/m),
    livraria: find(/^ *2 +(\S+)/m),
    biblioteca: find(/^ *3 +(\S+)/m),
    service: find(/^ *4 +(\S+)/m),
    console: find(/^ *5 +(\S+)/m),
    administrator: find(/^ *5 .* sign in as (\S+),/m),
    email: find(/^ *E-mail +(\S+)$/m),
    password: find(/^ *Password +(\S+)$/m),
    cpf: find(/^ *CPF +(\S+)$/m),
    phone: find(/^ *Phone +(.+)$/m),
  }
}

async function readUntil({ stdout }: ChildProcess, end: RegExp): Promise<string> {
  let text = ''
  for await (const chunk of stdout?.iterator({ destroyOnReturn: false }) ?? []) {
    text += chunk
    if (end.test(text)) break
  }
  return text
}
