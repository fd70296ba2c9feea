import { closeSync, openSync, statSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { backup, type DatabaseSync } from 'node:sqlite'
import { rowsOf } from './row-counts.ts'

/** The bytes that are written, and the part of the whole, from 0 to 1. */
export type OnCopied = (bytes: number, part: number) => void

const LOOK_MS = 200

/** More pages than any database has. */
const ALL_PAGES = 2_147_483_647

/**
 * All pages in one step, which node:sqlite does on a thread of its own. Smaller steps would begin anew whenever another connection has
 * written meanwhile, and never end under constant writes. Writers are not blocked: the copy reads from the log while they append to it.
 * The copy and the numbers of rows that are answered are of one snapshot, that of the open transaction.
 */
export async function copyDatabase(
  from: string,
  to: string,
  { open, onCopied }: { open: (file: string) => DatabaseSync; onCopied?: OnCopied | undefined },
): Promise<ReadonlyMap<string, number>> {
  await rm(to, { force: true })
  closeSync(openSync(to, 'wx', 0o600))
  const source = open(from)
  // One step reports nothing on its way: the growing file does.
  const looks = onCopied && setInterval(() => onCopied(sizeOf(to), Math.min(sizeOf(to) / sizeOf(from), 1)), LOOK_MS)
  try {
    source.exec('begin; select count(*) from sqlite_schema')
    await backup(source, to, { rate: ALL_PAGES })
    return rowsOf(source)
  } finally {
    clearInterval(looks)
    source.close()
  }
}

/** Removes a copy that is not finished, and what SQLite has put beside it. */
export async function removeCopy(file: string): Promise<void> {
  for (const ending of ['', '-wal', '-shm', '-journal']) await rm(file + ending, { force: true })
}

export function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0
}
