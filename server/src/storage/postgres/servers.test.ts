import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { describeAddress, parseDatabaseUrl, serverUrls } from '../database-url.ts'

describe('An address of several PostgreSQL servers', () => {
  const url = 'postgres://portaria:s%40cret@one:5432,two:5433/sso?target_session_attrs=read-write&sslmode=verify-full'

  it('is one address for each, with everything but what all of them are asked', () => {
    assert.deepEqual(serverUrls(url), [
      'postgres://portaria:s%40cret@one:5432/sso?sslmode=verify-full',
      'postgres://portaria:s%40cret@two:5433/sso?sslmode=verify-full',
    ])
    assert.deepEqual(serverUrls('postgres://one/sso?target_session_attrs=primary'), ['postgres://one/sso'])
  })

  it('is accepted, and shown without user and password', () => {
    assert.equal(describeAddress(parseDatabaseUrl(url) ?? assert.fail()), 'postgres://one:5432,two:5433/sso')
    assert.equal(parseDatabaseUrl('postgres://portaria:secret@one:5432,two:wrong/sso'), undefined)
  })
})
