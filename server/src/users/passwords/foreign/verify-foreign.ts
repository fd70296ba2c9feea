import { Worker } from 'node:worker_threads'
import { decoyOf, type ForeignHash } from './foreign-hash.ts'

/** A question to the worker thread, and its answer. Bytes travel as `Uint8Array`. */
export interface ForeignQuestion {
  id: number
  password: string
  hashes: Array<{ cost: string; salt: Uint8Array; tag: Uint8Array }>
  /** Whether the first hash is a user's, not a decoy. */
  own: boolean
}
export interface ForeignAnswer {
  id: number
  matches: boolean
}

let thread: { ask(question: Omit<ForeignQuestion, 'id'>): Promise<boolean> } | undefined

/**
 * Whether the password is that of a foreign hash. It computes one hash of each stored cost, whoever asks: the user's own takes the place of
 * the decoy of its cost. So the time is the same for a user with a foreign hash, for one with ours and for nobody.
 */
export async function verifyForeign(password: string, hash: ForeignHash | undefined, costs: readonly string[]): Promise<boolean> {
  const hashes = hashesToCompute(hash, costs)
  if (hashes.length === 0) return false
  thread ??= startThread(() => {
    thread = undefined
  })
  return thread.ask({ password, hashes, own: hash !== undefined })
}

/** The user's own hash first, then decoys: one hash of each cost. */
export function hashesToCompute(hash: ForeignHash | undefined, costs: readonly string[]): ForeignHash[] {
  const decoys = costs.filter((cost) => cost !== hash?.cost).map(decoyOf)
  return hash ? [hash, ...decoys] : decoys
}

function startThread(onEnd: () => void) {
  // The options of this process (a debugger, a preloaded module) are not for the thread.
  const worker = new Worker(new URL('./foreign-worker.ts', import.meta.url), { execArgv: [] })
  const pending = new Map<number, PromiseWithResolvers<boolean>>()
  let asked = 0
  worker.unref() // an idle process may end
  worker.on('message', ({ id, matches }: ForeignAnswer) => {
    pending.get(id)?.resolve(matches)
    pending.delete(id)
    if (pending.size === 0) worker.unref()
  })
  const end = (fault: Error) => {
    onEnd()
    for (const { reject } of pending.values()) reject(fault)
    pending.clear()
    void worker.terminate()
  }
  worker.on('error', end)
  worker.on('exit', () => end(new Error('the thread for foreign hashes has ended')))
  return {
    async ask(question: Omit<ForeignQuestion, 'id'>): Promise<boolean> {
      const answer = Promise.withResolvers<boolean>()
      const id = ++asked
      pending.set(id, answer)
      worker.ref()
      worker.postMessage({ id, ...question })
      return answer.promise
    },
  }
}
