import { useState } from 'react'
import type { Draft, Field, StoredImage } from './appearance.ts'
import { useAddImage } from './use-add-image.ts'

/** The side of the icon in pixels, as phones ask for it. */
const SIDE = 180
/** A logo that is no square keeps off the edges, which phones make round. */
const INSET = 0.84

/**
 * The icon of phones and messengers, drawn anew from each icon or logo that is chosen: they show no SVG, and the service draws nothing. It
 * stands in the draft like any other image, so it can be seen, replaced or removed before it is saved.
 */
export function useTouchIcon(draft: Draft, set: (field: Field, text: string) => void) {
  const addImage = useAddImage()
  const [made, setMade] = useState<StoredImage>()
  const [isDrawing, setDrawing] = useState(false)
  const draw = async (field: Field, chosen: StoredImage) => {
    const isSource = field === 'favicon' || (field === 'logo_light' && draft.favicon === '')
    if (!isSource) return
    setDrawing(true)
    try {
      const image = await addImage(await drawTouchIcon(new URL(chosen.url, window.location.href).pathname))
      setMade(image)
      set('touch_icon', image.id)
    } catch {
      // Without it the look is what it was before: the field stays as it is, and takes a file.
    } finally {
      setDrawing(false)
    }
  }
  return { draw, made, isDrawing }
}

/** Draws a picture of ours as a square PNG on white, as on phones a transparent ground is black. */
async function drawTouchIcon(path: string): Promise<Blob> {
  const image = new Image()
  image.src = path
  await image.decode()
  const { naturalWidth: width, naturalHeight: height } = image
  const canvas = Object.assign(document.createElement('canvas'), { width: SIDE, height: SIDE })
  const context = canvas.getContext('2d')
  if (!context) throw new Error('no canvas')
  context.fillStyle = '#fff'
  context.fillRect(0, 0, SIDE, SIDE)
  context.imageSmoothingQuality = 'high'
  const scale = (width === height ? SIDE : SIDE * INSET) / Math.max(width, height)
  const [wide, high] = [width * scale, height * scale]
  context.drawImage(image, (SIDE - wide) / 2, (SIDE - high) / 2, wide, high)
  return new Promise((resolve, reject) => canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('not drawn'))), 'image/png'))
}
