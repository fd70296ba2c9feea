import { type Actor, recordAudit } from '../../audit/index.ts'
import type { Now } from '../../kit/index.ts'
import type { Storage, Transaction } from '../../storage/index.ts'
import { appearanceStore } from '../store.ts'
import { type BrandImage, type ImageInfo, type ImageRefusal, parseImage } from './image.ts'

/** Stores a logo or an icon. The same content again is the same image, without another entry in the audit log. */
export async function addImage(
  bytes: Buffer,
  { storage, now, actor }: { storage: Storage; now: Now; actor: Actor },
): Promise<ImageInfo | ImageRefusal> {
  const image = parseImage(bytes)
  if ('refusal' in image) return image
  await storage.transaction((tx) => insertImage(tx, image, { actor, at: now() }))
  const { hash, type, width, height } = image
  return { hash, type, width, height }
}

/** The same in the caller's transaction, of an image that was parsed. */
export async function insertImage(tx: Transaction, image: BrandImage, { actor, at }: { actor: Actor; at: number }): Promise<void> {
  if (!(await appearanceStore(tx).addImage(image, at))) return
  const { hash, type, width, height, content } = image
  const after = { type, width, height, bytes: content.length }
  await recordAudit(tx, { actor, action: 'appearance.add_image', target: hash, after }, at)
}
