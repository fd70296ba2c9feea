/** What a child says to its parent. */
export type FromChild =
  /** It listens. */
  | { type: 'serving' }
  /** Somebody asked it for the numbers of all processes. */
  | { type: 'read_metrics'; id: number }
  /** Its own numbers, where the parent asked for them. */
  | { type: 'own_metrics'; id: number; metrics: object }

/** What a parent says to its children. */
export type FromParent =
  /** How many of its children listen, told again when that changes. */
  | { type: 'processes'; serving: number; wanted: number }
  /** To be answered with `own_metrics`. */
  | { type: 'report_metrics'; id: number }
  /** The answer to `read_metrics`: one item of each child that answered in time. */
  | { type: 'all_metrics'; id: number; metrics: object[] }
