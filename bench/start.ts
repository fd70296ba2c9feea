import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { performance } from 'node:perf_hooks'
import process from 'node:process'
import { freePort } from '../server/test/support/free-port.ts'
import { atMost, median, type Row } from './harness/figures.ts'
import { root, settingsOf, untilListening } from './harness/processes.ts'

const STARTS = 5

/** From `npm start` to a port that listens, on a database that is there already. Not pinned: an operator's isn't either. */
export async function measureStart(folder: string): Promise<Row> {
  await startOnce(folder)
  const took: number[] = []
  for (let n = 0; n < STARTS; n++) took.push(await startOnce(folder))
  const ms = median(took)
  return {
    figure: 'second `npm start`, to listening',
    value: `**${(ms / 1000).toFixed(2)} s**`,
    target: atMost(0.8, ms / 1000, ' s'),
    beside: `median of ${STARTS}: ${took.map((each) => (each / 1000).toFixed(2)).join(', ')}`,
  }
}

async function startOnce(folder: string): Promise<number> {
  const port = await freePort()
  const startedAt = performance.now()
  // In a group of its own, since npm stands between us and the service.
  const child = spawn('npm', ['start'], {
    cwd: root,
    env: { ...process.env, ...settingsOf(folder, port) },
    stdio: 'ignore',
    detached: true,
  })
  await untilListening(port, child)
  const ms = performance.now() - startedAt
  if (child.pid) process.kill(-child.pid, 'SIGTERM')
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  return ms
}
