import type { Queryable } from '../storage/index.ts'
import type { Account, NdaAcceptance } from './account.ts'

export type AccountStore = ReturnType<typeof accountStore>

/** What complete-profile writes. The tax id is sealed, and found again by its keyed hash alone. */
export interface ProfileRecord {
  name: string
  companyName: string | undefined
  phone: string
  taxId: { kind: string; sealed: string; hash: string }
}

/** All SQL about people. Pass a transaction to write several things at once. */
export function accountStore(db: Queryable) {
  const whole = () =>
    db
      .selectFrom('users')
      .leftJoin('users_company', 'users_company.user_id', 'users.id')
      .leftJoin('beta_users', 'beta_users.user_id', 'users.id')
      .selectAll('users')
      .select(['name', 'avatar_url', 'is_producer', 'company_name', 'rank_name', 'phone', 'tax_id_hash', 'nda_accepted_at'])
      .select('beta_users.user_id as beta_id')
  type Row = NonNullable<Awaited<ReturnType<ReturnType<typeof whole>['executeTakeFirst']>>>

  return {
    /** Makes an account with its profile row. `false` when the address has one already: of concurrent calls exactly one gets `true`. */
    async insert(account: Account): Promise<boolean> {
      const { numInsertedOrUpdatedRows } = await db
        .insertInto('users')
        .values({
          id: account.id,
          email: account.email,
          email_verified_at: account.emailVerifiedAt ?? null,
          password_hash: account.passwordHash ?? null,
          role: account.role ?? null,
          language: account.language ?? null,
          disabled_at: account.disabledAt ?? null,
          created_at: account.createdAt,
          updated_at: account.createdAt,
        })
        .onConflict((conflict) => conflict.column('email').doNothing())
        .executeTakeFirstOrThrow()
      if (numInsertedOrUpdatedRows !== 1n) return false
      await db
        .insertInto('users_company')
        .values({ user_id: account.id, ...companyColumns(account), phone: account.phone ?? null, updated_at: account.createdAt })
        .execute()
      return true
    },
    /** Makes the profile row of a person who has none, so that it exists after every sign-in. */
    async ensureProfileRow(id: string, at: number): Promise<void> {
      const found = await db
        .selectFrom('users')
        .leftJoin('users_company', 'users_company.user_id', 'users.id')
        .select(['email', 'user_id'])
        .where('users.id', '=', id)
        .executeTakeFirst()
      if (!found || found.user_id !== null) return
      await db
        .insertInto('users_company')
        .values({ user_id: id, name: nameFrom(found.email), is_producer: 0, updated_at: at })
        .onConflict((conflict) => conflict.doNothing())
        .execute()
    },
    async findById(id: string): Promise<Account | undefined> {
      return fromRow(await whole().where('users.id', '=', id).executeTakeFirst())
    },
    async findByEmail(email: string): Promise<Account | undefined> {
      return fromRow(await whole().where('users.email', '=', email).executeTakeFirst())
    },
    /** By id, so the newest last; `search` finds the beginning of an address. */
    async list({ limit, cursor, search }: { limit: number; cursor?: string; search?: string }): Promise<Account[]> {
      let query = whole().orderBy('users.id').limit(limit)
      if (cursor !== undefined) query = query.where('users.id', '>', cursor)
      if (search !== undefined) query = query.where('users.email', '>=', search).where('users.email', '<', `${search}\u{10ffff}`)
      return (await query.execute()).map(toAccount)
    },
    async hasAdministrator(): Promise<boolean> {
      const row = await db
        .selectFrom('users')
        .select('id')
        .where('role', 'is not', null)
        .where('disabled_at', 'is', null)
        .executeTakeFirst()
      return row !== undefined
    },
    /** The enabled owners' ids, their rows held until the transaction ends, so that of two removals at once the second sees the first. */
    async holdOwners(): Promise<string[]> {
      const rows = await db
        .updateTable('users')
        .set((e) => ({ role: e.ref('role') }))
        .where('role', '=', 'owner')
        .where('disabled_at', 'is', null)
        .returning('id')
        .execute()
      return rows.map(({ id }) => id)
    },
    async setPassword(id: string, passwordHash: string, at: number): Promise<void> {
      await db.updateTable('users').set({ password_hash: passwordHash, updated_at: at }).where('id', '=', id).execute()
    },
    async clearPassword(id: string, at: number): Promise<void> {
      await db.updateTable('users').set({ password_hash: null, updated_at: at }).where('id', '=', id).execute()
    },
    /** Holds the account's row until the transaction ends; `false` when its password is no longer the one that was checked. */
    async holdPassword(id: string, passwordHash: string): Promise<boolean> {
      const row = await db
        .updateTable('users')
        .set((e) => ({ password_hash: e.ref('password_hash') }))
        .where('id', '=', id)
        .where('password_hash', '=', passwordHash)
        .where('disabled_at', 'is', null)
        .returning('id')
        .executeTakeFirst()
      return row !== undefined
    },
    async setLanguage(id: string, language: string): Promise<void> {
      await db.updateTable('users').set({ language }).where('id', '=', id).execute()
    },
    /** Marks an address as proven; `false` when it was already, or is no longer this one. */
    async proveEmail(id: string, email: string, at: number): Promise<boolean> {
      const { numUpdatedRows } = await db
        .updateTable('users')
        .set({ email_verified_at: at, updated_at: at })
        .where('id', '=', id)
        .where('email', '=', email)
        .where('email_verified_at', 'is', null)
        .executeTakeFirst()
      return numUpdatedRows === 1n
    },
    /** Gives an account another, proven address. Throws a unique violation when the address has an account. */
    async setEmail(id: string, email: string, at: number): Promise<void> {
      await db.updateTable('users').set({ email, email_verified_at: at, updated_at: at }).where('id', '=', id).execute()
    },
    /** Empties what someone else may have put into an account that is proven only now. */
    async strip(id: string, at: number): Promise<void> {
      await db.updateTable('users').set({ password_hash: null, email_verified_at: at, updated_at: at }).where('id', '=', id).execute()
      await db
        .updateTable('users_company')
        .set({ tax_id_kind: null, tax_id_sealed: null, tax_id_hash: null, phone: null, updated_at: at })
        .where('user_id', '=', id)
        .execute()
      await db.deleteFrom('consents').where('user_id', '=', id).execute()
    },
    async setDisabled(id: string, disabledAt: number | undefined, at: number): Promise<void> {
      await db
        .updateTable('users')
        .set({ disabled_at: disabledAt ?? null, updated_at: at })
        .where('id', '=', id)
        .execute()
    },
    /** Writes what the operator may change: name, pictures, rank, role, whether the address is proven. */
    async update(account: Account, at: number): Promise<void> {
      await db
        .updateTable('users')
        .set({ email_verified_at: account.emailVerifiedAt ?? null, role: account.role ?? null, updated_at: at })
        .where('id', '=', account.id)
        .execute()
      await db
        .updateTable('users_company')
        .set({ ...companyColumns(account), updated_at: at })
        .where('user_id', '=', account.id)
        .execute()
    },
    async remove(id: string): Promise<void> {
      await db.deleteFrom('users').where('id', '=', id).execute()
    },

    /**
     * Writes a completed profile; `false` when the tax id belongs to another account, or this account has one already: the database's unique
     * index decides a race for one number.
     */
    async completeProfile(userId: string, profile: ProfileRecord, at: number): Promise<boolean> {
      const taken = await db.selectFrom('users_company').select('user_id').where('tax_id_hash', '=', profile.taxId.hash).executeTakeFirst()
      if (taken) return false
      const { numUpdatedRows } = await db
        .updateTable('users_company')
        .set({
          name: profile.name,
          company_name: profile.companyName ?? null,
          phone: profile.phone,
          tax_id_kind: profile.taxId.kind,
          tax_id_sealed: profile.taxId.sealed,
          tax_id_hash: profile.taxId.hash,
          updated_at: at,
        })
        .where('user_id', '=', userId)
        .where('tax_id_hash', 'is', null)
        .executeTakeFirst()
      return numUpdatedRows === 1n
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

    /** The scopes a person let a product see, or `undefined` when they never did. */
    async findConsent(userId: string, productId: string): Promise<string[] | undefined> {
      const row = await db
        .selectFrom('consents')
        .select('scopes')
        .where('user_id', '=', userId)
        .where('product_id', '=', productId)
        .executeTakeFirst()
      return row?.scopes.split(' ')
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
    },
  }

  function fromRow(row: Row | undefined): Account | undefined {
    return row && toAccount(row)
  }

  function toAccount(row: Row): Account {
    return {
      id: row.id,
      email: row.email,
      emailVerifiedAt: row.email_verified_at ?? undefined,
      passwordHash: row.password_hash ?? undefined,
      role: row.role === 'owner' || row.role === 'support' || row.role === 'viewer' ? row.role : undefined,
      disabledAt: row.disabled_at ?? undefined,
      createdAt: row.created_at,
      name: row.name ?? nameFrom(row.email),
      avatarUrl: row.avatar_url ?? undefined,
      isProducer: row.is_producer === 1,
      companyName: row.company_name ?? undefined,
      rankName: row.rank_name ?? undefined,
      hasTaxId: row.tax_id_hash !== null,
      phone: row.phone ?? undefined,
      language: row.language ?? undefined,
      beta: row.beta_id === null ? undefined : { ndaAcceptedAt: row.nda_accepted_at ?? undefined },
    }
  }
}

/** What to call someone of whom nothing but the address is known. */
function nameFrom(email: string): string {
  return email.slice(0, email.lastIndexOf('@'))
}

function companyColumns(account: Account) {
  return {
    name: account.name,
    avatar_url: account.avatarUrl ?? null,
    is_producer: account.isProducer ? 1 : 0,
    company_name: account.companyName ?? null,
    rank_name: account.rankName ?? null,
  }
}
