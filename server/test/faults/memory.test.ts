import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import process from 'node:process'
import { after, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { Browser, hiddenFlow } from '../support/browser.ts'
import { onSqlite } from '../support/databases.ts'
import { freePort } from '../support/free-port.ts'
import { environmentBeside } from '../support/server-process.ts'
import { startService } from '../support/service.ts'
import { until } from '../support/until.ts'

const BIN = fileURLToPath(new URL('../../bin/portaria.mjs', import.meta.url))
const MB = 1024

/** The private memory of a process, in KB. */
function residentKb(pid: number): number {
  return Number(/RssAnon:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1])
}

/** All that is resident, code and files included, as the service itself counts. */
function allKb(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1])
}

onSqlite('The memory of a service', (database) => {
  // Elsewhere there is neither /proc nor the allocator that this is about.
  if (process.platform !== 'linux') return

  /** The service as its launcher starts it, in a process of its own. */
  async function start() {
    const port = await freePort()
    const hand = await startService(await database.fresh(), { environment: { PORTARIA_URL: `http://localhost:${port}` } })
    const environment = environmentBeside(hand, { port })
    await hand.stop()
    const { PATH = '' } = process.env
    const child = spawn(process.execPath, [BIN, 'serve'], {
      env: { PATH, HOST: 'localhost', ...environment },
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    after(() => void child.kill('SIGKILL'))
    let said = ''
    child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text))
    await until(() => said.includes('is ready at'))
    const browser = () => new Browser(`http://localhost:${port}`, { origin: environment.PORTARIA_URL ?? '', headers: {} })
    return { pid: child.pid ?? assert.fail(), port, browser }
  }

  it('F14: does not keep what passwords took: a storm of sign-ins leaves less behind than two of them use', async () => {
    const { pid, browser: newBrowser } = await start()
    const open = async () => {
      const browser = newBrowser()
      return { browser, flow: hiddenFlow((await browser.get('/login')).text) }
    }
    const signInAtOnce = async (senders: number) => {
      // The storm is of passwords: on a slow machine as many pages at once would be shed.
      const forms: Awaited<ReturnType<typeof open>>[] = []
      for (let i = 0; i < senders; i++) forms.push(await open())
      const answers = await Promise.all(
        forms.map(({ browser, flow }, i) =>
          browser.submit('/login', { flow, email: `pessoa${i}@exemplo.com.br`, password: 'no such user' }),
        ),
      )
      assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([401]))
    }
    await signInAtOnce(1)
    const before = residentKb(pid)
    await signInAtOnce(32)
    await until(() => residentKb(pid) - before < 38 * MB)
  })

  it('F14: has its memory back soon after a storm, but for a fifth', async () => {
    const { pid, port, browser } = await start()
    await browser().get('/login')
    const before = allKb(pid)
    const limit = before * 1.2
    const sockets = Array.from({ length: 100 }, () => connect({ port, host: 'localhost' }).on('error', () => {}))
    const pages = `GET /login HTTP/1.1\r\nhost: localhost:${port}\r\n\r\n`.repeat(5)
    for (const socket of sockets) {
      socket.on('data', () => socket.writableLength === 0 && socket.write(pages.slice(0, pages.length / 5)))
      socket.write(pages)
    }
    await until(() => allKb(pid) > limit + 16 * MB)
    for (const socket of sockets) socket.destroy()
    await until(() => allKb(pid) < limit, 120_000)
  })
})
