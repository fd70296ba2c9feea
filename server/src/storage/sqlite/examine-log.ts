import type { Pieces } from './pieces.ts'

/** The state of a log as it lies on the disk. */
export interface LogState {
  /** Frames up to the last whole commit: as much SQLite reads. */
  frames: number
  /** The newest place of each page among them. */
  pages: ReadonlyMap<number, number>
  /** Pages of the database after the last whole commit. */
  size: number
  /** Commits that lie behind a damaged frame, or are known to have been there: SQLite drops them without a word. */
  lost: 'some' | 'none'
}

/** The header of the shared index of a log: which log it is of, how many frames were committed, and how many of them the database has. */
interface IndexState {
  salts: readonly [number, number]
  frames: number
  copied: number
}

const HEADER = 32
const FRAME_HEADER = 24
/** Checksums of little-endian words: as every machine writes that we run on. */
const MAGIC = 0x377f0682

type Sum = readonly [number, number]

/**
 * Walks through a write-ahead log as SQLite does when it recovers one (https://sqlite.org/fileformat2.html#walformat). Each frame's
 * checksum continues that of the one before, so SQLite ends at the first that is wrong, and can't know whether something acknowledged lay
 * behind it. Two things show it: a further transaction was written on top of a commit behind the damage, or the shared index, which is
 * written after a commit is on the disk, knows of more frames.
 */
export function examineLog(bytes: Pieces, index: IndexState | undefined): LogState | 'damaged_header' {
  const empty: LogState = { frames: 0, pages: new Map(), size: 0, lost: 'none' }
  if (bytes.length <= HEADER + FRAME_HEADER) return { ...empty, lost: index && index.frames > index.copied ? 'some' : 'none' }
  const header = bytes.read(0, HEADER)
  if (header.getUint32(0) === MAGIC + 1) return empty // from a machine of the other kind: left to SQLite
  const begun = sum(header, [0, 24], [0, 0])
  const isSound = header.getUint32(0) === MAGIC && begun[0] === header.getUint32(24) && begun[1] === header.getUint32(28)
  if (!isSound) return 'damaged_header'
  const log = { bytes, frameSize: FRAME_HEADER + header.getUint32(8), salts: [header.getUint32(16), header.getUint32(20)] as const }
  const { frames, pages, size } = readCommitted(log, begun)
  const isIndexOfIt = index && isSame(index.salts, log.salts)
  const lost = (isIndexOfIt && index.frames > frames) || goesOnBehind(log, frames) ? 'some' : 'none'
  return { frames, pages, size, lost }
}

interface Log {
  bytes: Pieces
  frameSize: number
  salts: Sum
}

function readCommitted(log: Log, begun: Sum): Pick<LogState, 'frames' | 'pages' | 'size'> {
  const pages = new Map<number, number>()
  const pending = new Map<number, number>()
  let committed = { frames: 0, size: 0 }
  let before = begun
  for (let n = 0, frame = readFrame(log, n); frame && isOf(log, frame); frame = readFrame(log, ++n)) {
    const now = frameSum(frame, before)
    if (!isSame(storedSum(frame), now)) break
    before = now
    pending.set(frame.getUint32(0), HEADER + n * log.frameSize + FRAME_HEADER)
    const size = frame.getUint32(4)
    if (size === 0) continue
    for (const [page, place] of pending) pages.set(page, place)
    pending.clear()
    committed = { frames: n + 1, size }
  }
  return { ...committed, pages }
}

/** Whether a commit lies behind the end of the readable part, and another transaction was written on top of it. */
function goesOnBehind(log: Log, end: number): boolean {
  /** The checksum of the frame before, where that is a commit. */
  let before: Sum | undefined
  for (let n = end, frame = readFrame(log, n); frame; frame = readFrame(log, ++n)) {
    if (before && isOf(log, frame) && isSame(storedSum(frame), frameSum(frame, before))) return true
    before = frame.getUint32(4) === 0 ? undefined : storedSum(frame)
  }
  return false
}

/** The frame at a place; `undefined` behind the last whole one. */
function readFrame({ bytes, frameSize }: Log, n: number): DataView | undefined {
  const at = HEADER + n * frameSize
  return at + frameSize > bytes.length ? undefined : bytes.read(at, frameSize)
}

/** Whether a frame is of this log. Frames of an earlier log, over which it is written, have other salts. */
function isOf({ salts }: Log, frame: DataView): boolean {
  return frame.getUint32(0) !== 0 && frame.getUint32(8) === salts[0] && frame.getUint32(12) === salts[1]
}

function storedSum(frame: DataView): Sum {
  return [frame.getUint32(16), frame.getUint32(20)]
}

function isSame([one, other]: Sum, [first, second]: Sum): boolean {
  return one === first && other === second
}

/** The checksum of the first eight bytes of a frame's header and of its page, continued from the one before. */
function frameSum(frame: DataView, before: Sum): Sum {
  return sum(frame, [FRAME_HEADER, frame.byteLength], sum(frame, [0, 8], before))
}

function sum(view: DataView, [from, to]: readonly [number, number], [a, b]: Sum): Sum {
  let [one, other] = [a, b]
  for (let at = from; at < to; at += 8) {
    one = (one + view.getUint32(at, true) + other) >>> 0
    other = (other + view.getUint32(at + 4, true) + one) >>> 0
  }
  return [one, other]
}

/** The state of a log by its shared index (`-shm`); `undefined` where the bytes are no index, as after a restart of the machine. */
export function readIndex(bytes: Uint8Array): IndexState | undefined {
  if (bytes.length < 100) return undefined
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const isMade = view.getUint8(12) === 1 && view.getUint32(0, true) === 3_007_000
  // The salts are kept as they stand in the log, everything else in the machine's own order.
  if (!isMade) return undefined
  return { frames: view.getUint32(16, true), salts: [view.getUint32(32), view.getUint32(36)], copied: view.getUint32(96, true) }
}
