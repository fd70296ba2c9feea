import { randomBytes } from 'node:crypto'
import { type ImageRefusal, MAX_IMAGE_BYTES, parseImage } from '../../appearance/index.ts'
import { recordAudit } from '../../audit/index.ts'
import type { Announce } from '../../changes/index.ts'
import type { Transaction } from '../../storage/index.ts'
import { userStore } from '../store.ts'
import type { User } from '../user.ts'
import { type Picture, pictureStore } from './picture-store.ts'

/** Where browsers fetch pictures. */
export const PICTURES = '/assets/pictures/'
export const MAX_PICTURE_BYTES = MAX_IMAGE_BYTES

export type PictureRefusal = 'none' | 'too_large' | 'not_png' | 'damaged' | 'size'

interface PictureDeps {
  announce: Announce
  at: number
  baseUrl: string
  /** The address that the change came from. */
  ip: string
}

/**
 * Decides by the content alone, and writes it anew: what a camera wrote beside the pixels, as the place, does not stay. Its name is random,
 * so that an address is known only to those who were given it.
 */
export function parsePicture(bytes: Buffer): Picture | { refusal: PictureRefusal } {
  const image = parseImage(bytes)
  if ('refusal' in image) return { refusal: WHY[image.refusal] ?? 'not_png' }
  return image.type === 'png' ? { name: randomBytes(16).toString('hex'), content: image.content } : { refusal: 'not_png' }
}

const WHY: Partial<Record<ImageRefusal['refusal'], PictureRefusal>> = {
  image_empty: 'none',
  image_too_large: 'too_large',
  png_damaged: 'damaged',
  png_size: 'size',
}

/** Gives a user another picture, or none, inside the caller's transaction. The one before is gone at once. */
export async function changePicture(
  tx: Transaction,
  user: User,
  picture: Picture | undefined,
  { announce, at, baseUrl, ip }: PictureDeps,
): Promise<void> {
  if (picture) await pictureStore(tx).put(user.id, picture, at)
  else await pictureStore(tx).remove(user.id)
  const avatarUrl = picture && `${baseUrl}${PICTURES}${picture.name}.png`
  await userStore(tx).update({ ...user, avatarUrl }, at)
  const entry = { actor: `user:${user.id}`, action: 'user.change_picture', target: user.id, ip } as const
  await recordAudit(tx, { ...entry, after: { bytes: picture?.content.length ?? null } }, at)
  announce({ kind: 'user_changed', subject: user.id })
}

/**
 * The path of a picture that we serve ourselves; a provider's address is not shown on our pages, and none that begins as ours do and leads
 * elsewhere.
 */
export function ownPicturePath({ avatarUrl }: Pick<User, 'avatarUrl'>, baseUrl: string): string | undefined {
  const path = avatarUrl?.startsWith(`${baseUrl}${PICTURES}`) ? avatarUrl.slice(baseUrl.length) : undefined
  return path !== undefined && /^[0-9a-f]{32}\.png$/.test(path.slice(PICTURES.length)) ? path : undefined
}
