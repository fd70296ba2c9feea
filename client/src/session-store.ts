import type { Session } from './user.ts'

/** A page's knowledge of the session. `loading`: none yet. */
export type SessionState = { status: 'loading' } | Session

/** The session as a page knows it: asked of the app's server, and shared among its tabs. */
export interface SessionStore {
  /** The state at the start, also in HTML. */
  readonly initial: SessionState
  get(): SessionState
  subscribe(listener: () => void): () => void
  /** The state that the server has rendered; the same one again changes nothing. */
  adopt(session: Session): void
  /** The user of this tab is about to sign out: no other tab shows them any longer. */
  announceSignOut(): void
  /** Begins to listen, and asks if nothing is known. The answered function stops it; it can begin again. */
  start(): () => void
}

/** A window that gets the focus asks again, but not more often than this. */
const PAUSE_MS = 5_000
const TIMEOUT_MS = 10_000

/**
 * Messages between tabs. A tab that hears of a user asks the server. A tab that hears of none shows none, and asks when it gets the focus
 * again. `rendered_out`: a page rendered without a user, perhaps once for everyone; a tab that shows a user asks.
 */
type SessionChange = { status: 'signed_in'; id: string } | { status: 'signed_out' } | { status: 'rendered_out' }

export function createSessionStore(sessionPath: string, rendered: Session | undefined): SessionStore {
  const initial: SessionState = rendered ?? { status: 'loading' }
  let state = initial
  let adopted = rendered
  let askedAt = Number.NEGATIVE_INFINITY
  let later: ReturnType<typeof setTimeout> | undefined
  let asking: AbortController | undefined
  let channel: BroadcastChannel | undefined
  const listeners = new Set<() => void>()

  const set = (next: SessionState) => {
    if (isSame(next, state)) return
    state = next
    for (const listener of listeners) listener()
  }
  const notify = (change: SessionChange | undefined) => {
    if (change) channel?.postMessage(change)
  }
  const stopAsking = () => {
    clearTimeout(later)
    later = undefined
    asking?.abort()
    asking = undefined
  }

  async function ask(): Promise<void> {
    stopAsking()
    const own = new AbortController()
    asking = own
    askedAt = Date.now()
    const answer = await fetchSession(sessionPath, own)
    if (asking !== own) return // stopped, or a newer state is known
    asking = undefined
    const before = changeOf(state)
    if (answer) set(answer)
    else if (state.status === 'loading') set({ status: 'signed_out', reason: 'unconfirmed' })
    if (!isSame(changeOf(state), before)) notify(changeOf(state))
  }

  /** At the end of the pause. */
  const askSoon = () => {
    if (later !== undefined) return
    const wait = askedAt + PAUSE_MS - Date.now()
    if (wait <= 0) void ask()
    else later = setTimeout(() => void ask(), wait)
  }
  /** One call at a time. */
  const look = () => {
    if (document.visibilityState !== 'hidden' && !asking) askSoon()
  }

  const hear = ({ data }: MessageEvent<unknown>) => {
    const status: unknown = Object(data).status
    if (state.status === 'loading') return // its own answer is on the way
    if (status === 'signed_in' && !isSame(changeOf(state), data)) askSoon()
    if (state.status !== 'signed_in') return
    if (status === 'rendered_out') askSoon()
    if (status !== 'signed_out') return
    stopAsking()
    set({ status: 'signed_out', reason: 'ended' })
  }

  /** The page came back from the browser's cache, with its old state. */
  const comeBack = (event: Event) => {
    if ('persisted' in event && event.persisted) void ask()
  }

  return {
    initial,
    get: () => state,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    adopt(session) {
      if (!isSame(session, adopted)) {
        adopted = session
        stopAsking()
        set(session)
      }
      const change = changeOf(state)
      notify(change?.status === 'signed_out' ? { status: 'rendered_out' } : change)
    },
    announceSignOut: () => notify({ status: 'signed_out' }),
    start() {
      // Without it, tabs learn of each other when they get the focus.
      channel = typeof BroadcastChannel === 'undefined' ? undefined : new BroadcastChannel(`portaria:${sessionPath}`)
      channel?.addEventListener('message', hear)
      const listened = [
        [window, 'focus', look],
        [window, 'online', look],
        [window, 'pageshow', comeBack],
        [document, 'visibilitychange', look],
      ] as const
      for (const [target, type, listener] of listened) target.addEventListener(type, listener)
      if (state.status === 'loading') void ask()
      else askedAt = Date.now()
      return () => {
        stopAsking()
        channel?.close()
        channel = undefined
        for (const [target, type, listener] of listened) target.removeEventListener(type, listener)
      }
    },
  }
}

/** `undefined`: nothing that concerns another tab. */
function changeOf(state: SessionState): SessionChange | undefined {
  if (state.status === 'signed_in') return { status: 'signed_in', id: state.user.id }
  if (state.status === 'loading' || state.reason === 'unconfirmed' || state.reason === 'conflicting_sessions') return undefined
  return { status: 'signed_out' }
}

/** `undefined`: no answer, or not one of this client's. */
async function fetchSession(path: string, controller: AbortController): Promise<Session | undefined> {
  const timer = setTimeout(() => controller.abort(), TIMEOUT_MS)
  try {
    const response = await fetch(path, {
      signal: controller.signal,
      cache: 'no-store',
      credentials: 'include',
      headers: { accept: 'application/json' },
    })
    const answer: unknown = response.ok ? await response.json() : undefined
    return isSession(answer) ? answer : undefined
  } catch {
    return undefined
  } finally {
    clearTimeout(timer)
  }
}

function isSession(value: unknown): value is Session {
  const { status, user, reason } = Object(value)
  return status === 'signed_in' ? typeof Object(user).id === 'string' : status === 'signed_out' && typeof reason === 'string'
}

/** Of JSON values. */
function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}
