import type { ChildProcess } from 'node:child_process'
import cluster from 'node:cluster'
import process from 'node:process'
import type { FromChild, FromParent } from './messages.ts'

/** One of the processes, as their parent sees it. */
export interface Member {
  pid: number | undefined
  /** A process that has just ended takes no message, and needs none. */
  notify(message: FromParent): void
  kill(signal: NodeJS.Signals): void
  startedAt: number
  isServing: boolean
  /** It was asked to end. */
  isLeaving: boolean
  /** Whether it came to listen. */
  begun: Promise<'serving' | 'ended'>
  ended: Promise<End>
}

/** How a process ended, or why the system did not start it. */
export interface End {
  code: number | null
  signal: NodeJS.Signals | null
  fault?: string
}

/** `first`: it starts alone, finds the faults of the environment, and greets the operator. */
export type Place = 'first' | 'later'

// The processes accept from one listening socket, which is open as long as one of them is: no connection is lost when one of them ends.
// (With a socket for each, by SO_REUSEPORT, those that wait to be accepted by the one that ends are reset.)
cluster.schedulingPolicy = cluster.SCHED_NONE

/** Starts the launcher once more, as one of the processes of a parent. Never throws: a process that can't be started has ended. */
export function startMember(program: string, place: Place, onMessage: (member: Member, message: FromChild) => void): Member {
  const serving = Promise.withResolvers<'serving'>()
  const end = Promise.withResolvers<End>()
  const child = fork(program, place, (fault) => end.resolve({ code: null, signal: null, fault: fault.message }))
  child?.once('exit', (code, signal) => end.resolve({ code, signal }))
  const member: Member = {
    pid: child?.pid,
    notify: (message) => void (child?.connected && child.send(message, () => {})),
    kill: (signal) => void child?.kill(signal),
    startedAt: performance.now(),
    isServing: false,
    isLeaving: false,
    begun: Promise.race([serving.promise, end.promise.then(() => 'ended' as const)]),
    ended: end.promise,
  }
  child?.on('message', (message: FromChild) => {
    if (message.type === 'serving') {
      member.isServing = true
      serving.resolve('serving')
    }
    onMessage(member, message)
  })
  return member
}

/** A system without memory or processes to spare throws, or has no child with this id; either is reported once, by `onFault`. */
function fork(program: string, place: Place, onFault: (fault: Error) => void): ChildProcess | undefined {
  // As the launcher does for a process without a channel to a parent.
  const malloc = { MALLOC_MMAP_THRESHOLD_: process.env.MALLOC_MMAP_THRESHOLD_ ?? String(1024 ** 2) }
  cluster.setupPrimary({
    exec: program,
    args: ['serve', '--process', place],
    execArgv: [...process.execArgv, '--expose-gc'],
    serialization: 'advanced', // numbers that can't be read are NaN, which JSON has not
  })
  try {
    const worker = cluster.fork(malloc)
    // A message or a signal that does not arrive is a fault, too, and no end.
    worker.on('error', (fault) => worker.process.pid === undefined && onFault(fault))
    return worker.process
  } catch (fault) {
    onFault(fault instanceof Error ? fault : new Error(String(fault)))
    return undefined
  }
}
