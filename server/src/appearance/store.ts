import type { ExpressionBuilder } from 'kysely'
import type { AppearanceRow, Queryable, Schema, Transaction } from '../storage/index.ts'
import { APPEARANCE_FIELDS, type Appearance, FIELD_NAMES, IMAGE_FIELDS } from './appearance.ts'
import { type BrandImage, IMAGE_TYPES, type ImageInfo } from './images/image.ts'

/** The operator's row; all others are named after their product. */
const OPERATOR = 'operator'

/** The stored looks of the operator and of each product, and the images that they name. */
export interface StoredAppearances {
  operator: Appearance
  products: ReadonlyMap<string, Appearance>
  images: ReadonlyMap<string, ImageInfo>
}

/** All SQL about appearance. A scope is a product's id; `undefined` is the operator. */
export function appearanceStore(db: Queryable) {
  return {
    async find(productId: string | undefined): Promise<Appearance> {
      const scope = productId ?? OPERATOR
      return toAppearance(await db.selectFrom('appearances').selectAll().where('scope', '=', scope).executeTakeFirst())
    },
    /** All looks, or those that apply to one product or to the operator, and the facts of images. These are few rows. */
    async read(of: { productId: string | undefined } | 'all'): Promise<StoredAppearances> {
      let query = db.selectFrom('appearances').selectAll()
      if (of !== 'all') query = query.where('scope', 'in', of.productId === undefined ? [OPERATOR] : [OPERATOR, of.productId])
      const rows = await query.execute()
      return {
        operator: toAppearance(rows.find(({ scope }) => scope === OPERATOR)),
        products: new Map(rows.filter(({ scope }) => scope !== OPERATOR).map((row) => [row.scope, toAppearance(row)])),
        images: new Map(rows.length === 0 ? [] : (await this.listImages()).map((image) => [image.hash, image])),
      }
    },
    async put(productId: string | undefined, appearance: Appearance, at: number): Promise<void> {
      const columns = Object.fromEntries(APPEARANCE_FIELDS.map((field) => [FIELD_NAMES[field], appearance[field] ?? null]))
      await db
        .updateTable('appearances')
        .set({ ...columns, updated_at: at })
        .where('scope', '=', productId ?? OPERATOR)
        .execute()
    },
    /** Adds an image, unused until a look takes it: of any number of concurrent calls with one image exactly one gets `true`. */
    async addImage({ hash, type, width, height, content }: BrandImage, at: number): Promise<boolean> {
      const { numUpdatedRows } = await db
        .updateTable('brand_images')
        .set((eb) => ({ unused_since: eb.case().when('unused_since', 'is', null).then(null).else(at).end() }))
        .where('hash', '=', hash)
        .executeTakeFirstOrThrow()
      if (numUpdatedRows > 0n) return false
      const { numInsertedOrUpdatedRows } = await db
        .insertInto('brand_images')
        .values({
          hash,
          type,
          width: Math.ceil(width),
          height: Math.ceil(height),
          content: content.toString('base64'),
          created_at: at,
          unused_since: at,
        })
        .onConflict((conflict) => conflict.column('hash').doNothing())
        .executeTakeFirstOrThrow()
      return numInsertedOrUpdatedRows === 1n
    },
    async listImages(): Promise<ImageInfo[]> {
      return (await db.selectFrom('brand_images').select(['hash', 'type', 'width', 'height']).execute()).map(toInfo)
    },
    /** An image that a look takes in this transaction: it counts as used from now on, so nothing removes it. */
    async takeImage(hash: string): Promise<ImageInfo | undefined> {
      const row = await db
        .updateTable('brand_images')
        .set({ unused_since: null })
        .where('hash', '=', hash)
        .returning(['hash', 'type', 'width', 'height'])
        .executeTakeFirst()
      return row && toInfo(row)
    },
    /**
     * Removes images that no look has had since `before`, and notes from when on the others are unused. An image that is taken at the same
     * time stays: its row changes, so the removal looks at it again.
     */
    async forgetUnusedImages({ before, at }: { before: number; at: number }): Promise<void> {
      await db.updateTable('brand_images').set({ unused_since: null }).where('unused_since', 'is not', null).where(isUsed).execute()
      const isUnused = (eb: ImageExpressions) => eb.not(isUsed(eb))
      await db.updateTable('brand_images').set({ unused_since: at }).where('unused_since', 'is', null).where(isUnused).execute()
      await db.deleteFrom('brand_images').where('unused_since', '<', before).where(isUnused).execute()
    },
    async findImage(hash: string): Promise<BrandImage | undefined> {
      const row = await db.selectFrom('brand_images').selectAll().where('hash', '=', hash).executeTakeFirst()
      return row && { ...toInfo(row), content: Buffer.from(row.content, 'base64') }
    },
  }
}

/** A scope's row, made if it is not there yet and held until the transaction ends: other changes wait. */
export async function holdAppearance(tx: Transaction, productId: string | undefined, at: number): Promise<Appearance> {
  const scope = productId ?? OPERATOR
  await tx
    .insertInto('appearances')
    .values({ scope, updated_at: at })
    .onConflict((conflict) => conflict.column('scope').doUpdateSet({ updated_at: at }))
    .execute()
  return appearanceStore(tx).find(productId)
}

type ImageExpressions = ExpressionBuilder<Schema, 'brand_images'>

function isUsed({ exists, selectFrom }: ImageExpressions) {
  const looks = selectFrom('appearances').select('scope')
  return exists(
    looks.where((eb) => eb.or(IMAGE_FIELDS.map((field) => eb(`appearances.${FIELD_NAMES[field]}`, '=', eb.ref('brand_images.hash'))))),
  )
}

function toInfo({ hash, type, width, height }: { hash: string; type: string; width: number; height: number }): ImageInfo {
  if (!(type in IMAGE_TYPES)) throw new TypeError(`brand_images.type of ${hash} is unknown`)
  return { hash, type: type === 'svg' ? 'svg' : 'png', width, height }
}

function toAppearance(row: AppearanceRow | undefined): Appearance {
  if (!row) return {}
  return Object.fromEntries(
    APPEARANCE_FIELDS.flatMap((field) => {
      const value = row[FIELD_NAMES[field]]
      return typeof value === 'string' ? [[field, value]] : []
    }),
  )
}
