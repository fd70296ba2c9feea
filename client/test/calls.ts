import type { FaultyProxy } from './faulty-proxy.ts'

/** A `fetch` for an app, and what waits until none of its calls is under way any more: a look need not wait for the end of its own. */
export function watchedCalls(): { fetch: typeof fetch; areOver(): Promise<void> } {
  const underWay = new Set<Promise<Response>>()
  const call = async (...asked: Parameters<typeof fetch>) => {
    const answer = await fetch(...asked)
    return new Response(await answer.arrayBuffer(), answer)
  }
  return {
    fetch(...asked) {
      const called = call(...asked)
      underWay.add(called)
      const end = () => void underWay.delete(called)
      called.then(end, end)
      return called
    },
    async areOver() {
      while (underWay.size > 0) await Promise.allSettled(underWay)
      // The answer is all here: the app has read it before anything else is begun.
      await new Promise((resolve) => setImmediate(resolve))
    },
  }
}

/**
 * The options of an app that soon gives up on a Portaria that fails, since some failures show only by that. On one that is well it waits
 * for long, since on a busy machine that one may take its time too. `call`: what asks.
 */
export function impatientWith(proxy: FaultyProxy, call: typeof fetch = fetch): { timeoutMs: number; fetch: typeof fetch } {
  return {
    timeoutMs: 20_000,
    // A call without a limit of its own gets none.
    fetch: (input, init) => {
      const signal = init?.signal && proxy.isFailing() ? AbortSignal.any([init.signal, AbortSignal.timeout(400)]) : init?.signal
      return call(input, signal ? { ...init, signal } : init)
    },
  }
}
