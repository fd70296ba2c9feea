import { execFile } from 'node:child_process'
import process from 'node:process'
import { fileURLToPath } from 'node:url'

const program = fileURLToPath(new URL('./check-pages-process.ts', import.meta.url))
/** SQLite's words for a file that it can't make sense of. */
const UNREADABLE = /malformed|not a database/

/**
 * Reads every page of a database, in a process of its own and behind all other work, and answers in a sentence what is damaged. `undefined`
 * where nothing is, or where it could not be read to its end: `stop` ends it.
 */
export function findDamagedPages(file: string, stop?: AbortSignal): Promise<string | undefined> {
  return new Promise((resolve) => {
    const options = { ...(stop && { signal: stop }), maxBuffer: 1_000_000 }
    // It holds this process: its output can be over before it is, and then nothing else may.
    execFile(process.execPath, ['--disable-warning=ExperimentalWarning', program, file], options, (error, out, complaints) => {
      const found = error ? UNREADABLE.exec(complaints)?.[0] : out === 'ok' || out === '' ? undefined : out
      resolve(found === undefined ? undefined : sentence(file, found))
    })
  })
}

function sentence(file: string, found: string): string {
  const [first = ''] = found.replace(/^\*\*\* in database \w+ \*\*\*\s*/, '').split('\n')
  return `${file} is damaged (${first.slice(0, 200)}). Stop the service, keep a copy of the file, and restore the last good backup (portaria restore FILE)`
}
