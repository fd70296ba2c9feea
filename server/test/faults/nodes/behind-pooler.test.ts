import assert from 'node:assert/strict'
import { it } from 'node:test'
import { onPostgres } from '../../support/databases.ts'
import { fetchHandoff, isLive, openShop, redeem, sessionOf } from '../../support/faults/actions.ts'
import { startPooler } from '../../support/faults/pooler.ts'
import { PASSWORD, startService } from '../../support/service.ts'
import { until } from '../../support/until.ts'

const environment = { PORTARIA_URL: 'http://sso.exemplo.test' }
const PROPAGATION_MS = 2_000

onPostgres('A node behind a pooler', (database) => {
  it('F5: starts though it refuses limits as parameters of a start, works, and hears of a sign-out within two seconds', async () => {
    const { url } = await database.fresh()
    const pooler = await startPooler(url)
    const [direct, behind] = [await startService({ url }, { environment }), await startService({ url: pooler.url }, { environment })]
    assert.ok(pooler.refusals() > 0, 'nothing was refused')
    const user = await behind.user('ana@exemplo.com.br')
    const shop = await openShop(direct)
    const browser = behind.browser()
    assert.equal((await browser.signIn('/login', { email: user.email, password: PASSWORD })).status, 302)
    const token = sessionOf(browser)
    assert.deepEqual([await isLive(behind, token), await isLive(direct, token)], [true, true])
    assert.equal((await redeem(behind, await fetchHandoff(browser, shop), shop)).status, 200)
    const elsewhere = direct.browser()
    await elsewhere.signIn('/login', { email: user.email, password: PASSWORD })
    const other = sessionOf(elsewhere)
    assert.equal(await isLive(behind, other), true)
    await elsewhere.get('/auth/signout')
    await until(async () => !(await isLive(behind, other)), PROPAGATION_MS)
    const refused = pooler.refusals()
    await browser.get('/auth/signout')
    assert.equal(pooler.refusals(), refused, 'a later connection asks again for what was refused')
  })
})
