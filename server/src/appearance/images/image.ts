import { sha256Hex } from '../../kit/index.ts'
import { cleanPng, isPng } from './png.ts'
import { cleanSvg, type SvgRefusal } from './svg.ts'

export interface ImageInfo {
  /** The first half of the SHA-256 of its content, in hex. */
  hash: string
  type: 'svg' | 'png'
  width: number
  height: number
}

/** A logo or an icon, checked and written anew. */
export interface BrandImage extends ImageInfo {
  content: Buffer
}

export type ImageRefusal = { refusal: 'image_too_large' | 'image_empty' | 'not_an_image' | 'png_damaged' | 'png_size' } | SvgRefusal

export const MAX_IMAGE_BYTES = 200 * 1024
export const IMAGE_TYPES = { svg: 'image/svg+xml', png: 'image/png' } as const

/** Decides by the content alone, never by a name or a type that came with it. Pure. */
export function parseImage(bytes: Buffer): BrandImage | ImageRefusal {
  if (bytes.length === 0) return { refusal: 'image_empty' }
  if (bytes.length > MAX_IMAGE_BYTES) return { refusal: 'image_too_large' }
  if (isPng(bytes)) {
    const png = cleanPng(bytes)
    return 'refusal' in png ? png : { ...named(png.bytes, 'png'), width: png.width, height: png.height }
  }
  const text = bytes.toString('utf8')
  if (!/^\ufeff?\s*<[?!s]/i.test(text) || text.includes('\ufffd')) return { refusal: 'not_an_image' }
  const svg = cleanSvg(text)
  return 'refusal' in svg ? svg : { ...named(Buffer.from(svg.text), 'svg'), width: svg.width, height: svg.height }
}

/** Where browsers fetch it. */
export function imagePath({ hash, type }: Pick<ImageInfo, 'hash' | 'type'>): `/assets/${string}` {
  return `/assets/brand/${hash}.${type}`
}

function named(content: Buffer, type: ImageInfo['type']): Pick<BrandImage, 'content' | 'type' | 'hash'> {
  return { content, type, hash: sha256Hex(content).slice(0, 32) }
}
