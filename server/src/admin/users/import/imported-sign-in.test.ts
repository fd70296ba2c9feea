import assert from 'node:assert/strict'
import { it } from 'node:test'
import { eachDatabase } from '../../../../test/support/databases.ts'
import { startForSuite, type TestService } from '../../../../test/support/service.ts'
import { codeOf, typeCode } from '../../../../test/support/users/authenticator.ts'
import { createPasswordHasher } from '../../../users/passwords/passwords.ts'
import { readUsersFile } from './files/read-users-file.ts'
import { importUsers } from './import-users.ts'
import type { LineResult } from './judge-line.ts'

const PASSWORD = 'senha de Ana 1ç'
const HASH = '$P$Babcdefgh.xFw/fkCt8DTYfNHlBveV/'
const SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'

eachDatabase('An imported user', (database) => {
  const started = startForSuite(database, { passwords: createPasswordHasher({ cores: 2 }) })

  async function importLine({ context }: TestService, user: object): Promise<LineResult[]> {
    const results: LineResult[] = []
    const file = new TextEncoder().encode(`${JSON.stringify(user)}\n`)
    const read = await readUsersFile(async function* () {
      yield file
    })
    if ('refused' in read) assert.fail(read.refused)
    const onLine = (result: LineResult) => results.push(result)
    const deps = { ...context, taxIdKey: context.masterKeys.taxIdIndex, actor: 'operator:cli', onLine } as const
    await importUsers(read.records, { mode: 'write', identities: 'import' }, deps)
    return results
  }

  it('signs in with the old password and the codes of the old app, each code once', async () => {
    const service = started()
    const ana = { email: 'ana@exemplo.com.br', email_verified: true, password_hash: HASH, totp_secret: SECRET, language: 'es' }
    const [line] = await importLine(service, ana)
    assert.equal(line?.outcome, 'added')
    const browser = service.browser()
    const first = await browser.signIn('/login', { email: ana.email, password: PASSWORD })
    assert.equal(first.location?.pathname, '/second-factor')
    const wrong = await typeCode(browser, first, codeOf(SECRET, service.clock.now - 600_000))
    assert.notEqual(wrong.status, 302)
    const code = codeOf(SECRET, service.clock.now)
    const entered = await typeCode(browser, first, code)
    assert.equal(entered.location?.pathname, '/complete-profile')
    const other = service.browser()
    const again = await typeCode(other, await other.signIn('/login', { email: ana.email, password: PASSWORD }), code)
    assert.notEqual(again.status, 302)
  })
})
