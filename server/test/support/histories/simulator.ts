import type { Rules, StoryEvent, World } from './world/world.ts'

/** What a gateway sends. */
export interface Sent {
  /** What it is, in a story that is told. */
  name: string
  body: unknown
  query?: string
  /** By the own checkout, which sends until it is heard; else by the gateway. */
  isOwn?: true
}

/**
 * One gateway in one story: turns what happens into its own objects and deliveries, and answers for its API as things stand when it is
 * asked.
 */
export interface GatewayApi {
  rules: Rules
  /** What it sends of itself, since time has passed. */
  pass?(at: number): Sent[]
  take(storyEvent: StoryEvent): Sent[]
  /** `undefined`: it does not know what it is asked for. */
  answer(url: URL, world: World): unknown
}

export interface SimulatorRun {
  /** Counts the stories. */
  number: number
  /** Part of every id, so that no story meets another's. */
  name: string
  email: string
  productId: string
  /** A whole number below `sides`, the same in each run of the same story. 0 is the plain case. */
  chance(sides: number): number
}

export type OpenSimulator = (run: SimulatorRun) => GatewayApi
