/** The bytes of bodies that a process holds while their rest is on its way: 256 whole notifications, thousands of forms. */
export const MOST_BODY_BYTES = 64 * 1024 ** 2
const LEAST_BYTES = 1_024

/** Bodies held more than the limit, and this one was ended for it. */
export class BodyEnded extends Error {
  readonly statusCode = 503
}

/** A body of which more is to come. */
export interface Coming {
  /** It begins with what has come; its other bytes are room for more. */
  buffer: Buffer
  length: number
  startedAt: number
  end(error: Error): void
}

export type BodyBudget = ReturnType<typeof createBodyBudget>

/**
 * Counts the bytes of all bodies that have not come whole. Beyond the limit it ends the body that costs the most: bytes times the time
 * that it has held them. A sender who stops half way holds memory for as long as a request may take. An honest body is small, or soon here.
 * `onEnded` is called for each body that is ended.
 */
export function createBodyBudget({ most, onEnded }: { most: number; onEnded: () => void }) {
  const coming = new Set<Coming>()
  let held = 0

  function forget(one: Coming): void {
    if (coming.delete(one)) held -= one.buffer.length
  }
  function endSome(): void {
    while (held > most) {
      const dearest = findDearest(coming)
      if (!dearest) return
      forget(dearest)
      onEnded()
      dearest.end(new BodyEnded('too much of bodies is on its way'))
    }
  }
  return {
    forget,
    /** Adds a piece to a body. It may end any body, this one too. */
    take(one: Coming, piece: Buffer): void {
      coming.add(one)
      held += add(one, piece)
      endSome()
    },
  }
}

/** Answers by how much the buffer has grown. */
function add(one: Coming, piece: Buffer): number {
  const length = one.length + piece.length
  const before = one.buffer.length
  if (length > before) {
    const buffer = Buffer.allocUnsafeSlow(Math.max(length, 2 * before, LEAST_BYTES))
    one.buffer.copy(buffer, 0, 0, one.length)
    one.buffer = buffer
  }
  piece.copy(one.buffer, one.length)
  one.length = length
  return one.buffer.length - before
}

/** By the bytes that it holds, and for how long. */
function findDearest(coming: Iterable<Coming>): Coming | undefined {
  const now = performance.now()
  let dearest: Coming | undefined
  let most = 0
  for (const one of coming) {
    const cost = one.buffer.length * (now - one.startedAt + 1)
    if (cost <= most) continue
    dearest = one
    most = cost
  }
  return dearest
}
