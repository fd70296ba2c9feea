import assert from 'node:assert/strict'
import { it } from 'node:test'
import { hiddenFlow } from '../../support/browser.ts'
import { eachDatabase } from '../../support/databases.ts'
import { codeIn, linkIn } from '../../support/mailbox.ts'
import { recordQueries, stopOutbox } from '../../support/routes/asked-queries.ts'
import { openForm } from '../../support/routes/raw-requests.ts'
import { PASSWORD } from '../../support/service.ts'
import { ANA, mailedService, NEW, ticketOf, times, userOf } from '../../support/users/mailed-service.ts'

eachDatabase('Guessing at mailed codes and at who has an account', (database) => {
  const begin = mailedService(database)

  it('20: fifty wrong codes at once are five tries', async () => {
    const { mailbox, browser, signUp, service } = await begin()
    const begun = await signUp('bia@exemplo.com.br')
    const flow = hiddenFlow((await browser.get(begun.location?.href ?? '')).text)
    const code = codeIn(await mailbox.find('bia@exemplo.com.br'))
    const wrong = String((Number(code) + 1) % 1_000_000).padStart(6, '0')
    await Promise.all(times(50).map(() => browser.submit('/check-mail', { flow, code: wrong })))
    const { code_tries } = await service.context.storage.db.selectFrom('tickets').select('code_tries').executeTakeFirstOrThrow()
    assert.equal(code_tries, 5)
    assert.equal((await browser.submit('/check-mail', { flow, code })).status, 400)
  })

  for (const path of ['/account/password', '/account/email'] as const) {
    it(`28 (a side entrance without the lock): wrong passwords on the way to ${path} and at the login share their counters`, async () => {
      const { service, browser, clock } = await begin()
      await browser.signIn('/login', { email: ANA, password: PASSWORD })
      clock.now += 10 * 60_000
      const asked = await browser.get((await browser.get(path)).location?.href ?? '')
      const authenticate = (password: string) => browser.submit('/login', { flow: hiddenFlow(asked.text), email: ANA, password })
      for (const _ of times(5)) assert.equal((await authenticate('wrong')).status, 401)
      const form = await openForm(service)
      for (const _ of times(5)) assert.equal((await form.attempt({ email: ANA, password: 'wrong' })).status, 401)
      assert.equal((await authenticate(PASSWORD)).status, 429)
      assert.equal((await form.attempt({ email: ANA })).status, 429)
      assert.ok(await userOf(service, browser.cookies.get('eg_session')))
    })
  }

  it('28: the password asked by a link opened elsewhere can be guessed five times', async () => {
    const { mailbox, service, passwords, signUp } = await begin()
    await signUp('bia@exemplo.com.br')
    const ticket = ticketOf(linkIn(await mailbox.find('bia@exemplo.com.br'), '/verify'))
    const answers = await Promise.all(times(50).map(() => service.browser().submit('/verify', { ticket, password: 'wrong' })))
    assert.equal(answers.filter(({ status }) => status === 401).length, 5)
    assert.equal(answers.filter(({ status }) => status === 429).length, 45)
    assert.equal(passwords.verified(), 5)
    assert.equal((await service.browser().submit('/verify', { ticket, password: NEW })).status, 429)
  })

  it('29 (who has an account shows): sign-up and recovery answer, ask and hash the same for every address', async () => {
    const { service, passwords } = await begin()
    stopOutbox(service)
    await service.user('caio@exemplo.com.br')
    for (const [column, value, email] of [
      ['disabled_at', 1, 'fechada@exemplo.com.br'],
      ['email_verified_at', null, 'nunca@exemplo.com.br'],
      ['password_hash', null, 'convidada@exemplo.com.br'],
    ] as const) {
      const { id } = await service.user(email)
      await service.context.storage.db
        .updateTable('users')
        .set({ [column]: value })
        .where('id', '=', id)
        .execute()
    }
    await service.user('dona@exemplo.com.br', { admin: true })
    const asked = recordQueries(service)
    const emails = [ANA, 'fechada@exemplo.com.br', 'nunca@exemplo.com.br', 'convidada@exemplo.com.br', 'dona@exemplo.com.br']
    for (const path of ['/sign-up', '/recover'] as const) {
      const look = async (email: string) => {
        const browser = service.browser()
        const flow = hiddenFlow((await browser.get(path)).text)
        asked.length = 0
        const hashed = passwords.hashed()
        const answer = await browser.submit(path, { flow, email, name: 'Bia Souza', password: NEW })
        const work = { sql: [...asked], hashes: passwords.hashed() - hashed, checks: passwords.verified() }
        const next = answer.location && (await browser.get(answer.location.href))
        const neutral = (text: string) =>
          text
            .replaceAll(email, '…')
            .replace(/flow(&#61;|=)[^"&]+/g, 'flow')
            .replace(/value="[^"]+"/g, '')
        const names = [...answer.headers.keys()].filter((name) => name !== 'content-length').sort()
        return {
          ...work,
          status: answer.status,
          names,
          cookies: [...browser.cookies.keys()],
          text: neutral(answer.text),
          next: neutral(next?.text ?? ''),
        }
      }
      const unknown = await look('ninguem@exemplo.com.br')
      assert.ok(unknown.sql.length > 0)
      assert.ok(!unknown.sql.some((sql) => sql.includes('"users"')), 'the answer looks for the account')
      for (const email of emails) assert.deepEqual(await look(email), unknown, `${path} ${email}`)
    }
  })

  it('29: the limits of sign-up and recovery fill alike for every address', async () => {
    const { service, signUp, recover } = await begin({ PORTARIA_TRUST_PROXY: '1' })
    stopOutbox(service)
    for (const act of [(email: string) => signUp(email), (email: string) => recover(email)]) {
      const statuses = async (email: string) => {
        const seen: number[] = []
        for (const _ of times(5)) seen.push((await act(email)).status)
        return seen
      }
      assert.deepEqual(await statuses(ANA), await statuses('ninguem@exemplo.com.br'))
    }
  })
})
