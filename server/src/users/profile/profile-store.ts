import type { Queryable } from '../../storage/index.ts'
import { searchTermStore } from '../search-term-store.ts'
import { nameFrom } from '../user.ts'

/** The values of complete-profile. The tax id is sealed, and found only by its keyed hash. */
export interface ProfileRecord {
  name: string
  /** `undefined` leaves the stored value. */
  companyName: string | undefined
  phone: string | undefined
  /** `none`: the user says that they have no such number. */
  taxId: { kind: string; sealed: string; hash: string } | 'none' | undefined
}

/** The users' own data and agreements: the profile with its tax id, the NDA of beta users, consents. */
export function profileStore(db: Queryable) {
  return {
    /** Makes the profile row of a user who has none, so that it exists after every sign-in. */
    async ensureRow(userId: string, at: number): Promise<void> {
      const found = await db
        .selectFrom('users')
        .leftJoin('users_company', 'users_company.user_id', 'users.id')
        .select(['email', 'user_id'])
        .where('users.id', '=', userId)
        .executeTakeFirst()
      if (!found || found.user_id !== null) return
      await db
        .insertInto('users_company')
        .values({ user_id: userId, name: nameFrom(found.email), is_producer: 0, updated_at: at })
        .onConflict((conflict) => conflict.doNothing())
        .execute()
      await searchTermStore(db).refresh(userId)
    },
    /**
     * Writes a completed profile. `false` when the tax id belongs to another account, or this account has a CPF or CNPJ already, which no
     * other number replaces. The database's unique index decides a race for one number.
     */
    async complete(userId: string, profile: ProfileRecord, at: number): Promise<boolean> {
      const { name, companyName, phone, taxId } = profile
      if (typeof taxId === 'object' && (await isTaken(db, taxId.hash, undefined))) return false
      let update = db
        .updateTable('users_company')
        .set({
          name,
          ...(companyName !== undefined && { company_name: companyName }),
          ...(phone !== undefined && { phone }),
          ...(taxId !== undefined && taxIdColumns(taxId)),
          updated_at: at,
        })
        .where('user_id', '=', userId)
      if (taxId !== undefined)
        update = update.where((e) => e.or([e('tax_id_kind', 'is', null), e('tax_id_kind', 'not in', ['cpf', 'cnpj'])]))
      const { numUpdatedRows } = await update.executeTakeFirst()
      if (numUpdatedRows !== 1n) return false
      await searchTermStore(db).refresh(userId)
      return true
    },
    async setPhone(userId: string, phone: string | undefined, at: number): Promise<void> {
      await db
        .updateTable('users_company')
        .set({ phone: phone ?? null, updated_at: at })
        .where('user_id', '=', userId)
        .execute()
    },
    async removePicture(userId: string, at: number): Promise<void> {
      await db.updateTable('users_company').set({ avatar_url: null, updated_at: at }).where('user_id', '=', userId).execute()
    },
    /** Empties all that someone else may have put into an account before its address was verified: tax id, phone and consents. */
    async strip(userId: string, at: number): Promise<void> {
      await db
        .updateTable('users_company')
        .set({ tax_id_kind: null, tax_id_sealed: null, tax_id_hash: null, tax_id_corrected_at: null, phone: null, updated_at: at })
        .where('user_id', '=', userId)
        .execute()
      await db.deleteFrom('consents').where('user_id', '=', userId).execute()
      const unsaid = { nda_accepted_at: null, nda_ip: null, nda_user_agent: null, nda_version: null, nda_text_hash: null }
      await db.updateTable('beta_users').set(unsaid).where('user_id', '=', userId).execute()
    },
  }
}

/** Whether a tax id belongs to an account other than this one. */
export async function isTaken(db: Queryable, hash: string, userId: string | undefined): Promise<boolean> {
  const holder = await db.selectFrom('users_company').select('user_id').where('tax_id_hash', '=', hash).executeTakeFirst()
  return holder !== undefined && holder.user_id !== userId
}

export function taxIdColumns(taxId: NonNullable<ProfileRecord['taxId']>) {
  if (taxId === 'none') return { tax_id_kind: 'none', tax_id_sealed: null, tax_id_hash: null }
  return { tax_id_kind: taxId.kind, tax_id_sealed: taxId.sealed, tax_id_hash: taxId.hash }
}
