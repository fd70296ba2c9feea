import { type AppearanceRefusal, applyAppearanceChange, FIELD_NAMES, type FieldName, insertImage } from '../../../appearance/index.ts'
import { productStore } from '../../../products/index.ts'
import type { Transaction } from '../../../storage/index.ts'
import { changeFrom } from '../../appearance/appearance-json.ts'
import { hashOfFile, listLooks } from '../form/appearance.ts'
import { ownDifferences, type Step } from './step.ts'

type Wanted = [field: string, value: string | { file: string } | null]

/** Changes the looks that differ. Their images are stored first: a look names what is there. */
export async function applyAppearances(tx: Transaction, step: Step): Promise<void> {
  for (const [path, look] of listLooks(step.declared)) {
    const [, slug] = /^products\.([^.]+)\./.exec(path) ?? []
    const isNew = slug !== undefined && !step.current.objects.has(`products.${slug}`)
    const differing = isNew ? new Set(Object.keys(look)) : ownDifferences(step, path)
    const wanted = Object.entries(look).flatMap(([field, value]): Wanted[] =>
      value === undefined || !differing.has(field) || (isNew && value === null) ? [] : [[field, value]],
    )
    if (wanted.length > 0) await applyLook(tx, { path, slug, wanted }, step)
  }
}

async function applyLook(
  tx: Transaction,
  { path, slug, wanted }: { path: string; slug: string | undefined; wanted: readonly Wanted[] },
  { images, deps, fail }: Step,
): Promise<void> {
  const refuse = (why: AppearanceRefusal) => {
    const field = 'field' in why ? `.${FIELD_NAMES[why.field]}` : ''
    return fail({ path: `${path}${field}`, refusal: 'appearance_refused', why })
  }
  const product = slug === undefined ? undefined : await productStore(tx).findBySlug(slug)
  if (slug !== undefined && !product) throw new Error(`${slug} was added and is not there`)
  const change: Partial<Record<FieldName, string | null>> = {}
  for (const [field, value] of wanted) {
    const hash = typeof value === 'object' && value !== null ? hashOfFile(value.file) : undefined
    const image = hash === undefined ? undefined : images.get(hash)
    if (image) await insertImage(tx, image, deps)
    change[field as FieldName] = typeof value === 'object' ? (hash ?? null) : value
  }
  await applyAppearanceChange(tx, product?.id, changeFrom(change), { ...deps, refuse })
}
