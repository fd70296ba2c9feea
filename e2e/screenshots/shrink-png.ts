import { crc32, deflateSync, inflateSync } from 'node:zlib'

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
const PALETTE = 256

/**
 * A browser's screenshot (8 bits a channel, no interlacing) as a PNG with a palette (PNG §11.2.2), half the size. The faint noise of a
 * gradient costs most of the bytes; it goes with the colours that are too close together to be distinguished.
 */
export function shrinkPng(png: Buffer): Buffer {
  const { width, height, channels, pixels } = decode(png)
  const counts = new Map<number, number>()
  const colourAt = (at: number) => ((pixels[at] ?? 0) << 16) | ((pixels[at + 1] ?? 0) << 8) | (pixels[at + 2] ?? 0)
  for (let at = 0; at < pixels.length; at += channels) counts.set(colourAt(at), (counts.get(colourAt(at)) ?? 0) + 1)
  const { palette, indexes } = choosePalette([...counts].sort(([, one], [, other]) => other - one).map(([colour]) => colour))

  const rows = Buffer.alloc(height * (width + 1)) // each row begins with its filter: none
  for (let row = 0; row < height; row += 1) {
    for (let x = 0; x < width; x += 1) rows[row * (width + 1) + 1 + x] = indexes.get(colourAt((row * width + x) * channels)) ?? 0
  }
  return encode(width, height, palette, rows)
}

/** The commonest colours as they are; the rarer ones as the nearest of those, the tolerance being the least with which 256 are enough. */
function choosePalette(commonestFirst: number[]): { palette: number[]; indexes: Map<number, number> } {
  for (let tolerance = 0; ; tolerance += 1) {
    const palette: number[] = []
    const indexes = new Map<number, number>()
    for (const colour of commonestFirst) {
      const nearest = palette.reduce(
        (best, other, index) => (distance(colour, other) < distance(colour, palette[best] ?? 0) ? index : best),
        0,
      )
      const isNear = palette.length > 0 && distance(colour, palette[nearest] ?? 0) <= tolerance
      indexes.set(colour, isNear ? nearest : palette.push(colour) - 1)
      if (palette.length > PALETTE) break
    }
    if (palette.length <= PALETTE) return { palette, indexes }
  }
}

function distance(one: number, other: number): number {
  return Math.abs((one >> 16) - (other >> 16)) + Math.abs(((one >> 8) & 255) - ((other >> 8) & 255)) + Math.abs((one & 255) - (other & 255))
}

function encode(width: number, height: number, palette: number[], rows: Buffer): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 3], 8)
  const colours = Buffer.from(palette.flatMap((colour) => [colour >> 16, (colour >> 8) & 255, colour & 255]))
  const parts = [
    chunk('IHDR', header),
    chunk('PLTE', colours),
    chunk('IDAT', deflateSync(rows, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]
  return Buffer.concat([SIGNATURE, ...parts])
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const part = Buffer.alloc(body.length + 8)
  part.writeUInt32BE(data.length, 0)
  body.copy(part, 4)
  part.writeUInt32BE(crc32(body), body.length + 4)
  return part
}

function decode(png: Buffer): { width: number; height: number; channels: number; pixels: Buffer } {
  const data: Buffer[] = []
  for (let at = SIGNATURE.length; at < png.length; at += png.readUInt32BE(at) + 12) {
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT') data.push(png.subarray(at + 8, at + 8 + png.readUInt32BE(at)))
  }
  const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)]
  const channels = png[25] === 6 ? 4 : 3
  const filtered = inflateSync(Buffer.concat(data))
  const pixels = Buffer.alloc(width * height * channels)
  for (let row = 0; row < height; row += 1) unfilter(filtered, pixels, row, width * channels, channels)
  return { width, height, channels, pixels }
}

/** Undoes the filter of one row (PNG §9). */
function unfilter(filtered: Buffer, pixels: Buffer, row: number, length: number, channels: number): void {
  const filter = filtered[row * (length + 1)]
  const start = row * length
  for (let x = 0; x < length; x += 1) {
    const left = x < channels ? 0 : (pixels[start + x - channels] ?? 0)
    const up = row === 0 ? 0 : (pixels[start + x - length] ?? 0)
    const corner = x < channels || row === 0 ? 0 : (pixels[start + x - length - channels] ?? 0)
    const guess = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][filter ?? 0] ?? 0
    pixels[start + x] = (filtered[row * (length + 1) + 1 + x] ?? 0) + guess
  }
}

function paeth(left: number, up: number, corner: number): number {
  const guess = left + up - corner
  const [toLeft, toUp, toCorner] = [Math.abs(guess - left), Math.abs(guess - up), Math.abs(guess - corner)]
  if (toLeft <= toUp && toLeft <= toCorner) return left
  return toUp <= toCorner ? up : corner
}
