import { applyAction } from './apply-action.ts'
import { type HistoryEvent, HOUR, type Simulation, type Step } from './simulation.ts'

/** Runs the steps and yields everything that happens, in order. It ends with checks over two more months. */
export function* simulate(simulation: Simulation, steps: readonly Step[]): Generator<HistoryEvent> {
  for (const { after, does } of steps) {
    yield* waitUntil(simulation, simulation.now + after * HOUR)
    yield* applyAction(simulation, does)
  }
  for (const hours of [5, 13 * 24 + 1, 29 * 24 + 7, 20 * 24 + 3]) {
    yield* waitUntil(simulation, simulation.now + hours * HOUR)
    yield { is: 'check', at: simulation.now }
  }
}

function* waitUntil(simulation: Simulation, until: number): Generator<HistoryEvent> {
  for (;;) {
    const due = simulation.agenda.filter(({ at }) => at <= until).sort((a, b) => a.at - b.at)[0]
    if (!due) break
    simulation.agenda.splice(simulation.agenda.indexOf(due), 1)
    simulation.now = Math.max(simulation.now, due.at)
    yield* due.run()
  }
  simulation.now = until
}
