/**
 * Remembers of which accounts the database says that a delivery is noted and all is well, so that not every delivery has to ask. The memory
 * is short: another node may have counted a failed verification.
 */
export interface NotedDeliveries {
  has(gateway: string, productId: string, at: number): boolean
  add(gateway: string, productId: string, at: number): void
  /** A verification failed on this node: the next verified delivery is noted. */
  forget(gateway: string, productId: string): void
}

/** As often as a node writes the failed verifications that it has counted. */
const REMEMBERED_MS = 1_000

export function createNotedDeliveries(): NotedDeliveries {
  const noted = new Map<string, number>()
  return {
    has(gateway, productId, at) {
      const since = noted.get(`${gateway} ${productId}`)
      return since !== undefined && at >= since && at < since + REMEMBERED_MS
    },
    add: (gateway, productId, at) => void noted.set(`${gateway} ${productId}`, at),
    forget: (gateway, productId) => void noted.delete(`${gateway} ${productId}`),
  }
}
