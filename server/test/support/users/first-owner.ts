import assert from 'node:assert/strict'
import { mintSetupLink } from '../../../src/admin/index.ts'
import type { Answer, Browser } from '../browser.ts'
import type { TestService } from '../service.ts'

/** A good password for the first owner. */
const CHOSEN = 'girassol azul no telhado'
export const OWNER = { name: 'Dona Flor', email: 'dona@exemplo.com.br', password: CHOSEN }

/** The secret of a new one-time address. */
export async function setupToken({ context, url }: TestService): Promise<string> {
  const made = await mintSetupLink({ ...context, baseUrl: url, actor: 'operator:test' })
  if ('refusal' in made) return assert.fail(made.refusal)
  assert.ok(made.url.startsWith(`${url}/setup?token=`))
  return new URL(made.url).searchParams.get('token') ?? assert.fail('no token')
}

/** Posts the form of the one-time address, as its page does. */
export function setUp(
  browser: Browser,
  token: string,
  fields: Record<string, string> = OWNER,
  headers: Record<string, string> = {},
): Promise<Answer> {
  return browser.submit('/setup', { token, ...fields }, headers)
}

/** Everyone with a role. */
export async function administrators({ context }: TestService): Promise<Array<{ email: string; role: string | null }>> {
  const rows = await context.storage.db.selectFrom('users').select(['email', 'role']).where('role', 'is not', null).execute()
  return rows.map(({ email, role }) => ({ email, role }))
}
