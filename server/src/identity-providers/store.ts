import type { Sealer } from '../kit/index.ts'
import { type IdentityProviderRow, type Queryable, removeInPortions } from '../storage/index.ts'
import { type IdentityProvider, PROVIDER_KINDS } from './provider.ts'

const secretPlace = (id: string) => `identity_providers.client_secret_sealed.${id}`

export type OfferedProvider = Pick<IdentityProvider, 'id' | 'name' | 'issuer'>

export function providerStore(db: Queryable) {
  return {
    /** Makes a provider; `false` when its id is taken. */
    async insert(provider: IdentityProvider, clientSecret: string, sealer: Sealer): Promise<boolean> {
      const { numInsertedOrUpdatedRows } = await db
        .insertInto('identity_providers')
        .values({
          id: provider.id,
          name: provider.name,
          kind: provider.kind === 'openid' ? null : provider.kind,
          issuer: provider.issuer,
          client_id: provider.clientId,
          client_secret_sealed: sealer.seal(clientSecret, secretPlace(provider.id)),
          authoritative_for: provider.authoritativeFor.join(' '),
          access_token_audience: provider.accessTokenAudience ?? null,
          created_at: provider.createdAt,
          updated_at: provider.updatedAt,
        })
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirstOrThrow()
      return numInsertedOrUpdatedRows === 1n
    },
    /** Writes the changeable fields; an absent `clientSecret` stays as it is. */
    async update(provider: IdentityProvider, clientSecret: string | undefined, sealer: Sealer): Promise<void> {
      const { id, name, authoritativeFor, accessTokenAudience, updatedAt } = provider
      await db
        .updateTable('identity_providers')
        .set({
          name,
          authoritative_for: authoritativeFor.join(' '),
          access_token_audience: accessTokenAudience ?? null,
          updated_at: updatedAt,
          ...(clientSecret !== undefined && { client_secret_sealed: sealer.seal(clientSecret, secretPlace(id)) }),
        })
        .where('id', '=', id)
        .execute()
    },
    /** The provider, its row held until the transaction ends: other changes wait. */
    async holdById(id: string): Promise<IdentityProvider | undefined> {
      await db
        .updateTable('identity_providers')
        .set((e) => ({ name: e.ref('name') }))
        .where('id', '=', id)
        .execute()
      return this.findById(id)
    },
    async remove(id: string): Promise<boolean> {
      const { numDeletedRows } = await db.deleteFrom('identity_providers').where('id', '=', id).executeTakeFirst()
      return numDeletedRows === 1n
    },
    async findById(id: string): Promise<IdentityProvider | undefined> {
      const row = await db.selectFrom('identity_providers').selectAll().where('id', '=', id).executeTakeFirst()
      return row && toProvider(row)
    },
    async list(): Promise<IdentityProvider[]> {
      return (await db.selectFrom('identity_providers').selectAll().orderBy('name').execute()).map(toProvider)
    },
    /** The same, of what a sign-in page shows. */
    async listOffered(): Promise<OfferedProvider[]> {
      return db.selectFrom('identity_providers').select(['id', 'name', 'issuer']).orderBy('name').execute()
    },
    /** The client secret, unsealed for one call; `undefined` when it can't be unsealed. */
    async findSecret(id: string, sealer: Sealer): Promise<string | undefined> {
      const row = await db.selectFrom('identity_providers').select('client_secret_sealed').where('id', '=', id).executeTakeFirst()
      return row && sealer.open(row.client_secret_sealed, secretPlace(id))
    },

    async listSealedSecrets(): Promise<Array<{ id: string; sealed: string }>> {
      return db.selectFrom('identity_providers').select(['id', 'client_secret_sealed as sealed']).orderBy('id').execute()
    },
    async resealSecret(id: string, sealed: string): Promise<void> {
      await db.updateTable('identity_providers').set({ client_secret_sealed: sealed }).where('id', '=', id).execute()
    },

    async insertAttempt(attempt: { stateHash: string; providerId: string; sealed: string; expiresAt: number }): Promise<void> {
      const { stateHash, providerId, sealed, expiresAt } = attempt
      await db
        .insertInto('idp_attempts')
        .values({ state_hash: stateHash, provider_id: providerId, sealed, expires_at: expiresAt })
        .execute()
    },
    /** Takes an attempt in one statement: of any number of callbacks with one state exactly one gets it. */
    async takeAttempt(stateHash: string, now: number): Promise<{ providerId: string; sealed: string } | undefined> {
      const row = await db
        .deleteFrom('idp_attempts')
        .where('state_hash', '=', stateHash)
        .where('expires_at', '>', now)
        .returning(['provider_id', 'sealed'])
        .executeTakeFirst()
      return row && { providerId: row.provider_id, sealed: row.sealed }
    },
    /** A page of sealed attempts, in the order of the ids, which are the hashes of states. */
    async listSealedAttempts({ limit, cursor }: { limit: number; cursor: string }): Promise<Array<{ id: string; sealed: string }>> {
      return db
        .selectFrom('idp_attempts')
        .select(['state_hash as id', 'sealed'])
        .where('state_hash', '>', cursor)
        .orderBy('state_hash')
        .limit(limit)
        .execute()
    },
    async resealAttempt(stateHash: string, sealed: string): Promise<void> {
      await db.updateTable('idp_attempts').set({ sealed }).where('state_hash', '=', stateHash).execute()
    },
  }
}

/** Removes round trips that were never finished. */
export async function forgetOldAttempts(db: Queryable, now: number): Promise<void> {
  await removeInPortions(db, 'idp_attempts', (e) => e('expires_at', '<=', now))
}

function toProvider(row: IdentityProviderRow): IdentityProvider {
  return {
    id: row.id,
    name: row.name,
    kind: PROVIDER_KINDS.find((kind) => kind === row.kind) ?? 'openid',
    issuer: row.issuer,
    clientId: row.client_id,
    authoritativeFor: row.authoritative_for.split(' ').filter((domain) => domain !== ''),
    accessTokenAudience: row.access_token_audience ?? undefined,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}
