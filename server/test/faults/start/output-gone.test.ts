import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, mkdtempSync, openSync, rmSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { after, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { findPortHolder } from '../../../src/http/server/port-holder.ts'
import { freePort } from '../../support/free-port.ts'
import { memoryFolder } from '../../support/memory-folder.ts'
import { openTerminal } from '../../support/terminal.ts'
import { until } from '../../support/until.ts'

const program = fileURLToPath(new URL('../../../bin/portaria.mjs', import.meta.url))
/** Only Linux says who listens where, and has a file that is always full. */
const isLinux = process.platform === 'linux'

describe('A service whose output is gone', () => {
  const folder = mkdtempSync(path.join(memoryFolder(), 'portaria-output-'))
  const started = new Set<number>()
  after(() => {
    for (const pid of started) if (isRunning(pid)) process.kill(pid, 'SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  })
  let services = 0
  const at = async () => {
    const port = await freePort()
    return { PORT: String(port), HOST: 'localhost', DATABASE_URL: `sqlite:${folder}/${++services}/portaria.db` }
  }
  const isUp = ({ PORT }: { PORT: string }) =>
    fetch(`http://localhost:${PORT}/healthz`).then(
      ({ ok }) => ok,
      () => false,
    )
  /** The process that listens, which may be a child of the one started. */
  const pidAt = async ({ PORT }: { PORT: string }): Promise<number> => {
    const holder = await findPortHolder(Number(PORT))
    assert.ok(holder, 'nobody listens')
    started.add(holder.pid)
    return holder.pid
  }

  /** The service at a terminal that is then closed; `before` stands before the command. */
  async function atClosedTerminal(environment: Record<string, string> & { PORT: string }, before: string): Promise<number> {
    const { child, screen } = openTerminal([program, 'serve'], { environment, before })
    await until(() => screen().includes('is ready at'))
    const pid = await pidAt(environment)
    child.kill('SIGKILL') // the window goes, and with it the terminal
    return pid
  }

  if (isLinux)
    it('N3: stops when its terminal is closed, and the next start has the port', async () => {
      const environment = await at()
      const pid = await atClosedTerminal(environment, '')
      await until(() => !isRunning(pid))
      const next = await atClosedTerminal(environment, '')
      await until(() => !isRunning(next))
    })

  if (isLinux)
    it('N3: in a session of its own goes on without its terminal, and stops when it is asked to', async () => {
      const environment = await at()
      const pid = await atClosedTerminal(environment, 'setsid --wait')
      for (let times = 0; times < 20; times++) assert.ok(await isUp(environment))
      process.kill(pid, 'SIGTERM')
      await until(() => !isRunning(pid))
    })

  if (isLinux)
    it('N3: goes on when its terminal holds, and stops when it is asked to', async () => {
      const environment = await at()
      const { screen, type } = openTerminal([program, 'serve'], { environment })
      await until(() => screen().includes('is ready at'))
      const pid = await pidAt(environment)
      type('\u0013')
      for (let times = 0; times < 500; times++) assert.ok(await isUp(environment))
      process.kill(pid, 'SIGTERM')
      await until(() => !isRunning(pid))
    })

  function start(environment: Record<string, string>, stdio: (number | 'pipe' | 'ignore')[]): ChildProcess {
    const env = { PATH: process.env.PATH, PORTARIA_LOG_LEVEL: 'debug', ...environment }
    const child = spawn(process.execPath, [program, 'serve'], { env, stdio: ['ignore', ...stdio] })
    if (child.pid !== undefined) started.add(child.pid)
    return child
  }
  async function goesOnAndStops(child: ChildProcess, environment: { PORT: string }): Promise<void> {
    await until(() => isUp(environment))
    for (let times = 0; times < 50; times++) assert.equal((await fetch(`http://localhost:${environment.PORT}/login`)).status, 200)
    assert.equal(child.exitCode, null)
    child.kill('SIGTERM')
    await until(() => child.exitCode !== null || child.signalCode !== null)
    assert.deepEqual([child.exitCode, child.signalCode], [0, null])
  }

  for (const gone of ['stdout', 'stderr'] as const)
    it(`N3: goes on when nobody reads its ${gone} any more, from the start on or later, and stops when it is asked to`, async () => {
      for (const when of ['at_once', 'later'] as const) {
        const environment = await at()
        const child = start(environment, ['pipe', 'pipe'])
        if (when === 'later') await until(() => isUp(environment))
        child[gone]?.destroy()
        child[gone === 'stdout' ? 'stderr' : 'stdout']?.resume()
        await goesOnAndStops(child, environment)
      }
    })

  it('N3: goes on when the one who reads its log has stopped reading, and stops when it is asked to', async () => {
    const environment = await at()
    const child = start(environment, ['pipe', 'ignore'])
    await until(() => isUp(environment))
    // More lines than a pipe or socket holds.
    for (let round = 0; round < 60; round++)
      await Promise.all(Array.from({ length: 50 }, () => fetch(`http://localhost:${environment.PORT}/login`)))
    await goesOnAndStops(child, environment)
  })

  if (isLinux)
    it('N3: goes on when its log has no room left, and stops when it is asked to', async () => {
      const environment = await at()
      const full = openSync('/dev/full', 'w')
      const child = start(environment, [full, 'ignore'])
      closeSync(full)
      await goesOnAndStops(child, environment)
    })

  if (isLinux)
    it('N3: says at the next start which process has the port', async () => {
      const environment = await at()
      const first = start(environment, ['ignore', 'ignore'])
      await until(() => isUp(environment))
      const second = start(environment, ['ignore', 'pipe'])
      let said = ''
      second.stderr?.setEncoding('utf8').on('data', (text: string) => (said += text))
      await until(() => second.exitCode !== null)
      assert.equal(
        said,
        `PORT: expects a free port; localhost:${environment.PORT} is in use by process ${first.pid} (another Portaria; kill ${first.pid} stops it)\n`,
      )
      first.kill('SIGTERM')
      await until(() => first.exitCode !== null)
    })
})

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

describe('A command whose output has no room', () => {
  if (isLinux)
    it('says so in a sentence', async () => {
      const full = openSync('/dev/full', 'w')
      const child = spawn(process.execPath, [program, '--help'], { stdio: ['ignore', full, 'pipe'] })
      let said = ''
      child.stderr?.setEncoding('utf8').on('data', (text: string) => (said += text))
      const [code] = await once(child, 'close')
      closeSync(full)
      assert.deepEqual([code, said], [1, 'portaria: the output could not be written to its end (ENOSPC: no space left on device, write)\n'])
    })
})
