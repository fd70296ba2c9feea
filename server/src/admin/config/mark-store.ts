import type { Queryable } from '../../storage/index.ts'

/** The kinds of objects that a file of settings can declare. */
export const MANAGED_KINDS = ['appearance', 'reports', 'product', 'plan', 'identity_provider', 'endpoint'] as const
export type ManagedKind = (typeof MANAGED_KINDS)[number]

/** The record that a file declares an object. `name`: the object's name in the file. */
export interface Mark {
  kind: ManagedKind
  objectId: string
  managedBy: string
  name: string
}

export function markStore(db: Queryable) {
  return {
    async list(): Promise<Mark[]> {
      const rows = await db.selectFrom('managed_settings').selectAll().orderBy('kind').orderBy('object_id').execute()
      return rows.flatMap(({ kind, object_id: objectId, managed_by: managedBy, name }) => {
        const known = MANAGED_KINDS.find((one) => one === kind)
        return known ? [{ kind: known, objectId, managedBy, name }] : []
      })
    },
    async find(kind: ManagedKind, objectId: string): Promise<string | undefined> {
      const query = db.selectFrom('managed_settings').select('managed_by').where('kind', '=', kind).where('object_id', '=', objectId)
      return (await query.executeTakeFirst())?.managed_by
    },
    async put({ kind, objectId, managedBy, name }: Mark): Promise<void> {
      await db
        .insertInto('managed_settings')
        .values({ kind, object_id: objectId, managed_by: managedBy, name })
        .onConflict((conflict) => conflict.columns(['kind', 'object_id']).doUpdateSet({ managed_by: managedBy, name }))
        .execute()
    },
    async remove(kind: ManagedKind, objectId: string): Promise<void> {
      await db.deleteFrom('managed_settings').where('kind', '=', kind).where('object_id', '=', objectId).execute()
    },
  }
}
