import { BoundedMap } from '../bounded-map.ts'
import type { Service } from '../service/service.ts'

/** Repeats sign-outs at a Portaria that does not answer. */
export interface LateSignOuts {
  /** Ends a session with Portaria. Without an answer it is tried again, for about two hours while this process lives. Never rejects. */
  signOut(token: string): Promise<void>
}

/** Each pause is twice the one before: two hours together. */
const FIRST_PAUSE_MS = 1_000
const MAX_ATTEMPTS = 13

export function createLateSignOuts(service: Pick<Service, 'signOut'>): LateSignOuts {
  // More than one app has in two hours; the oldest are given up.
  const pending = new BoundedMap<string, true>()
  const attempt = async (token: string, failed: number): Promise<void> => {
    const answer = await service.signOut(token)
    if (answer === 'done' || failed === MAX_ATTEMPTS) return void pending.delete(token)
    if (failed === 0) pending.set(token, true)
    const again = () => void (pending.get(token) && attempt(token, failed + 1))
    // An app that ends does not wait for it. In runtimes whose timers are numbers this has no meaning.
    const timer: { unref?: () => void } = Object(setTimeout(again, FIRST_PAUSE_MS * 2 ** failed))
    timer.unref?.()
  }
  return { signOut: (token) => attempt(token, 0) }
}
