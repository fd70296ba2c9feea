import { statSync } from 'node:fs'
import { performance } from 'node:perf_hooks'
import { DatabaseAway, markAway } from '../away.ts'

/** The database's file or its log was deleted or replaced. A write would go into the deleted file, and be lost with this process. */
export class FilesReplaced extends DatabaseAway {
  constructor(file: string) {
    super(`${file} was deleted or replaced while this process has it open: put it back or restore a backup, then restart`)
  }
}

/** A read within this time of a check of the files needs no check of its own: it could have come just before. */
const READ_UNSEEN_MS = 10

/** Throws {@link FilesReplaced} before a use of files that are no longer the first ones. */
export type AssertSameFiles = (use: 'read' | 'write') => void

/**
 * Answers a check that throws where the files of a SQLite database are no longer the first ones. It runs before each commit: it takes
 * microseconds, and a commit on a disk milliseconds. A read would take half as long again, so reads of one moment share a check. The log
 * comes with the first write and stays while any process has the database open.
 */
export function watchFiles(file: string): AssertSameFiles {
  if (file === ':memory:') return () => {}
  const known = new Map<string, bigint>()
  let seenAt = Number.NEGATIVE_INFINITY
  return (use) => {
    if (use === 'read' && performance.now() - seenAt < READ_UNSEEN_MS) return
    seenAt = Number.NEGATIVE_INFINITY
    for (const name of [file, `${file}-wal`]) {
      const inode = inodeOf(name)
      const before = known.get(name)
      if (before === undefined && inode !== undefined) known.set(name, inode)
      else if (before !== inode) throw new FilesReplaced(name)
    }
    seenAt = performance.now()
  }
}

/** Its folder may be out of reach: a disk of the network that is gone, a right that was taken away. */
function inodeOf(file: string): bigint | undefined {
  try {
    return statSync(file, { bigint: true, throwIfNoEntry: false })?.ino
  } catch (error) {
    throw markAway(error)
  }
}
