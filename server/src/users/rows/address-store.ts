import type { Queryable } from '../../storage/index.ts'
import { searchTermStore } from '../search-term-store.ts'

/** The addresses of accounts, and whether their mailboxes have answered. */
export function addressStore(db: Queryable) {
  return {
    /** Marks an address as verified; `false` when it was already, or is no longer this one. */
    async verifyEmail(id: string, email: string, at: number): Promise<boolean> {
      const { numUpdatedRows } = await db
        .updateTable('users')
        .set({ email_verified_at: at, updated_at: at })
        .where('id', '=', id)
        .where('email', '=', email)
        .where('email_verified_at', 'is', null)
        .executeTakeFirst()
      return numUpdatedRows === 1n
    },
    /** Gives an account another, verified address. Throws a unique violation when the address has an account. */
    async setEmail(id: string, email: string, at: number): Promise<void> {
      await db.updateTable('users').set({ email, email_verified_at: at, updated_at: at }).where('id', '=', id).execute()
      await searchTermStore(db).refresh(id)
    },
    /**
     * Corrects the address of an account that nobody has entered yet; it stays unverified. Throws a unique violation when the address has
     * an account.
     */
    async correctEmail(id: string, email: string, at: number): Promise<void> {
      await db.updateTable('users').set({ email, email_verified_at: null, updated_at: at }).where('id', '=', id).execute()
      await searchTermStore(db).refresh(id)
    },
    /** Gives an account to the user who has just verified its address: a password that someone else may have set goes. */
    async strip(id: string, at: number): Promise<void> {
      await db
        .updateTable('users')
        .set({ password_hash: null, password_changed_at: null, email_verified_at: at, updated_at: at })
        .where('id', '=', id)
        .execute()
    },
  }
}
