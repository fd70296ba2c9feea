/** The state that a session must have, by the last answer about it. Between a request and its answer it may be either. */
type SessionTruth = 'live' | 'ended' | 'either'

/** The state that a buyer must have. `pending`: changes were sent that are not confirmed. */
interface BuyerTruth {
  hasAccess: boolean
  pending: boolean
}

/** A sentence about a state that must not be. */
export type Violation = string

/** So many handoffs are redeemed again. */
const KEPT = 500

/**
 * The facts that the service has confirmed, taken from its answers alone: the book knows nothing of how the service works. Sessions are
 * named by their tokens, buyers by their addresses.
 */
export class Book {
  readonly sessions = new Map<string, { truth: SessionTruth; atShop: boolean; since: number }>()
  readonly buyers = new Map<string, BuyerTruth>()
  readonly violations: Violation[] = []
  /** A node's clock is wrong: what it signs and verifies may be over, or not begun, by the others' clocks. */
  isClockWrong = false
  /** How often each of the newest handoffs was redeemed, by answers that came. */
  private readonly redeemed = new Map<string, number>()
  readonly counts = { signIns: 0, signOuts: 0, races: 0, redeemedAgain: 0, checks: 0, purchases: 0, refused: 0, verified: 0, unanswered: 0 }

  /** `since`: the time of the answer, by `performance.now`. */
  noteSession(token: string, truth: SessionTruth, atShop = false): void {
    this.sessions.set(token, { truth, atShop, since: performance.now() })
  }

  /** Notes what calls at the same time were answered that redeem one handoff: of all, one succeeds. 0: no answer, so it may be that one. */
  noteRace(handoff: string, statuses: readonly number[]): void {
    this.counts.races++
    this.noteRedemptions(handoff, statuses)
    if (statuses.every((status) => status === 401) && !this.isClockWrong)
      this.violate(`a handoff was refused by all: …${handoff.slice(-12)}`)
  }

  /** Notes the answers about a handoff, whose race may be long over. */
  noteRedemptions(handoff: string, statuses: readonly number[]): void {
    const successes = (this.redeemed.get(handoff) ?? 0) + statuses.filter((status) => status === 200).length
    this.redeemed.set(handoff, successes)
    if (successes > 1) this.violate(`a handoff was redeemed ${successes} times: …${handoff.slice(-12)}`)
    const [oldest] = this.redeemed.keys()
    if (this.redeemed.size > KEPT && oldest !== undefined) this.redeemed.delete(oldest)
  }

  /** The newest handoffs, the last one first. */
  handoffs(): string[] {
    return [...this.redeemed.keys()].reverse()
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
