import type { Queryable, SigningKeyRow } from '../../storage/index.ts'
import type { RsaKey, SigningKey } from './signing-key.ts'

export function signingKeyStore(db: Queryable) {
  return {
    async list(): Promise<SigningKey[]> {
      const rows = await db.selectFrom('signing_keys').selectAll().orderBy('signs_from').execute()
      return rows.map((row) => ({
        kid: row.kid,
        publicJwk: row.public_jwk,
        privateSealed: row.private_sealed,
        rsa: toRsa(row),
        createdAt: row.created_at,
        signsFrom: row.signs_from,
        revokedAt: row.revoked_at ?? undefined,
      }))
    },
    /** Whether there is such a key that is not revoked. */
    async isGood(kid: string): Promise<boolean> {
      const key = db.selectFrom('signing_keys').select('kid').where('kid', '=', kid).where('revoked_at', 'is', null)
      return (await key.executeTakeFirst()) !== undefined
    },
    async insert(key: SigningKey): Promise<void> {
      await db
        .insertInto('signing_keys')
        .values({
          kid: key.kid,
          public_jwk: key.publicJwk,
          private_sealed: key.privateSealed,
          created_at: key.createdAt,
          signs_from: key.signsFrom,
          revoked_at: null,
          rsa_public_jwk: key.rsa?.publicJwk ?? null,
          rsa_private_sealed: key.rsa?.privateSealed ?? null,
        })
        .execute()
    },
    /** Adds the RS256 key beside a key that has none; `false` when it has one. */
    async addRsa(kid: string, { publicJwk, privateSealed }: RsaKey): Promise<boolean> {
      const { numUpdatedRows } = await db
        .updateTable('signing_keys')
        .set({ rsa_public_jwk: publicJwk, rsa_private_sealed: privateSealed })
        .where('kid', '=', kid)
        .where('rsa_public_jwk', 'is', null)
        .executeTakeFirst()
      return numUpdatedRows === 1n
    },
    /** `false` when there is no such key that is not revoked already. */
    async revoke(kid: string, at: number): Promise<boolean> {
      const { numUpdatedRows } = await db
        .updateTable('signing_keys')
        .set({ revoked_at: at })
        .where('kid', '=', kid)
        .where('revoked_at', 'is', null)
        .executeTakeFirst()
      return numUpdatedRows === 1n
    },
    /** Replaces a private half by the same one sealed with another key. */
    async reseal(kid: string, privateSealed: string): Promise<void> {
      await db.updateTable('signing_keys').set({ private_sealed: privateSealed }).where('kid', '=', kid).execute()
    },
    async resealRsa(kid: string, privateSealed: string): Promise<void> {
      await db.updateTable('signing_keys').set({ rsa_private_sealed: privateSealed }).where('kid', '=', kid).execute()
    },
  }
}

function toRsa({ rsa_public_jwk: publicJwk, rsa_private_sealed: privateSealed }: SigningKeyRow): RsaKey | undefined {
  return publicJwk === null || privateSealed === null ? undefined : { publicJwk, privateSealed }
}
