import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { LiveSession } from '../session.ts'
import { createChecks } from './check.ts'

setFlagsFromString('--expose-gc')
const collectGarbage: NonNullable<typeof globalThis.gc> = runInNewContext('gc')

const MANY = 2_000
const COOKIE_BYTES = 12_000

function session(id: string): LiveSession {
  const claims = { email: `${id}@exemplo.com.br`, name: 'Ana Flávia Conceição', isProducer: false, isBeta: false, planSlug: undefined }
  const live = { id, userId: `user of ${id}`, claims, expiresAt: Number.POSITIVE_INFINITY, claimsUntil: Number.POSITIVE_INFINITY }
  return { ...live, seenAt: 0, stale: false } as unknown as LiveSession
}

describe('The memory of checks', () => {
  it('F14: holds nothing of the request that a token came in but the token', async () => {
    const sessions = {
      find: async (id: string) => session(id),
      note: () => {},
      isTrusted: () => true,
      isStale: () => false,
      forgetEverything: () => {},
    }
    // Parsed claims share no memory with the token.
    const verify = async (token: string) => {
      const sid = JSON.parse(JSON.stringify(token.slice(-40)))
      return { sid, sub: `user of ${sid}`, exp: 4_000_000_000 }
    }
    const checks = createChecks({
      tokens: { verify } as never,
      sessions: sessions as never,
      keys: { onLoad: () => {} } as never,
      domainAudience: 'https://sso.exemplo.test',
      now: () => 1_800_000_000_000,
    })
    const headerOf = (i: number) => {
      const token = `${'t'.repeat(560)}${String(i).padStart(40, '0')}`
      // One flat text, as it comes off the wire.
      return Buffer.from(`other=${String(i).padEnd(COOKIE_BYTES, 'x')}; eg_session=${token}`).toString('latin1')
    }
    const check = async (header: string) => {
      const tokens = [header.slice(header.indexOf('eg_session=') + 'eg_session='.length)]
      assert.ok(await checks.find(tokens, 'https://sso.exemplo.test'))
    }
    for (let i = 0; i < 200; i++) await check(headerOf(i))
    collectGarbage({ type: 'major', execution: 'sync', flavor: 'last-resort' })
    const before = process.memoryUsage().heapUsed
    for (let i = 200; i < 200 + MANY; i++) await check(headerOf(i))
    collectGarbage({ type: 'major', execution: 'sync', flavor: 'last-resort' })
    const each = (process.memoryUsage().heapUsed - before) / MANY
    assert.ok(checks.remembered(headerOf(1_000)), 'it is remembered')
    assert.ok(each < 4_000, `a remembered token takes ${Math.round(each)} bytes`)
  })
})
