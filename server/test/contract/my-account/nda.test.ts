import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { it } from 'node:test'
import { currentNda } from '../../../src/users/index.ts'
import { oneDatabase } from '../../support/databases.ts'
import { PASSWORD, type TestService } from '../../support/service.ts'
import { elsewhere, freshCpf, reachProfile, save, startWithApp, TARGET } from '../../support/users/newcomer.ts'
import { assertOwnRedirect, assertPage, assertRefused, check, decode, loginAddress, sessionOf } from '../../support/users/sign-in-steps.ts'

const JSON_PLEASE = { accept: 'application/json' }

async function betaOf({ context }: TestService, userId: string) {
  return context.storage.db.selectFrom('beta_users').selectAll().where('user_id', '=', userId).executeTakeFirstOrThrow()
}

oneDatabase('Step 2 of /complete-profile, for beta users,', (database) => {
  const started = startWithApp(database)

  it('follows step 1 and shows the text and the version of the NDA', async () => {
    const service = await started()
    const { browser, flow } = await reachProfile(service, 'beta1@exemplo.com.br', { beta: true })
    const nda = await browser.get(assertOwnRedirect(await save(browser, flow, { tax_id: freshCpf() }, elsewhere()), '/complete-profile'))
    assertPage(nda, 200)
    assert.match(nda.text, /name="nda_accept"/)
    assert.ok(nda.text.includes(currentNda.version))
    assert.ok(nda.text.includes('Termo de confidencialidade do programa beta'))
  })

  it('records time, IP, user agent, version and a hash of the text, all taken on the server, and is_beta becomes true', async () => {
    const service = await started()
    const { user, browser, flow } = await reachProfile(service, 'beta2@exemplo.com.br', { beta: true, profile: 'complete' })
    const before = sessionOf(browser)
    assert.equal(decode(before).claims.is_beta, false)
    const seen = { 'x-forwarded-for': '203.0.113.77', 'user-agent': 'Test Browser/1.0' }
    const forged = { nda_accepted_at: '1', nda_ip: '1.1.1.1', timestamp: '1' }
    const accepted = await browser.submit('/complete-profile', { flow, nda_accept: '1', ...forged }, seen)
    assertOwnRedirect(accepted, '/auth/welcome')
    const row = await betaOf(service, user.id)
    assert.equal(row.nda_accepted_at, service.clock.now)
    assert.deepEqual([row.nda_ip, row.nda_user_agent, row.nda_version], ['203.0.113.77', 'Test Browser/1.0', currentNda.version])
    assert.equal(row.nda_text_hash, createHash('sha256').update(currentNda.text).digest('hex'))
    assert.equal(decode(sessionOf(browser)).claims.is_beta, true)
    for (const token of [before, sessionOf(browser)]) {
      const answer = (await check(service, `eg_session=${token}`)) as { session: { is_beta: boolean } }
      assert.equal(answer.session.is_beta, true, 'the next check shows it, whatever the token says')
    }
  })

  it('goes on with is_beta false after "not now", and asks again at the next sign-in', async () => {
    const service = await started()
    const { user, browser, flow } = await reachProfile(service, 'beta3@exemplo.com.br', { beta: true, profile: 'complete' })
    const end = await browser.follow(await browser.submit('/complete-profile', { flow, nda_decline: '1' }))
    assert.equal(decode(end.location?.searchParams.get('eg_session') ?? '').claims.is_beta, false)
    assert.equal((await betaOf(service, user.id)).nda_accepted_at, null)
    const silent = await browser.follow(await browser.get(loginAddress({ redirect_to: TARGET })))
    assert.ok(silent.location?.searchParams.get('eg_session'), 'a silent sign-in does not ask')
    const again = await browser.signIn(loginAddress({ redirect_to: TARGET, prompt: 'login' }), { email: user.email, password: PASSWORD })
    assertOwnRedirect(again, '/complete-profile')
  })

  it('comes back with 400 when neither was chosen', async () => {
    const service = await started()
    const { browser, flow } = await reachProfile(service, 'beta4@exemplo.com.br', { beta: true, profile: 'complete' })
    const page = await browser.submit('/complete-profile', { flow, nda_accept: 'yes' })
    assertPage(page, 400)
    assert.match(page.text, /id="nda_accept-error"/)
    assertRefused(await browser.submit('/complete-profile', { flow }, JSON_PLEASE), 400, 'nda_accept ausente')
  })

  it('is not shown to anyone else', async () => {
    const service = await started()
    const user = await service.user('comum@exemplo.com.br')
    assertOwnRedirect(
      await service.browser().signIn(loginAddress({ redirect_to: TARGET }), { email: user.email, password: PASSWORD }),
      '/auth/welcome',
    )
  })
})
