import { Readable, Writable } from 'node:stream'
import type { TestContext } from 'node:test'
import { run } from '../../src/cli/main.ts'

export const MASTER_KEY = Buffer.alloc(32, 7).toString('base64')

export interface Said {
  code: number
  out: string
  err: string
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever fields it expects, and fails where they are missing
  json: any
}

export type Portaria = (line: string | readonly string[], stdin?: string) => Promise<Said>

/** The command line over one database, run in this process. A line is split at spaces. `json` is the output, where that is JSON. */
export function commandLine(
  database: { url: string },
  environment: Record<string, string> = { PORTARIA_MASTER_KEY: MASTER_KEY },
): Portaria {
  return async (line, stdin = '') => {
    const stdout = sink()
    const stderr = sink()
    const argv = typeof line === 'string' ? line.split(' ') : [...line]
    const streams = { stdin: Readable.from([stdin]), stdout: stdout.stream, stderr: stderr.stream }
    const code = await run(argv, { environment: { DATABASE_URL: database.url, ...environment }, ...streams })
    const out = stdout.text()
    return { code, out, err: stderr.text(), json: /^(?:\{\n|\{\}|\[\]|\[\n)/.test(out) ? JSON.parse(out) : undefined }
  }
}

/**
 * Lets the limits of this process run out fifteen times as fast, for one test. Answers how long they would have been, in ms, as they are
 * set.
 */
export function hurry(context: TestContext): readonly number[] {
  const waits: number[] = []
  const timeout = AbortSignal.timeout.bind(AbortSignal)
  context.mock.method(AbortSignal, 'timeout', (ms: number) => {
    waits.push(ms)
    return timeout(Math.ceil(ms / 15))
  })
  return waits
}

function sink() {
  let text = ''
  const stream = new Writable({
    write(chunk, _encoding, done) {
      text += chunk
      done()
    },
  })
  return { stream, text: () => text }
}
