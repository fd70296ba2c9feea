// The parent of several processes that serve one port. The launcher loads it in the place of the service, of which it imports nothing.
import process from 'node:process'
import { createCrew } from './crew.ts'
import { createParentLog } from './parent-log.ts'

/**
 * Runs `count` processes of `program`, which serve the same port, until it is told to stop; answers the exit code. The first starts alone:
 * it finds the faults of the environment, makes what a first start makes, and ends all if it can't start. One that ends later is replaced.
 * SIGTERM and SIGINT drain them one after the other; SIGINT after a first signal ends them at once. SIGHUP puts a new process in the place
 * of each, so that a new version takes over while the port is served; at a terminal, which sends it when it is closed, it means the end.
 */
export async function runProcesses(count: number, program: string): Promise<number> {
  const log = createParentLog(process.env.PORTARIA_LOG_LEVEL)
  const crew = createCrew({ count, program, log })
  const stopped = Promise.withResolvers<void>()
  let isAsked = false
  const stop = () => {
    if (isAsked) crew.kill()
    isAsked = true
    crew.stop().then(stopped.resolve, stopped.reject)
  }
  const isAtTerminal = process.stdin.isTTY
  const stopOnce = () => isAsked || stop()
  process.on('SIGTERM', stopOnce)
  process.on('SIGINT', stop)
  const first = crew.start('first')
  // The first starts alone; what is asked before it serves waits for it.
  const renew = () => void first.begun.then((begun) => (begun === 'serving' ? crew.renew() : undefined))
  process.on('SIGHUP', () => (isAtTerminal ? stopOnce() : renew()))
  if ((await first.begun) === 'ended') {
    const { code, fault } = await first.ended
    if (fault !== undefined) log.write('error', { fault }, 'the first process could not be started')
    await log.end()
    // Of one that was ended by a signal before it served.
    return code ?? (isAsked ? 0 : 1)
  }
  crew.fill()
  await stopped.promise
  await log.end()
  return 0
}
