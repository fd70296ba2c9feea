import { type FileHandle, open } from 'node:fs/promises'
import type { LineResult } from '../../admin/index.ts'

/** The refused lines as a table that Excel opens. */
export interface ReportFile {
  add(result: LineResult): void
  close(): Promise<void>
}

/** Opens the file anew, for its owner alone: it has addresses. `undefined` where it can't be written. */
export async function openReport(file: string): Promise<ReportFile | undefined> {
  const handle = await open(file, 'w', 0o600).catch(() => undefined)
  return handle && createReport(handle)
}

/** Writes in the order of the lines, so that an import that is killed leaves those up to then. */
function createReport(handle: FileHandle): ReportFile {
  let written: Promise<unknown> = handle.appendFile('line,email,reason\r\n')
  return {
    add(result) {
      if (result.outcome !== 'refused') return
      const { line, email = '', why } = result
      written = written.then(() => handle.appendFile(`${line},${cell(email)},${cell(why)}\r\n`))
      // Said when it is closed.
      written.catch(() => undefined)
    },
    async close() {
      try {
        await written
      } finally {
        await handle.close()
      }
    },
  }
}

/** In quotes. A text that a table would compute gets an apostrophe before it. */
function cell(text: string): string {
  return `"${text.replace(/^[=+\-@\t]/, "'$&").replaceAll('"', '""')}"`
}
