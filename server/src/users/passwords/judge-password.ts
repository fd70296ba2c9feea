import { Worker } from 'node:worker_threads'
import { MINUTE_MS } from '../../kit/index.ts'
import type { PasswordWeakness } from './password-strength.ts'

/** A question to the worker thread, and its answer. */
export interface JudgeQuestion {
  id: number
  password: string
  personal: readonly string[]
}
export interface JudgeAnswer {
  id: number
  weakness: PasswordWeakness | undefined
}

/** A judgement may take a tenth of a second: behind more than these, an answer would come too late. */
const MAX_PENDING = 32
/** The thread holds large dictionaries. It ends when idle for this long; the next password starts it anew. */
const IDLE_MS = MINUTE_MS
const HEAP_MB = 256

let judge: Judge | undefined

/** Why a password is too easy to guess, judged on a thread of its own so that the event loop goes on. `busy` when too many wait. */
export async function judgePassword(password: string, personal: readonly string[]): Promise<PasswordWeakness | 'busy' | undefined> {
  judge ??= startJudge(() => {
    judge = undefined
  })
  return judge.ask(password, personal)
}

interface Judge {
  ask(password: string, personal: readonly string[]): Promise<PasswordWeakness | 'busy' | undefined>
}

function startJudge(onEnd: () => void): Judge {
  // The options of this process (a debugger, a preloaded module) are not for the thread.
  const worker = new Worker(new URL('./password-worker.ts', import.meta.url), {
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
  })
  const pending = new Map<number, PromiseWithResolvers<PasswordWeakness | undefined>>()
  let asked = 0
  const idle = setTimeout(() => end(), IDLE_MS).unref()
  const end = (fault: Error = new Error('the thread that judges passwords has ended')) => {
    clearTimeout(idle)
    onEnd()
    for (const { reject } of pending.values()) reject(fault)
    pending.clear()
    void worker.terminate()
  }
  worker.on('message', ({ id, weakness }: JudgeAnswer) => {
    pending.get(id)?.resolve(weakness)
    pending.delete(id)
    if (pending.size > 0) return
    worker.unref() // an idle process may end
    idle.refresh()
  })
  worker.on('error', end)
  return {
    async ask(password, personal) {
      if (pending.size >= MAX_PENDING) return 'busy'
      const question: JudgeQuestion = { id: ++asked, password, personal }
      const answer = Promise.withResolvers<PasswordWeakness | undefined>()
      pending.set(question.id, answer)
      idle.refresh()
      worker.ref()
      worker.postMessage(question)
      return answer.promise
    },
  }
}
