import { act } from './act.ts'
import { HOUR, type Step, type StoryEvent, type World } from './world.ts'

/** Lives the story: everything that happens, in order. At the end there are looks for two months more. */
export function* live(world: World, steps: readonly Step[]): Generator<StoryEvent> {
  for (const { after, does } of steps) {
    yield* waitUntil(world, world.now + after * HOUR)
    yield* act(world, does)
  }
  for (const hours of [5, 13 * 24 + 1, 29 * 24 + 7, 20 * 24 + 3]) {
    yield* waitUntil(world, world.now + hours * HOUR)
    yield { is: 'look', at: world.now }
  }
}

function* waitUntil(world: World, until: number): Generator<StoryEvent> {
  for (;;) {
    const due = world.agenda.filter(({ at }) => at <= until).sort((a, b) => a.at - b.at)[0]
    if (!due) break
    world.agenda.splice(world.agenda.indexOf(due), 1)
    world.now = Math.max(world.now, due.at)
    yield* due.run()
  }
  world.now = until
}
