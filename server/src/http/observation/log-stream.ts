import { write } from 'node:fs'

/** The most characters that wait for a reader; further lines are lost, and counted. */
const MAX_PENDING = 4_000_000
/** A full pipe is tried again after this. */
const FULL_MS = 50
/** Lines of this time are written together: each write costs a thread's turn, and a busy service has thousands of lines a second. */
const GATHER_MS = 10
/** A write that takes longer waits for its reader. A full pipe that does not wait answers at once, if a thread is free. */
const STUCK_MS = 1_000

export interface LogStream {
  write(line: string): void
  /**
   * Waits until all lines are written or lost, for this long at most. `stuck`: a write is under way that may never end, and would keep this
   * process from ending.
   */
  flush(withinMs: number): Promise<'flushed' | 'stuck'>
}

/**
 * Writes lines to a file descriptor, in order and without ever waiting for its reader. If the reader is slow, stops or is gone, or a disk
 * is full, lines are lost and nothing else happens. A line says their number once there is a reader again.
 */
export function createLogStream(fd: number): LogStream {
  let pending: string[] = []
  let characters = 0
  let lost = 0
  let isWriting = false
  let isStuck = false
  let flushed = () => {}
  let returned = () => {}

  function gather(): void {
    isWriting = pending.length > 0
    if (isWriting) setTimeout(writePending, GATHER_MS)
    else flushed()
  }
  function writePending(): void {
    // The line break ends a partly written line.
    const notice = lost > 0 ? `\n${lossLine(lost)}\n` : ''
    send(Buffer.from(notice + pending.join('')), { lines: pending.length, lostBefore: lost })
    pending = []
    characters = 0
  }
  function send(bytes: Buffer, batch: { lines: number; lostBefore: number }): void {
    isStuck = true
    write(fd, bytes, (error, written) => {
      isStuck = false
      returned()
      if (error?.code === 'EAGAIN') return void setTimeout(send, FULL_MS, bytes, batch).unref()
      if (!error && written < bytes.length) return send(bytes.subarray(written), batch)
      lost += error ? batch.lines : -batch.lostBefore
      gather()
    })
  }
  return {
    write(line) {
      characters += line.length
      if (characters > MAX_PENDING) lost += 1
      else pending.push(line)
      if (!isWriting) gather()
    },
    async flush(withinMs) {
      if (isWriting) await within(withinMs, (resolve) => (flushed = resolve))
      // It may have begun this moment: a full pipe is tried again all the time.
      if (isStuck) await within(STUCK_MS, (resolve) => (returned = resolve))
      return isStuck ? 'stuck' : 'flushed'
    },
  }
}

async function within(ms: number, wait: (resolve: () => void) => void): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  wait(resolve)
  const timer = setTimeout(resolve, ms)
  await promise
  clearTimeout(timer)
}

function lossLine(lost: number): string {
  return JSON.stringify({ level: 'warn', time: new Date().toISOString(), lost, msg: 'lines of this log were lost' })
}
