import { type ChildProcess, type ExecFileException, execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import process from 'node:process'
import { fileURLToPath } from 'node:url'

const program = fileURLToPath(new URL('./check-pages-process.ts', import.meta.url))
/** SQLite's words for a file that it can't make sense of. */
const UNREADABLE = /malformed|not a database/

const LOOK_MS = 200

/**
 * Called while a database is read, with the bytes so far. How many there will be is not known: rows are read twice, indexes once. Only
 * where the system counts them: Linux.
 */
export type OnRead = (bytes: number) => void

interface Reading {
  onRead?: OnRead | undefined
  stop?: AbortSignal
}

/** The state of the pages. `damage`: a sentence for the operator. `unread`: why they were not read to their end, so nobody knows. */
export type PagesState = 'sound' | { damage: string } | { unread: string }

/** Reads every page of a database, in a process of its own and behind all other work. `stop` ends it. */
export function findDamagedPages(file: string, { onRead, stop }: Reading = {}): Promise<PagesState> {
  return new Promise((resolve) => {
    const options = { ...(stop && { signal: stop }), maxBuffer: 1_000_000 }
    // It holds this process: its output can be over before it is, and then nothing else may.
    const child = execFile(
      process.execPath,
      ['--disable-warning=ExperimentalWarning', program, file],
      options,
      (error, out, complaints) => {
        clearInterval(looking)
        const found = error ? UNREADABLE.exec(complaints)?.[0] : out
        if (found) resolve(found === 'ok' ? 'sound' : { damage: sentence(file, found) })
        else resolve({ unread: error ? whyUnread(error, complaints) : 'no answer' })
      },
    )
    const looking = onRead && setInterval(() => reportRead(child, onRead), LOOK_MS)
  })
}

function whyUnread({ signal, message }: ExecFileException, complaints: string): string {
  if (signal) return `its process was ended by ${signal}`
  return /^(?:\w*Error): (.+)$/m.exec(complaints)?.[1] ?? message.split('\n')[0] ?? ''
}

/** SQLite does not say how far a check is, so the bytes are those that its process has read. */
function reportRead({ pid }: ChildProcess, onRead: OnRead): void {
  try {
    onRead(Number(/^rchar: (\d+)$/m.exec(readFileSync(`/proc/${pid}/io`, 'utf8'))?.[1]))
  } catch {
    // Another system, or the process has just ended.
  }
}

function sentence(file: string, found: string): string {
  const [first = ''] = found.replace(/^\*\*\* in database \w+ \*\*\*\s*/, '').split('\n')
  return `${file} is damaged (${first.slice(0, 200)}). Stop the service, keep a copy of the file, and restore the last good backup (portaria restore FILE)`
}
