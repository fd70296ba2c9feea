export type InTurn = <T>(work: () => Promise<T>) => Promise<T>

/** Runs `atOnce` of the `most` that are inside; the next turn goes to the one that is ready and came in first. */
export function createQueue(atOnce: number, most: number) {
  const ready: Array<{ number: number; start: () => void }> = []
  let inside = 0
  let running = 0
  let numbers = 0
  const turnOf = (number: number) =>
    new Promise<void>((start) => {
      const behind = ready.findLastIndex((other) => other.number < number)
      ready.splice(behind + 1, 0, { number, start })
    })
  const enter = (): { inTurn: InTurn; leave(): void } | 'full' => {
    if (inside >= most) return 'full'
    inside++
    const number = numbers++
    const inTurn: InTurn = async (work) => {
      if (running >= atOnce) await turnOf(number)
      else running++
      try {
        return await work()
      } finally {
        const next = ready.shift()
        if (next) next.start()
        else running--
      }
    }
    let hasLeft = false
    const leave = () => {
      if (!hasLeft) inside--
      hasLeft = true
    }
    return { inTurn, leave }
  }
  return { enter, queued: () => ready.length }
}
