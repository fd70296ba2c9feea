import { closeSync, existsSync, openSync, readFileSync, readSync, statSync } from 'node:fs'
import { examineLog, type LogState, readIndex } from './examine-log.ts'
import { NO_BYTES, piecesOf } from './pieces.ts'

/** The files of a database are damaged. Nothing was opened or changed. */
export class DamagedFiles extends Error {}

const MAGIC = 'SQLite format 3\0'
/** How often a finding is looked at again: the files of a database that is in use change while they are read. */
const LOOKS = 3
const PAUSE_MS = 20

const WHAT_TO_DO =
  'Nothing was changed. Restore the last good backup (portaria restore FILE). To keep what can still be read, copy the database and its log to another folder and restore the copy'

/**
 * How often this process has each database open. Its files may not be read in another way then: when any descriptor of a file is closed,
 * the system takes away all locks that the process has on it, SQLite's own among them.
 */
const opened = new Map<string, number>()

export function isOpenHere(file: string): boolean {
  return (opened.get(file) ?? 0) > 0
}

/** Answers what to call when it is closed. */
export function noteOpened(file: string): () => void {
  opened.set(file, (opened.get(file) ?? 0) + 1)
  return () => opened.set(file, (opened.get(file) ?? 1) - 1)
}

/**
 * Throws, before anything is opened, where a database of SQLite or its log is cut or damaged so that the beginning, the end or acknowledged
 * commits are missing. SQLite itself drops what lies behind a damaged frame of the log without a word, and overwrites it. Pages in the
 * middle of the file are `findDamagedPages`' matter. A database that this process has open was looked at then.
 */
export function refuseDamagedFiles(file: string): void {
  if (isOpenHere(file)) return
  for (let look = 1; ; look++) {
    const before = stamp(file)
    const damage = findDamage(file)
    if (damage === undefined) return
    // Somebody writes to it, and has looked at it before.
    if (stamp(file) !== before) return
    if (look === LOOKS) throw new DamagedFiles(`${damage}. ${WHAT_TO_DO}`)
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS)
  }
}

function stamp(file: string): string {
  return [file, `${file}-wal`].map((name) => statSync(name, { bigint: true, throwIfNoEntry: false })?.mtimeNs ?? 'none').join()
}

function findDamage(file: string): string | undefined {
  if (!existsSync(file)) return undefined
  // The index first: it is never ahead of the log.
  const index = readIndex(
    openIfThere(`${file}-shm`, (descriptor) => (descriptor === undefined ? Buffer.alloc(0) : readFileSync(descriptor))),
  )
  const log = openIfThere(`${file}-wal`, (descriptor) => examineLog(descriptor === undefined ? NO_BYTES : piecesOf(descriptor), index))
  if (log === 'damaged_header') return `the log ${file}-wal is damaged at its beginning: what was written last is in it`
  if (log.lost === 'some')
    return `the log ${file}-wal is cut or damaged behind frame ${log.frames}: what was acknowledged after that would be gone`
  return findCut(file, log)
}

/** The file ends before pages that it must have. */
function findCut(file: string, log: LogState): string | undefined {
  const size = statSync(file).size
  if (size === 0) return undefined // a first start, or a lost file, which the key remembers
  const first = readFirst(file, log)
  if (first === undefined) return `${file} is damaged, or not a database of SQLite`
  const { pageSize, pages, free } = first
  const there = Math.floor(size / pageSize)
  let missing = 0
  for (let page = there + 1; page <= pages; page++) if (!log.pages.has(page)) missing++
  // A page that was freed before it was ever written is nowhere.
  return missing > free ? `${file} is cut: it has ${there} of ${pages} pages` : undefined
}

/** The header of the database, as the log has it or the file. */
function readFirst(file: string, { pages, size }: LogState): { pageSize: number; pages: number; free: number } | undefined {
  const place = pages.get(1)
  const bytes = place === undefined ? readPart(file, 0) : readPart(`${file}-wal`, place)
  if (bytes.length < 100 || bytes.toString('latin1', 0, 16) !== MAGIC) return undefined
  const exponent = bytes.readUInt16BE(16)
  const isCurrent = bytes.readUInt32BE(24) === bytes.readUInt32BE(92)
  return {
    pageSize: exponent === 1 ? 65_536 : exponent,
    pages: size || (isCurrent ? bytes.readUInt32BE(28) : 0),
    free: bytes.readUInt32BE(36),
  }
}

function readPart(file: string, from: number): Buffer {
  const bytes = Buffer.alloc(100)
  return openIfThere(file, (descriptor) =>
    bytes.subarray(0, descriptor === undefined ? 0 : readSync(descriptor, bytes, 0, bytes.length, from)),
  )
}

/** Reads a file, or nothing of one that is not there: who closes a database as the last of all removes its log, at any moment. */
function openIfThere<T>(file: string, read: (descriptor: number | undefined) => T): T {
  const descriptor = findDescriptor(file)
  try {
    return read(descriptor)
  } finally {
    if (descriptor !== undefined) closeSync(descriptor)
  }
}

function findDescriptor(file: string): number | undefined {
  try {
    return openSync(file, 'r')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}
