import type { HistoryEvent, Rules, Simulation } from './simulation/simulation.ts'

/** A delivery of a gateway, or a notification of the own checkout. */
export interface Sent {
  /** Names it in the report of a failure. */
  name: string
  body: unknown
  query?: string
  /** Sent by the own checkout, which repeats it until it is answered; else by the gateway. */
  isOwn?: true
}

/**
 * One gateway in one history: turns what happens into its own objects and deliveries, and answers for its API as things stand when it is
 * asked.
 */
export interface GatewayApi {
  rules: Rules
  /** Deliveries that the gateway sends because time has passed. */
  pass?(at: number): Sent[]
  take(historyEvent: HistoryEvent): Sent[]
  /** `undefined`: it does not know what it is asked for. */
  answer(url: URL, simulation: Simulation): unknown
}

export interface SimulatorRun {
  /** Counts the histories. */
  number: number
  /** Part of every id, so that no history meets another's. */
  name: string
  email: string
  productId: string
  /** A whole number below `sides`, the same in each run of the same history. 0 is the plain case. */
  chance(sides: number): number
}

export type OpenSimulator = (run: SimulatorRun) => GatewayApi
