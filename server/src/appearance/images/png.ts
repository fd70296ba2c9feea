import { crc32 } from 'node:zlib'

export interface Png {
  /** Written anew: the chunks that draw and nothing else. */
  bytes: Buffer
  width: number
  height: number
}

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
/** The chunks that are kept (PNG 3rd edition, §11). Texts, dates, EXIF and frames of an animation are left out. */
const KEPT = new Set(['IHDR', 'PLTE', 'tRNS', 'gAMA', 'sRGB', 'cHRM', 'IDAT', 'IEND'])
const MAX_SIDE = 2_000
/** Colour type → its bit depths. */
const DEPTHS: Readonly<Record<number, readonly number[]>> = { 0: [1, 2, 4, 8, 16], 2: [8, 16], 3: [1, 2, 4, 8], 4: [8, 16], 6: [8, 16] }

export function isPng(bytes: Buffer): boolean {
  return bytes.subarray(0, 8).equals(SIGNATURE)
}

/** Reads a PNG chunk by chunk, each with its checksum. The pixels are not unpacked: the header alone decides their number. Pure. */
export function cleanPng(bytes: Buffer): Png | { refusal: 'png_damaged' | 'png_size' } {
  const chunks = readChunks(bytes)
  const header = chunks?.[0]
  if (!chunks || header?.type !== 'IHDR' || header.data.length !== 13) return { refusal: 'png_damaged' }
  const width = header.data.readUInt32BE(0)
  const height = header.data.readUInt32BE(4)
  const [depth = 0, colour = -1, compression, filter, interlace = 2] = header.data.subarray(8)
  if (!DEPTHS[colour]?.includes(depth) || compression !== 0 || filter !== 0 || interlace > 1) return { refusal: 'png_damaged' }
  const types = chunks.map(({ type }) => type)
  if (!types.includes('IDAT') || types.indexOf('IHDR', 1) > 0 || (colour === 3 && !types.includes('PLTE')))
    return { refusal: 'png_damaged' }
  if (width < 1 || height < 1 || width > MAX_SIDE || height > MAX_SIDE) return { refusal: 'png_size' }
  const kept = chunks.filter(({ type }) => KEPT.has(type)).map(({ whole }) => whole)
  return { bytes: Buffer.concat([SIGNATURE, ...kept]), width, height }
}

interface Chunk {
  type: string
  data: Buffer
  whole: Buffer
}

/** All chunks up to the last one; whatever follows it is left out. `undefined` for a damaged file. */
function readChunks(bytes: Buffer): Chunk[] | undefined {
  const chunks: Chunk[] = []
  for (let at = SIGNATURE.length; at + 12 <= bytes.length; ) {
    const end = at + 12 + bytes.readUInt32BE(at)
    if (end > bytes.length || crc32(bytes.subarray(at + 4, end - 4)) !== bytes.readUInt32BE(end - 4)) return undefined
    const type = bytes.toString('latin1', at + 4, at + 8)
    chunks.push({ type, data: bytes.subarray(at + 8, end - 4), whole: bytes.subarray(at, end) })
    if (type === 'IEND') return chunks
    at = end
  }
  return undefined
}
