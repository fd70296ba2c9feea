import type { Queryable } from '../../storage/index.ts'

/** A user's own picture, as the service keeps it: a PNG. */
export interface Picture {
  /** The part of its address that nobody can guess. */
  name: string
  content: Buffer
}

/** Pictures of users: one each, which goes with its account. */
export function pictureStore(db: Queryable) {
  return {
    /** Stores a picture in the place of the one before. */
    async put(userId: string, { name, content }: Picture, at: number): Promise<void> {
      const picture = { name, content: content.toString('base64'), created_at: at }
      await db
        .insertInto('user_pictures')
        .values({ user_id: userId, ...picture })
        .onConflict((conflict) => conflict.column('user_id').doUpdateSet(picture))
        .execute()
    },
    /** `false` where there was none. */
    async remove(userId: string): Promise<boolean> {
      const { numDeletedRows } = await db.deleteFrom('user_pictures').where('user_id', '=', userId).executeTakeFirst()
      return numDeletedRows === 1n
    },
    async findByName(name: string): Promise<Buffer | undefined> {
      const row = await db.selectFrom('user_pictures').select('content').where('name', '=', name).executeTakeFirst()
      return row && Buffer.from(row.content, 'base64')
    },
    async findOfUser(userId: string): Promise<Buffer | undefined> {
      const row = await db.selectFrom('user_pictures').select('content').where('user_id', '=', userId).executeTakeFirst()
      return row && Buffer.from(row.content, 'base64')
    },
  }
}
