/** A message of a child to its parent. */
export type FromChild =
  /** The child listens. */
  | { type: 'serving' }
  /** Somebody asked it for the numbers of all processes. */
  | { type: 'read_metrics'; id: number }
  /** The child's own numbers, for which the parent has asked. */
  | { type: 'own_metrics'; id: number; metrics: object }

/** A message of a parent to its children. */
export type FromParent =
  /** The number of children that listen. It is sent again when it changes. */
  | { type: 'processes'; serving: number; wanted: number }
  /** To be answered with `own_metrics`. */
  | { type: 'report_metrics'; id: number }
  /** The answer to `read_metrics`: one item of each child that answered in time. */
  | { type: 'all_metrics'; id: number; metrics: object[] }
