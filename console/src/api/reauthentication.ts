/** The missing authentication: a session at all, a recent one, or one with the second factor. */
export type MissingAuthentication = 'sign_in' | 'second_factor' | 'recent_authentication'

/** The content of the dialog. `problem` says why the last attempt was not enough. */
export interface AuthenticationPrompt {
  need: MissingAuthentication
  problem?: 'not_yet' | 'other_user'
}

/** All requests that need authentication wait in one place: one dialog, one sign-in, then all of them are sent again. */
export interface Reauthentication {
  /** Resolves when the user has authenticated, or has canceled. */
  ask(need: MissingAuthentication): Promise<'authenticated' | 'cancelled'>
  /** Called by the page that ends a sign-in. It must be the same user: no form is sent as another one. */
  authenticated(): Promise<void>
  cancel(): void
  question(): AuthenticationPrompt | undefined
  subscribe(listener: () => void): () => void
}

/** `isSameUser` asks the service for the present user: `undefined` for none. */
export function createReauthentication({ isSameUser }: { isSameUser: () => Promise<boolean | undefined> }): Reauthentication {
  let question: AuthenticationPrompt | undefined
  let pending: Array<(outcome: 'authenticated' | 'cancelled') => void> = []
  const listeners = new Set<() => void>()

  const show = (next: AuthenticationPrompt | undefined) => {
    question = next
    for (const listener of listeners) listener()
  }
  const close = (outcome: 'authenticated' | 'cancelled') => {
    const all = pending
    pending = []
    show(undefined)
    for (const resolve of all) resolve(outcome)
  }
  return {
    ask(need) {
      if (!question || rank[need] > rank[question.need]) show({ need })
      return new Promise((resolve) => pending.push(resolve))
    },
    async authenticated() {
      if (!question) return
      const isSame = await isSameUser()
      if (!question) return
      if (isSame) close('authenticated')
      else show({ need: question.need, problem: isSame === undefined ? 'not_yet' : 'other_user' })
    },
    cancel: () => close('cancelled'),
    question: () => question,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

/** A sign-in gives all three, so the strongest one is asked for. */
const rank = { recent_authentication: 0, second_factor: 1, sign_in: 2 } as const satisfies Record<MissingAuthentication, number>
