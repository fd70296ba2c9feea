/** A message of a child to its parent. */
export type FromChild =
  /** The child listens. */
  | { type: 'serving' }
  /** Somebody asked it for the numbers of all processes. */
  | { type: 'read_metrics'; id: number }
  /** The child's own numbers: for which the parent has asked, or, without a question, its last ones. */
  | { type: 'own_metrics'; id: number | undefined; metrics: Metric[] }
  /** The child has found damage in the database, for an operator to read. */
  | { type: 'damage'; text: string }
  /** The answer to `ping`. */
  | { type: 'pong' }

/** A message of a parent to its children. */
export type FromParent =
  /** The number of children that listen. It is sent again when it changes. */
  | { type: 'processes'; serving: number; wanted: number }
  /** To be answered with `own_metrics`. */
  | { type: 'report_metrics'; id: number }
  /** The answer to `read_metrics`: the numbers of each child, and of all that have ended. */
  | { type: 'all_metrics'; id: number; metrics: Metric[][] }
  /** Damage that one of the children has found. */
  | { type: 'damage'; text: string }
  /** To be answered with `pong`, by a child whose event loop turns. */
  | { type: 'ping' }

/** A metric as `prom-client` writes it for another process. */
export interface Metric {
  name: string
  type: string
  /** How the numbers of several processes become one. */
  aggregator: string
  values: Array<{ value: number; labels: Record<string, string | number>; metricName?: string }>
}
