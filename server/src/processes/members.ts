import type { ChildProcess } from 'node:child_process'
import cluster from 'node:cluster'
import { once } from 'node:events'
import process from 'node:process'
import type { FromChild } from './messages.ts'

/** One of the processes, as their parent sees it. */
export interface Member {
  child: ChildProcess
  startedAt: number
  isServing: boolean
  /** It was asked to end. */
  isLeaving: boolean
  /** Whether it came to listen. */
  begun: Promise<'serving' | 'ended'>
  ended: Promise<{ code: number | null; signal: NodeJS.Signals | null }>
}

/** `first`: it starts alone, finds the faults of the environment, and greets the operator. */
export type Place = 'first' | 'later'

// The processes accept from one listening socket, which is open as long as one of them is: no connection is lost when one of them ends.
// (With a socket for each, by SO_REUSEPORT, those that wait to be accepted by the one that ends are reset.)
cluster.schedulingPolicy = cluster.SCHED_NONE

/** Starts the launcher once more, as one of the processes of a parent. */
export function startMember(program: string, place: Place, onMessage: (message: FromChild) => void): Member {
  // As the launcher does for a process without a channel to a parent.
  const malloc = { MALLOC_MMAP_THRESHOLD_: process.env.MALLOC_MMAP_THRESHOLD_ ?? String(1024 ** 2) }
  cluster.setupPrimary({
    exec: program,
    args: ['serve', '--process', place],
    execArgv: [...process.execArgv, '--expose-gc'],
    serialization: 'advanced', // numbers that can't be read are NaN, which JSON has not
  })
  const child = cluster.fork(malloc).process
  const serving = Promise.withResolvers<'serving'>()
  const ended = once(child, 'exit').then(([code, signal]) => ({ code, signal }))
  const begun = Promise.race([serving.promise, ended.then(() => 'ended' as const)])
  const member: Member = { child, startedAt: performance.now(), isServing: false, isLeaving: false, begun, ended }
  child.on('message', (message: FromChild) => {
    if (message.type === 'serving') {
      member.isServing = true
      serving.resolve('serving')
    }
    onMessage(message)
  })
  return member
}
