import { markSharing } from '../../app-events/index.ts'
import { prepare, type Queryable } from '../../storage/index.ts'
import { searchTermStore } from '../search-term-store.ts'
import { type NdaAcceptance, nameFrom } from '../user.ts'

/** The values of complete-profile. The tax id is sealed, and found only by its keyed hash. */
export interface ProfileRecord {
  name: string
  /** `undefined` leaves the stored value. */
  companyName: string | undefined
  phone: string | undefined
  /** `none`: the user says that they have no such number. */
  taxId: { kind: string; sealed: string; hash: string } | 'none' | undefined
}

/** A consent: the scopes that a product may see of a user, and the request's details. */
export interface Sharing {
  productId: string
  product: string
  scopes: string[]
  /** Ms. */
  grantedAt: number
  ip: string
  userAgent: string
}

const holdConsent = prepare((db: Queryable, { userId, productId }: { userId: string; productId: string }) =>
  db
    .updateTable('consents')
    .set((e) => ({ scopes: e.ref('scopes') }))
    .where('user_id', '=', userId)
    .where('product_id', '=', productId),
)

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
    /** Replaces the tax id; `false` when it is another account's. */
    async setTaxId(userId: string, taxId: Exclude<ProfileRecord['taxId'], 'none'>, at: number): Promise<boolean> {
      if (taxId && (await isTaken(db, taxId.hash, userId))) return false
      const columns = taxId ? taxIdColumns(taxId) : { tax_id_kind: null, tax_id_sealed: null, tax_id_hash: null }
      await db
        .updateTable('users_company')
        .set({ ...columns, updated_at: at })
        .where('user_id', '=', userId)
        .execute()
      return true
    },
    /** Those of these keyed hashes that an account has. */
    async listTakenTaxIds(hashes: readonly string[]): Promise<string[]> {
      if (hashes.length === 0) return []
      const rows = await db.selectFrom('users_company').select('tax_id_hash').where('tax_id_hash', 'in', hashes).execute()
      return rows.flatMap(({ tax_id_hash }) => tax_id_hash ?? [])
    },
    async findSealedTaxId(userId: string): Promise<{ kind: string; sealed: string } | undefined> {
      const row = await db
        .selectFrom('users_company')
        .select(['tax_id_kind', 'tax_id_sealed'])
        .where('user_id', '=', userId)
        .executeTakeFirst()
      return row?.tax_id_kind && row.tax_id_sealed ? { kind: row.tax_id_kind, sealed: row.tax_id_sealed } : undefined
    },

    /** Sealed tax ids by user id, a page after `cursor`. */
    async listSealedTaxIds({ limit, cursor }: { limit: number; cursor: string }): Promise<Array<{ userId: string; sealed: string }>> {
      const rows = await db
        .selectFrom('users_company')
        .select(['user_id', 'tax_id_sealed'])
        .where('tax_id_sealed', 'is not', null)
        .where('user_id', '>', cursor)
        .orderBy('user_id')
        .limit(limit)
        .execute()
      return rows.map(({ user_id, tax_id_sealed }) => ({ userId: user_id, sealed: tax_id_sealed ?? '' }))
    },
    /** Replaces a sealed tax id and its keyed hash by those of another key. */
    async resealTaxId(userId: string, { sealed, hash }: { sealed: string; hash: string }): Promise<void> {
      await db.updateTable('users_company').set({ tax_id_sealed: sealed, tax_id_hash: hash }).where('user_id', '=', userId).execute()
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

    async addBetaUser(userId: string, at: number): Promise<void> {
      const row = {
        user_id: userId,
        created_at: at,
        nda_accepted_at: null,
        nda_ip: null,
        nda_user_agent: null,
        nda_version: null,
        nda_text_hash: null,
      }
      await db
        .insertInto('beta_users')
        .values(row)
        .onConflict((conflict) => conflict.doNothing())
        .execute()
    },
    async removeBetaUser(userId: string): Promise<void> {
      await db.deleteFrom('beta_users').where('user_id', '=', userId).execute()
    },
    /** Records the first acceptance; `false` when there is no beta user, or one that has accepted already. */
    async acceptNda(userId: string, { at, ip, userAgent, version, textHash }: NdaAcceptance): Promise<boolean> {
      const { numUpdatedRows } = await db
        .updateTable('beta_users')
        .set({ nda_accepted_at: at, nda_ip: ip, nda_user_agent: userAgent.slice(0, 400), nda_version: version, nda_text_hash: textHash })
        .where('user_id', '=', userId)
        .where('nda_accepted_at', 'is', null)
        .executeTakeFirst()
      return numUpdatedRows === 1n
    },

    /** The scopes a user let a product see, or `undefined` when they never did. */
    async findConsent(userId: string, productId: string): Promise<string[] | undefined> {
      const row = await db
        .selectFrom('consents')
        .select('scopes')
        .where('user_id', '=', userId)
        .where('product_id', '=', productId)
        .executeTakeFirst()
      return row?.scopes.split(' ')
    },
    /** A beta user's acceptance, with the request's details; `undefined` for none. */
    async findNda(userId: string): Promise<NdaAcceptance | undefined> {
      const row = await db.selectFrom('beta_users').selectAll().where('user_id', '=', userId).executeTakeFirst()
      if (!row || row.nda_accepted_at === null) return undefined
      return {
        at: row.nda_accepted_at,
        ip: row.nda_ip ?? '',
        userAgent: row.nda_user_agent ?? '',
        version: row.nda_version ?? '',
        textHash: row.nda_text_hash ?? '',
      }
    },
    /** The products that a user has given a consent, by their ids; `cursor` is the last product's id of the page before. */
    async listSharings(userId: string, { limit, cursor }: { limit: number; cursor?: string | undefined }): Promise<Sharing[]> {
      let query = db
        .selectFrom('consents')
        .innerJoin('products', 'products.id', 'consents.product_id')
        .select(['product_id', 'name', 'consents.scopes', 'granted_at', 'ip', 'user_agent'])
        .where('user_id', '=', userId)
        .orderBy('product_id')
        .limit(limit)
      if (cursor !== undefined) query = query.where('product_id', '>', cursor)
      return (await query.execute()).map((row) => ({
        productId: row.product_id,
        product: row.name,
        scopes: row.scopes.split(' '),
        grantedAt: row.granted_at,
        ip: row.ip,
        userAgent: row.user_agent,
      }))
    },
    /** Whether a user's consent for a product still stands; it then stands until the transaction ends. */
    async holdConsent(userId: string, productId: string): Promise<boolean> {
      return (await holdConsent(db, { userId, productId })).numAffectedRows === 1n
    },
    /** Withdraws a consent; of any number of concurrent calls exactly one gets `true`. */
    async removeConsent(userId: string, productId: string): Promise<boolean> {
      const { numDeletedRows } = await db
        .deleteFrom('consents')
        .where('user_id', '=', userId)
        .where('product_id', '=', productId)
        .executeTakeFirst()
      if (numDeletedRows === 1n) await markSharing(db, { productId, userId })
      return numDeletedRows === 1n
    },
    async putConsent(
      consent: { userId: string; productId: string; scopes: string; ip: string; userAgent: string },
      at: number,
    ): Promise<void> {
      const { scopes, ip, userAgent } = consent
      const said = { scopes, granted_at: at, ip, user_agent: userAgent }
      await db
        .insertInto('consents')
        .values({ user_id: consent.userId, product_id: consent.productId, ...said })
        .onConflict((conflict) => conflict.columns(['user_id', 'product_id']).doUpdateSet(said))
        .execute()
      await markSharing(db, consent)
    },
  }
}

/** Whether a tax id belongs to an account other than this one. */
async function isTaken(db: Queryable, hash: string, userId: string | undefined): Promise<boolean> {
  const holder = await db.selectFrom('users_company').select('user_id').where('tax_id_hash', '=', hash).executeTakeFirst()
  return holder !== undefined && holder.user_id !== userId
}

export function taxIdColumns(taxId: NonNullable<ProfileRecord['taxId']>) {
  if (taxId === 'none') return { tax_id_kind: 'none', tax_id_sealed: null, tax_id_hash: null }
  return { tax_id_kind: taxId.kind, tax_id_sealed: taxId.sealed, tax_id_hash: taxId.hash }
}
