import { adminPath } from '../api/admin-http.ts'
import { useCallAdmin } from '../console-context.ts'
import type { StoredImage } from './appearance.ts'

/** Stores an image. Users see it once a look that has it is saved. */
export function useAddImage(): (image: Blob) => Promise<StoredImage> {
  const callAdmin = useCallAdmin()
  return async (image) => {
    const content = toBase64(new Uint8Array(await image.arrayBuffer()))
    return callAdmin<StoredImage>({ path: adminPath('appearance', 'images'), method: 'POST', body: { content } })
  }
}

function toBase64(bytes: Uint8Array): string {
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
}
