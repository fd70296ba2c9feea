import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type AdminScope, ROLES, may as serviceMay } from '../../server/src/admin/api/permissions.ts'
import { may, rolesOf, scopeOf } from './roles.ts'

describe('What the console shows to a role', () => {
  it('is what the service lets it do', () => {
    for (const scope of Object.keys(rolesOf).filter((name): name is AdminScope => name in rolesOf)) {
      for (const role of ROLES) assert.equal(may(role, scope), serviceMay(role, undefined, scope), `${role} ${scope}`)
    }
  })

  it('asks to read for lists and records, and to write for the rest', () => {
    assert.equal(scopeOf('plans', 'list'), 'plans:read')
    assert.equal(scopeOf('plans', 'show'), 'plans:read')
    assert.equal(scopeOf('plans', 'edit'), 'plans:write')
    assert.equal(scopeOf('plans', 'create'), 'plans:write')
    assert.equal(scopeOf('nothing', 'list'), undefined)
  })
})
