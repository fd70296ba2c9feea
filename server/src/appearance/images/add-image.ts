import { type Actor, recordAudit } from '../../audit/index.ts'
import type { Now } from '../../kit/index.ts'
import type { Storage } from '../../storage/index.ts'
import { appearanceStore } from '../store.ts'
import { type ImageInfo, type ImageRefusal, parseImage } from './image.ts'

/** Stores a logo or an icon. The same content again is the same image, without another entry in the audit log. */
export async function addImage(
  bytes: Buffer,
  { storage, now, actor }: { storage: Storage; now: Now; actor: Actor },
): Promise<ImageInfo | ImageRefusal> {
  const image = parseImage(bytes)
  if ('refusal' in image) return image
  const { content, ...info } = image
  await storage.transaction(async (tx) => {
    if (!(await appearanceStore(tx).addImage(image, now()))) return
    const after = { type: info.type, width: info.width, height: info.height, bytes: content.length }
    await recordAudit(tx, { actor, action: 'appearance.add_image', target: info.hash, after }, now())
  })
  return info
}
