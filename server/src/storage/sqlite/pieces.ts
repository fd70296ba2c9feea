import { fstatSync, readSync } from 'node:fs'

const PIECE = 512 * 1024

/** The bytes of a file of any size, of which one piece at a time is in memory. */
export interface Pieces {
  readonly length: number
  /** Bytes that lie within the file. They are there until the next call. Whoever reads forward reads each piece once. */
  read(from: number, length: number): DataView
}

export const NO_BYTES: Pieces = { length: 0, read: (from, length) => new DataView(new ArrayBuffer(0), from, length) }

export function piecesOf(descriptor: number): Pieces {
  const { size } = fstatSync(descriptor)
  let piece = new Uint8Array(Math.min(PIECE, size))
  let begin = 0
  let end = 0
  return {
    length: size,
    read(from, length) {
      if (from < begin || from + length > end) {
        if (length > piece.length) piece = new Uint8Array(length)
        fill(descriptor, piece, from)
        begin = from
        end = from + piece.length
      }
      return new DataView(piece.buffer, from - begin, length)
    },
  }
}

/** Zeros stand for what is not there any more: whoever writes to a file may cut it meanwhile. */
function fill(descriptor: number, piece: Uint8Array, from: number): void {
  let filled = 0
  while (filled < piece.length) {
    const read = readSync(descriptor, piece, filled, piece.length - filled, from + filled)
    if (read === 0) break
    filled += read
  }
  piece.fill(0, filled)
}
