import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ADMIN_SCOPES, may, ROLES } from '../../../server/src/admin/api/permissions.ts'
import { byResource, tokenScopes } from './token-scopes.ts'

describe('The scopes that a token is offered', () => {
  it('are those that the service takes for its role', () => {
    for (const role of ROLES) {
      const taken = ADMIN_SCOPES.filter((scope) => may(role, undefined, scope))
      assert.deepEqual(tokenScopes(role).toSorted(), taken.toSorted(), role)
    }
  })

  it('stand together by resource', () => {
    assert.deepEqual(byResource(['users:read', 'plans:read', 'users:write']), [
      ['users', ['users:read', 'users:write']],
      ['plans', ['plans:read']],
    ])
  })
})
