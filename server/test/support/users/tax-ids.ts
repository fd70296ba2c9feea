import assert from 'node:assert/strict'
import type { AppContext } from '../../../src/context.ts'
import { formatTaxId, hmacSha256, parseTaxId } from '../../../src/kit/index.ts'

const FIRST = 104_332_181

/** A CPF as it is printed, another for each number below a million. */
export function cpfOf(n: number): string {
  const checks = Array.from({ length: 100 }, (_, check) => String(check).padStart(2, '0'))
  const found = checks.map((check) => parseTaxId(`${FIRST + n * 617}${check}`)).find((taxId) => taxId)
  return found ? formatTaxId(found) : assert.fail(`no CPF ${n}`)
}

/** Gives somebody a tax id and a phone, as the profile page does. */
export async function giveTaxId({ storage, sealer, masterKeys }: AppContext, userId: string, typed: string): Promise<void> {
  const { kind, digits } = parseTaxId(typed) ?? assert.fail(typed)
  const sealed = sealer.seal(digits, `users_company.tax_id_sealed.${userId}`)
  const taxId = { tax_id_kind: kind, tax_id_sealed: sealed, tax_id_hash: hmacSha256(masterKeys.taxIdIndex, digits).toString('hex') }
  await storage.db
    .updateTable('users_company')
    .set({ ...taxId, phone: '+5511987654321' })
    .where('user_id', '=', userId)
    .execute()
}
