/** The state that a session must have, by the last answer about it. Between a request and its answer it may be either. */
type SessionTruth = 'live' | 'ended' | 'either'

/** The state that a buyer must have. `pending`: changes were sent that are not confirmed. */
interface BuyerTruth {
  hasAccess: boolean
  pending: boolean
}

/** A sentence about a state that must not be. */
export type Violation = string

/**
 * The facts that the service has confirmed, taken from its answers alone: the book knows nothing of how the service works. Sessions are
 * named by their tokens, buyers by their addresses.
 */
export class Book {
  readonly sessions = new Map<string, { truth: SessionTruth; atShop: boolean }>()
  readonly buyers = new Map<string, BuyerTruth>()
  readonly violations: Violation[] = []
  readonly counts = { signIns: 0, signOuts: 0, races: 0, checks: 0, purchases: 0, refused: 0, verified: 0, unanswered: 0 }

  /** Notes how often one handoff was redeemed by calls at the same time. */
  noteRace(handoff: string, statuses: readonly number[]): void {
    this.counts.races++
    const successes = statuses.filter((status) => status === 200).length
    if (successes > 1) this.violate(`a handoff was redeemed ${successes} times: …${handoff.slice(-12)}`)
  }

  violate(violation: Violation): void {
    this.violations.push(`${new Date().toISOString()} ${violation}`)
  }

  /** Answers whether a request was answered as hoped. It may be refused for now; any other status is a violation. */
  expect(what: string, status: number, hoped: readonly number[]): boolean {
    if (hoped.includes(status)) return true
    this.counts.refused++
    if (status !== 503) this.violate(`${what} was answered with ${status}`)
    return false
  }
}
