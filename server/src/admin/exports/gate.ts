/** The exports that run on this node. Each reads the database all along, and one user needs no more than one at a time. */
export interface ExportGate {
  /** Takes a place for a caller; `undefined` where they have one, or all are taken. Ending it twice does nothing. */
  enter(caller: string): { leave(): void } | undefined
}

const MOST_AT_ONCE = 4

export function createExportGate(): ExportGate {
  const running = new Set<string>()
  return {
    enter(caller) {
      if (running.has(caller) || running.size >= MOST_AT_ONCE) return undefined
      running.add(caller)
      let isIn = true
      return {
        leave() {
          if (isIn) running.delete(caller)
          isIn = false
        },
      }
    },
  }
}
