/** The database can't be used now, which says nothing about what was asked of it. */
export class DatabaseAway extends Error {}

const marked = new WeakSet<object>()

/**
 * Marks a fault as one of the way to the database, where that is known: a network's fault looks the same whatever was on its other end.
 * Answers the fault.
 */
export function markAway<Fault>(fault: Fault): Fault {
  if (typeof fault === 'object' && fault !== null) marked.add(fault)
  return fault
}

export function isMarkedAway(fault: object): boolean {
  return fault instanceof DatabaseAway || marked.has(fault)
}
