import type { Transaction } from '../../storage/index.ts'
import { type Appearance, type AppearanceField, IMAGE_FIELDS } from '../appearance.ts'
import type { AppearanceChange, AppearanceRefusal } from '../fields/appearance-change.ts'
import { appearanceStore } from '../store.ts'

export async function findImageFault(
  tx: Transaction,
  after: Appearance,
  change: AppearanceChange,
): Promise<Extract<AppearanceRefusal, { field: AppearanceField }> | undefined> {
  const refusal = 'field_refused'
  for (const field of IMAGE_FIELDS) {
    const wanted = change[field]
    if (typeof wanted !== 'string') continue
    const image = await appearanceStore(tx).takeImage(wanted)
    if (!image) return { refusal, field, why: 'no_such_image' }
    const isIcon = field === 'favicon' || field === 'touchIcon'
    if (isIcon && image.width !== image.height) return { refusal, field, why: 'not_square' }
    // Phones and messengers show no SVG.
    if (field === 'touchIcon' && image.type !== 'png') return { refusal, field, why: 'not_a_png' }
  }
  return after.logoDark !== undefined && after.logoLight === undefined ? { refusal, field: 'logoDark', why: 'needs_light_logo' } : undefined
}
