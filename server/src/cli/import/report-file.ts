import { type FileHandle, open } from 'node:fs/promises'
import { type LineResult, withoutFormulas } from '../../admin/index.ts'
import { reasonOf } from '../command/faults.ts'
import { visible } from '../command/layout.ts'

/** The refused lines as a table that Excel opens. */
export interface ReportFile {
  add(result: LineResult): void
  /** Waits until all is written. Answers why it is not whole, where it is not: the import itself goes on meanwhile. */
  close(): Promise<string | undefined>
}

/** Opens the file anew, for its owner alone: it has addresses. */
export async function openReport(file: string): Promise<ReportFile | { why: string }> {
  try {
    return createReport(await open(file, 'w', 0o600), visible(file))
  } catch (fault) {
    return { why: visible(`${file} can't be written (${reasonOf(fault)})`) }
  }
}

/** Writes in the order of the lines, so that an import that is killed leaves those up to then. Nothing follows a line that failed. */
function createReport(handle: FileHandle, name: string): ReportFile {
  let fault: unknown
  let written = append('line,email,reason\r\n')
  return {
    add(result) {
      if (result.outcome !== 'refused') return
      const { line, email = '', why } = result
      written = written.then(() => append(`${line},${cell(email)},${cell(why)}\r\n`))
    },
    async close() {
      await written
      await handle.close().catch((error: unknown) => (fault ??= error))
      return fault === undefined ? undefined : `${name} is not whole (${reasonOf(fault)})`
    },
  }

  async function append(text: string): Promise<void> {
    if (fault !== undefined) return
    await handle.appendFile(text).catch((error: unknown) => {
      fault = error
    })
  }
}

/** In quotes. What a table would compute gets an apostrophe before it. */
function cell(text: string): string {
  return `"${withoutFormulas(text).replaceAll('"', '""')}"`
}
