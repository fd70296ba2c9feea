import { statSync } from 'node:fs'

/** The database's file or its log was deleted or replaced. A write would go into the deleted file, and be lost with this process. */
export class FilesReplaced extends Error {
  constructor(file: string) {
    super(`${file} was deleted or replaced while this process has it open: put it back or restore a backup, then restart`)
  }
}

/**
 * Answers a check that throws where the files of a SQLite database are no longer the first ones. It runs before each commit and each query:
 * it takes microseconds, and a commit on a disk milliseconds. The log comes with the first write and stays while any process has the
 * database open.
 */
export function watchFiles(file: string): () => void {
  if (file === ':memory:') return () => {}
  const known = new Map<string, bigint>()
  return () => {
    for (const name of [file, `${file}-wal`]) {
      const inode = statSync(name, { bigint: true, throwIfNoEntry: false })?.ino
      const before = known.get(name)
      if (before === undefined && inode !== undefined) known.set(name, inode)
      else if (before !== inode) throw new FilesReplaced(name)
    }
  }
}
