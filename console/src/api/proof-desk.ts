/** What the service misses: a session at all, a sign-in of the last minutes, or one with the second factor. */
export type ProofNeed = 'sign_in' | 'second_factor' | 'recent_authentication'

/** What the dialog shows. `problem` says why the last attempt did not do. */
export interface ProofQuestion {
  need: ProofNeed
  problem?: 'not_yet' | 'other_user'
}

/** One place where every request waits that the service wants proof for: one dialog, one sign-in, then all of them go out again. */
export interface ProofDesk {
  /** Resolves when the person has proven who they are, or does not want to. */
  ask(need: ProofNeed): Promise<'authenticated' | 'cancelled'>
  /** Told by the page that ends a sign-in. Whoever signed in must be the person who was here: nobody's form is sent as somebody else. */
  proven(): Promise<void>
  cancel(): void
  question(): ProofQuestion | undefined
  subscribe(listener: () => void): () => void
}

/** `isSameUser` asks the service who is there now: `undefined` when still nobody is. */
export function createProofDesk({ isSameUser }: { isSameUser: () => Promise<boolean | undefined> }): ProofDesk {
  let question: ProofQuestion | undefined
  let waiting: Array<(outcome: 'authenticated' | 'cancelled') => void> = []
  const listeners = new Set<() => void>()

  const show = (next: ProofQuestion | undefined) => {
    question = next
    for (const listener of listeners) listener()
  }
  const close = (outcome: 'authenticated' | 'cancelled') => {
    const all = waiting
    waiting = []
    show(undefined)
    for (const resolve of all) resolve(outcome)
  }
  return {
    ask(need) {
      if (!question || rank[need] > rank[question.need]) show({ need })
      return new Promise((resolve) => waiting.push(resolve))
    },
    async proven() {
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

/** A sign-in gives all three, so the gravest is what is said. */
const rank = { recent_authentication: 0, second_factor: 1, sign_in: 2 } as const satisfies Record<ProofNeed, number>
