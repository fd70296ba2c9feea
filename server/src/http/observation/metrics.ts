import { AggregatorRegistry, Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Metric, Siblings } from '../../processes/index.ts'

/** Less than several processes of one port wait for each other's numbers. */
const READ_MS = 1_000

/** Counters of what the product does, beside the process's own. */
export interface Metrics {
  /** The numbers of all processes that serve this port, as Prometheus reads them. */
  read(): Promise<{ text: string; contentType: string }>
  requestSeconds: Histogram<'method' | 'route' | 'status'>
  signIns: Counter<'result'>
  handoffs: Counter<'result'>
  notifications: Counter<'source' | 'result'>
  logoutDeliveries: Counter<'product' | 'result'>
  eventDeliveries: Counter<'result'>
  /** For events that happen thousands of times a second: counted elsewhere in plain integers, and read here on request. */
  countResults(name: string, help: string, read: () => Readonly<Record<string, number>>, label?: string): void
  /** The same for one number that only grows. */
  countTotal(name: string, help: string, read: () => number): void
  /** `sum`: each process has its own part of it; `largest`: each sees the same, or the worst of them counts. */
  gauge(name: string, help: string, across: 'sum' | 'largest', read: () => number | Promise<number>): void
  /** One number from the database for each set of labels, which must have few values. */
  gauges<Label extends string>(name: string, help: string, labels: readonly Label[], read: () => Promise<Array<Reading<Label>>>): void
  /** The same for what only grows. */
  counters<Label extends string>(name: string, help: string, labels: readonly Label[], read: () => Promise<Array<Reading<Label>>>): void
}

export interface Reading<Label extends string> {
  labels: Record<Label, string>
  value: number
}

/** `join` is called where several processes serve the port, with what answers the numbers of this one. */
export function createMetrics(join?: (readOwn: () => Promise<Metric[]>) => Siblings): Metrics & { siblings: Siblings | undefined } {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const registers = [registry]
  // Its types leave out the numbers and how they are added up, which `aggregate` reads.
  const siblings = join?.(() => registry.getMetricsAsJSON() as Promise<unknown> as Promise<Metric[]>)
  return {
    siblings,
    async read() {
      const all = siblings ? AggregatorRegistry.aggregate(await siblings.readAll()) : registry
      return { text: await all.metrics(), contentType: registry.contentType }
    },
    requestSeconds: new Histogram({
      name: 'portaria_http_request_duration_seconds',
      help: 'Time from the request to the end of its answer (checks are counted apart)',
      labelNames: ['method', 'route', 'status'],
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5],
      registers,
    }),
    signIns: new Counter({ name: 'portaria_sign_ins_total', help: 'Sign-ins by form, by result', labelNames: ['result'], registers }),
    handoffs: new Counter({ name: 'portaria_handoffs_total', help: 'Handoff redemptions, by result', labelNames: ['result'], registers }),
    notifications: new Counter({
      name: 'portaria_notifications_total',
      help: 'Notifications about payments, by sender and by what became of them',
      labelNames: ['source', 'result'],
      registers,
    }),
    logoutDeliveries: new Counter({
      name: 'portaria_logout_deliveries_total',
      help: 'Attempts to notify an app that a session has ended, by product and by result',
      labelNames: ['product', 'result'],
      registers,
    }),
    eventDeliveries: new Counter({
      name: 'portaria_event_deliveries_total',
      help: 'Attempts to deliver an event to an endpoint, by result',
      labelNames: ['result'],
      registers,
    }),
    countResults(name, help, read, label = 'result') {
      const counter = new Counter({
        name,
        help,
        labelNames: [label],
        registers,
        collect() {
          this.reset()
          for (const [value, count] of Object.entries(read())) this.inc({ [label]: value }, count)
        },
      })
      return void counter
    },
    countTotal(name, help, read) {
      const counter = new Counter({
        ...{ name, help, registers },
        collect() {
          this.reset()
          this.inc(read())
        },
      })
      return void counter
    },
    gauge(name, help, across, read) {
      const gauge: Gauge = new Gauge({
        ...{ name, help, registers, aggregator: across === 'sum' ? 'sum' : 'max' },
        async collect() {
          this.set(await inTime(read).catch(() => Number.NaN))
        },
      })
      return void gauge
    },
    gauges(name, help, labelNames, read) {
      const gauge: Gauge<string> = new Gauge<string>({
        ...{ name, help, labelNames: [...labelNames], registers, aggregator: 'max' },
        collect: () => readAnew(gauge, read, ({ labels, value }) => gauge.set(labels, value)),
      })
      return void gauge
    },
    counters(name, help, labelNames, read) {
      const counter: Counter<string> = new Counter<string>({
        ...{ name, help, labelNames: [...labelNames], registers, aggregator: 'max' },
        collect: () => readAnew(counter, read, ({ labels, value }) => counter.inc(labels, value)),
      })
      return void counter
    },
  }
}

/** A number that can't be read now, or soon, must not block the others: while a database is silent, they are what says so. */
async function inTime<T>(read: () => T | Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(new Error('not read in time')), READ_MS)
  try {
    return await Promise.race([read(), late.promise])
  } finally {
    clearTimeout(timer)
  }
}

/** A metric's numbers as they are now. It has none when they can't be read, which must not block the others. */
async function readAnew<Label extends string>(
  metric: Pick<Gauge | Counter, 'reset'>,
  read: () => Promise<Array<Reading<Label>>>,
  put: (reading: Reading<Label>) => void,
): Promise<void> {
  const readings = await inTime(read).catch(() => [])
  metric.reset()
  readings.forEach(put)
}
