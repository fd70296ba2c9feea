import { createAdminToken } from '../../server/src/admin/index.ts'
import { request } from '../harness/connection.ts'
import type { Fixture } from '../harness/fixture.ts'
import { notifications } from '../purchases.ts'
import { signIns } from '../sign-ins.ts'
import { checkOf, redemptionOf } from '../tokens.ts'

/** The requests of a burst of one class, sent in turn. `signs`: one of them is in each answer that is no refusal for lack of room. */
export interface Kind {
  requests: Buffer[]
  signs: string[]
}

/** More than are sent in a turn of the slower kinds; the faster ones begin again. */
const MANY = 8_000
const ADMINS = 40

/** The costliest requests of each class: none can be answered from memory, and no limit stops them early. */
export async function kindsOf(fixture: Fixture, port: number): Promise<Record<string, Kind>> {
  return {
    checks: await checks(fixture),
    pages: { requests: pages(), signs: ['<!doctype html>', '<!DOCTYPE html>'] },
    passwords: await passwords(fixture, port),
    notifications: { requests: notifications(MANY), signs: ['{"received":true}'] },
    admin: await adminCalls(fixture),
  }
}

/** A forged session, a handoff that is redeemed (and, once all are, refused and audited), and a token of nobody, in turn. */
async function checks(fixture: Fixture): Promise<Kind> {
  const tokens = await fixture.sessionTokens(0, 500)
  const handoffs = await fixture.handoffTokens(0, MANY / 4)
  const forged = tokens.map((token) => checkOf(token.replace(/\.[^.]*$/, `.${'A'.repeat(86)}`)))
  const requests = handoffs.flatMap((handoff, n) => [redemptionOf(handoff, fixture), forged[n % forged.length] ?? checkOf(undefined)])
  return { requests, signs: ['"eg_session":"', 'invalid_token', 'invalid_session'] }
}

function pages(): Buffer[] {
  const page = { accept: 'text/html', 'accept-language': 'pt-BR' }
  return [request('GET', '/login', page), request('GET', '/recover', page), request('GET', '/nowhere', page)]
}

async function passwords(fixture: Fixture, port: number): Promise<Kind> {
  const next = await signIns(port, fixture)
  return { requests: Array.from({ length: MANY }, next), signs: ['{"error":'] }
}

/** Lists and searches by several tokens, each below its limit for a while. */
async function adminCalls(fixture: Fixture): Promise<Kind> {
  const keys: string[] = []
  for (let n = 0; n < ADMINS; n++) {
    const made = await createAdminToken(
      { name: `burst ${n}`, role: 'owner', scopes: [], expiresDays: undefined },
      { ...fixture.context, actor: 'operator:bench' },
    )
    if ('refusal' in made) throw new Error(made.refusal)
    keys.push(made.key)
  }
  const paths = ['/api/admin/users?limit=100', '/api/admin/users?q=user.0001', '/api/admin/overview']
  const requests = paths.flatMap((path) => keys.map((key) => request('GET', path, { authorization: `Bearer ${key}` })))
  return { requests, signs: ['HTTP/1.1 200 ', '{"error":'] }
}
