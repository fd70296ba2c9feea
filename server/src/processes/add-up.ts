import type { Metric } from './messages.ts'

type Value = Metric['values'][number]

/**
 * Adds the numbers of one more process to those of ended processes. Only totals are kept, which never shrink: Prometheus takes a smaller
 * total for a restart. Gauges, as of memory, ended with their process.
 */
export function addUp(ended: readonly Metric[], more: readonly Metric[]): Metric[] {
  const sums = new Map(ended.map((metric) => [metric.name, metric]))
  for (const metric of more.filter(isTotal)) {
    const { values } = sums.get(metric.name) ?? { values: [] }
    sums.set(metric.name, { ...metric, values: addValues(values, metric.values) })
  }
  return [...sums.values()]
}

function isTotal({ type, aggregator }: Metric): boolean {
  return (type === 'counter' || type === 'histogram') && aggregator === 'sum'
}

function addValues(one: readonly Value[], other: readonly Value[]): Value[] {
  const sums = new Map<string, Value>()
  for (const value of [...one, ...other]) {
    const key = JSON.stringify([value.metricName, Object.entries(value.labels).toSorted()])
    sums.set(key, { ...value, value: value.value + (sums.get(key)?.value ?? 0) })
  }
  return [...sums.values()]
}
