import assert from 'node:assert/strict'
import { it } from 'node:test'
import { AggregatorRegistry, Counter, Gauge, Histogram, Registry } from 'prom-client'
import { addUp } from './add-up.ts'
import type { Metric } from './messages.ts'

/** A process's numbers, by the library itself. */
async function numbersOf(counts: Record<string, number>, seconds: number[]): Promise<Metric[]> {
  const registry = new Registry()
  const registers = [registry]
  const checks = new Counter({ name: 'checks_total', help: 'checks', labelNames: ['result'], registers })
  for (const [result, count] of Object.entries(counts)) checks.inc({ result }, count)
  const took = new Histogram({ name: 'seconds', help: 'seconds', labelNames: ['route'], buckets: [1, 5], registers })
  for (const value of seconds) took.observe({ route: '/' }, value)
  new Gauge({ name: 'memory', help: 'memory', registers }).set(7)
  // Each process reads the same number from the database.
  const shared = new Counter({ ...{ name: 'shared_total', help: 'shared', registers }, aggregator: 'max' })
  shared.inc(9)
  return (await registry.getMetricsAsJSON()) as unknown as Metric[]
}

it('Totals of ended processes are those that the library finds in all of them, and the rest is left out', async () => {
  const processes = [await numbersOf({ valid: 3, invalid: 1 }, [0.5, 2]), await numbersOf({ valid: 4 }, [9]), await numbersOf({}, [])]
  const ended = processes.reduce(addUp, [])
  const written = async (metrics: Metric[][]) =>
    (await AggregatorRegistry.aggregate(metrics as never).metrics()).split('\n').filter((line) => /^(?:checks|seconds)/.test(line))
  assert.deepEqual((await written([ended])).toSorted(), (await written(processes)).toSorted())
  assert.deepEqual(ended.map(({ name }) => name).toSorted(), ['checks_total', 'seconds'])
})
