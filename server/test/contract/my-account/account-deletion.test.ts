import assert from 'node:assert/strict'
import { it } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { deleteDue, findUser } from '../../../src/admin/index.ts'
import { addProvider } from '../../../src/identity-providers/index.ts'
import { endSubscription, grantSubscription } from '../../../src/payment-history/index.ts'
import { planStore } from '../../../src/subscriptions/index.ts'
import { openedAppStore, parsePicture, pictureStore } from '../../../src/users/index.ts'
import { hiddenFlow } from '../../support/browser.ts'
import { commandLine } from '../../support/command-line.ts'
import { eachDatabase } from '../../support/databases.ts'
import { completed, notify, subscriptionsOf, WEBHOOKS } from '../../support/gateways/purchases.ts'
import { linkIn, startMailbox } from '../../support/mailbox.ts'
import { wantPng } from '../../support/routes/brand-files.ts'
import { dumpDatabase } from '../../support/routes/raw-requests.ts'
import { cheapPasswords, PASSWORD, startService, type TestService } from '../../support/service.ts'
import { until } from '../../support/until.ts'
import { ticketOf } from '../../support/users/mailed-service.ts'
import { startProvider } from '../../support/users/openid-provider.ts'
import { assertOwnRedirect, assertPage, assertRefused, check, isLive, sessionOf, signedIn } from '../../support/users/sign-in-steps.ts'

const PAGE = '/account/delete'
const UNDO = '/undo-deletion'
const WEEK = 7 * 86_400_000
const mailbox = await startMailbox()

eachDatabase('Deleting one’s own account', (database) => {
  let users = 0
  const address = () => `adeus${++users}.${database.name}@exemplo.com.br`
  async function begin() {
    const place = await database.fresh()
    const environment = { ...WEBHOOKS, PORTARIA_SMTP_URL: mailbox.url }
    const clock = { now: Date.now() }
    const service = await startService(place, { environment, passwords: cheapPasswords, clock })
    const node = () => startService(place, { environment: { ...environment, PORTARIA_URL: service.url }, passwords: cheapPasswords, clock })
    return { service, node, place, clock }
  }
  /** Someone who has asked to be deleted, and the ticket of the mail. */
  async function leaving(service: TestService, email = address()) {
    const user = await service.user(email, { name: 'Clarice Partida' })
    const browser = await signedIn(service, email)
    const token = sessionOf(browser)
    const asked = await browser.submit(PAGE, { email })
    assertPage(asked, 200)
    const mail = await mailbox.find(email, ({ text }) => text?.includes(UNDO) ?? false)
    return { ...user, browser, token, asked, mail, ticket: ticketOf(linkIn(mail, UNDO)) }
  }
  const canSignIn = async (service: TestService, email: string) =>
    (await service.browser().signIn('/login', { email, password: PASSWORD })).status === 302
  /** A job leaves the outbox a moment after its mail has arrived; a dead one, or one that waits to be tried again, stays. */
  const noJobIsLeft = (service: TestService) =>
    until(async () => (await service.context.storage.db.selectFrom('outbox').select('id').execute()).length === 0)
  const exists = async (service: TestService, id: string) => (await findUser(service.context.storage.db, id)) !== undefined
  const undo = (service: TestService, ticket: string) => service.browser().submit(UNDO, { ticket })

  it('L14: warns of payments that go on, which nothing here can stop, and of nothing that is canceled or given', async () => {
    const { service } = await begin()
    const email = address()
    const { id } = await service.user(email)
    const browser = await signedIn(service, email)
    assert.doesNotMatch((await browser.get(PAGE)).text, /não cancela cobranças/)
    const plans = await planStore(service.context.storage.db).list()
    const planId = plans.find(({ slug }) => slug === 'easy-standard')?.id ?? assert.fail()
    const deps = { ...service.context, actor: 'operator:test' }
    await grantSubscription({ to: id, planId, productId: undefined, until: undefined, reason: 'x' }, deps)
    assert.doesNotMatch((await browser.get(PAGE)).text, /não cancela cobranças/)
    await notify(service.url, completed({ email, plan: 'easy-pro' }))
    const page = await browser.get(PAGE)
    assert.match(page.text, /não cancela cobranças/)
    assert.match(page.text, /Easy Pro/)
    assert.doesNotMatch(page.text, /Easy Standard/)
    const wrong = await browser.submit(PAGE, { email: 'outra@example.com' })
    assert.match(wrong.text, /Easy Pro/)
    const [bought] = (await subscriptionsOf(service, email)).filter(({ plan_id }) => plan_id !== planId)
    await endSubscription(bought?.id ?? '', 'x', deps)
    assert.doesNotMatch((await browser.get(PAGE)).text, /não cancela cobranças/)
  })

  it('closes the account at once: sessions everywhere, sign-in, cookies; the mail says until when it can be undone', async () => {
    const { service } = await begin()
    const email = address()
    await service.user(email)
    const elsewhere = sessionOf(await signedIn(service, email))
    const browser = await signedIn(service, email)
    const token = sessionOf(browser)
    const asked = await browser.submit(PAGE, { email: ` ${email.toUpperCase()} ` })
    assertPage(asked, 200)
    assert.ok(asked.text.includes(new Date(service.clock.now + WEEK).toISOString()))
    assert.equal(browser.cookies.has('eg_session'), false)
    for (const session of [token, elsewhere]) assert.equal(await isLive(service, session), false)
    const { text = '', html = '' } = await mailbox.find(email, (mail) => mail.text?.includes(UNDO) ?? false)
    assert.ok(text.includes(`${service.url}${UNDO}?ticket=`) && html.includes(UNDO))
  })

  it('asks for the address of the account, a recent authentication, and one of our own pages', async () => {
    const { service } = await begin()
    const [ana, bia] = [await service.user(address()), await service.user(address())]
    const browser = await signedIn(service, ana.email)
    for (const typed of ['', 'nada', bia.email, `${ana.email}x`]) {
      const again = await browser.submit(PAGE, { email: typed })
      assertPage(again, 400)
      assert.match(again.text, /aria-invalid="true"/)
    }
    assertRefused(await browser.submit(PAGE, { email: bia.email }, { accept: 'application/json' }), 400, 'campos invalidos')
    const foreign = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }
    assert.equal((await browser.submit(PAGE, { email: ana.email }, foreign)).status, 403)
    service.clock.now += 600_000
    assertOwnRedirect(await browser.submit(PAGE, { email: ana.email }), '/login')
    assertOwnRedirect(await browser.get(PAGE), '/login')
    assert.ok(await canSignIn(service, ana.email))
  })

  it('shows who knows the password what to do meanwhile, and nobody else anything', async () => {
    const { service } = await begin()
    const { email } = await leaving(service)
    const right = await service.browser().signIn('/login', { email, password: PASSWORD })
    assertPage(right, 403)
    assert.match(right.text, /está sendo excluída[\s\S]*link do e-mail/)
    const wrong = await service.browser().signIn('/login', { email, password: 'errada de todo' })
    const nobody = await service.browser().signIn('/login', { email: address(), password: 'errada de todo' })
    assert.deepEqual([wrong.status, nobody.status], [401, 401])
    assert.doesNotMatch(wrong.text, /excluída/)
  })

  it('shows the same to who comes by a provider', async () => {
    const { service } = await begin()
    const provider = await startProvider(`${service.url}/auth/callback`)
    const { issuer, clientId, clientSecret } = provider
    const alfa = { id: 'alfa', name: 'Alfa', issuer, clientId, clientSecret, authoritativeFor: ['*'], accessTokenAudience: undefined }
    assert.ok(!('refusal' in (await addProvider(alfa, { ...service.context, actor: 'operator:test' }))))
    const { email } = await leaving(service)
    provider.next = { subject: 'p', email, email_verified: true, name: 'Clarice' }
    const browser = service.browser()
    const flow = hiddenFlow((await browser.get('/login')).text)
    const callback = await provider.walk((await browser.get(`/auth/provider/alfa?flow=${encodeURIComponent(flow)}`)).location?.href ?? '')
    const ended = await browser.get(callback.pathname + callback.search)
    assert.match((await browser.get(assertOwnRedirect(ended, '/login'))).text, /está sendo excluída/)
  })

  it('is undone by the button behind the mailed link; looking at it changes nothing', async () => {
    const { service } = await begin()
    const { email, ticket } = await leaving(service)
    for (let n = 0; n < 3; n++) assertPage(await service.browser().get(`${UNDO}?ticket=${ticket}`), 200)
    assert.equal(await canSignIn(service, email), false)
    assertPage(await undo(service, ticket), 200)
    assert.ok(await canSignIn(service, email))
    service.clock.now += WEEK + 1
    assert.equal(await deleteDue(service.context), 0)
    assert.ok(await canSignIn(service, email))
  })

  it('is undone once, by its own link, in time, and from our own page', async () => {
    const { service } = await begin()
    const ana = await leaving(service)
    const bia = await leaving(service)
    assert.equal(
      (await service.browser().submit(UNDO, { ticket: ana.ticket }, { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }))
        .status,
      403,
    )
    assertPage(await undo(service, ana.ticket), 200)
    assertPage(await undo(service, ana.ticket), 400)
    assert.equal(await canSignIn(service, bia.email), false, 'the link of another undoes nothing')
    service.clock.now += WEEK
    assertPage(await service.browser().get(`${UNDO}?ticket=${bia.ticket}`), 400)
    assertPage(await undo(service, bia.ticket), 400)
    assert.equal(await deleteDue(service.context), 1)
    assertPage(await undo(service, bia.ticket), 400)
    assert.equal(await exists(service, bia.id), false)
  })

  it('is gone after 7 days and not a moment before, with everything personal; the audit trail keeps ids and actions', async () => {
    const { service } = await begin()
    const email = address()
    await notify(service.url, completed({ email }))
    const { id, ticket } = await leaving(service, email)
    const { db } = service.context.storage
    await db.updateTable('users_company').set({ phone: '+5511955554444' }).where('user_id', '=', id).execute()
    const { product } = await service.product({ slug: 'aberto', name: 'Clube Aberto', audience: 'internal', checkout: 'integrated' })
    await openedAppStore(db).note(id, product.id, service.clock.now)
    const picture = parsePicture(wantPng(9, 9))
    assert.ok('name' in picture)
    await pictureStore(db).put(id, picture, service.clock.now)
    const pixels = picture.content.toString('base64')
    await db
      .updateTable('audit')
      .set({ after: '{"name":"Clarice Partida"}', reason: 'Clarice Partida pediu', ip: '203.0.113.200' })
      .where('target', '=', id)
      .execute()
    service.clock.now += WEEK - 1
    assert.equal(await deleteDue(service.context), 0)
    assert.ok(await exists(service, id))
    service.clock.now += 1
    assert.equal(await deleteDue(service.context), 1)
    assert.equal(await deleteDue(service.context), 0)
    const left = await dumpDatabase(service)
    for (const text of [email, 'Clarice Partida', '+5511955554444', '203.0.113.200', ticket, picture.name, pixels])
      assert.equal(left.includes(text), false, text)
    assert.deepEqual(await db.selectFrom('opened_apps').selectAll().execute(), [])
    assert.equal((await fetch(`${service.url}/assets/pictures/${picture.name}.png`)).status, 404)
    const audit = await db.selectFrom('audit').select(['actor', 'action']).where('target', '=', id).execute()
    assert.ok(audit.some(({ actor, action }) => actor === `user:${id}` && action === 'user.request_deletion'))
    assert.deepEqual(
      audit.filter(({ action }) => action === 'user.delete').map(({ actor }) => actor),
      ['system'],
    )
    const bought = await db.selectFrom('subscriptions').select(['email', 'email_hash', 'link_closed_at']).executeTakeFirstOrThrow()
    assert.equal(bought.email, null)
    assert.match(bought.email_hash ?? '', /^[0-9a-f]{64}$/)
    assert.notEqual(bought.link_closed_at, null)
  })

  it('notifies its user by a last mail that their data is gone, in their language, after which nothing of their address is left', async () => {
    const subjects = { 'pt-BR': 'Sua conta foi excluída', en: 'Your account was deleted', es: 'Tu cuenta se eliminó' }
    for (const [language, subject] of Object.entries(subjects)) {
      const { service } = await begin()
      const email = address()
      await service.user(email, { name: 'Clarice Partida' })
      const browser = await signedIn(service, email)
      await browser.submit('/account/language', { language })
      assertPage(await browser.submit(PAGE, { email }), 200)
      await mailbox.find(email, ({ text }) => text?.includes(UNDO) ?? false)
      service.clock.now += WEEK
      assert.equal(await deleteDue(service.context), 1)
      const mail = await mailbox.find(email, (one) => one.subject === subject)
      assert.doesNotMatch(mail.text ?? '', /https?:/, 'there is nothing left to open')
      await noJobIsLeft(service)
    }
  })

  it('sends the last mail once, and none for what was undone, died half way, or is not yet due', async () => {
    const { service } = await begin()
    const last = (email: string) =>
      mailbox.mails.filter(({ recipient, subject }) => recipient === email && subject === 'Sua conta foi excluída')
    const [gone, kept] = [await leaving(service), await leaving(service)]
    await undo(service, kept.ticket)
    service.clock.now += WEEK - 1
    await deleteDue(service.context)
    await wait(300)
    assert.equal(last(gone.email).length, 0)
    service.clock.now += 1
    await Promise.all([deleteDue(service.context), deleteDue(service.context)])
    await mailbox.find(gone.email, ({ subject }) => subject === 'Sua conta foi excluída')
    await deleteDue(service.context)
    await wait(300)
    assert.deepEqual([last(gone.email).length, last(kept.email).length], [1, 0])
  })

  it('keeps the address for the last mail no longer than its delivery is tried: what can not be delivered is no dead letter', async () => {
    const place = await database.fresh()
    const refusing = await startMailbox()
    const environment = { PORTARIA_SMTP_URL: refusing.url }
    const service = await startService(place, { environment, passwords: cheapPasswords })
    const { email } = await service.user(address())
    assertPage(await (await signedIn(service, email)).submit(PAGE, { email }), 200)
    await refusing.find(email)
    refusing.isBusy = true
    service.clock.now += WEEK
    assert.equal(await deleteDue(service.context), 1)
    const { db } = service.context.storage
    const job = () => db.selectFrom('outbox').selectAll().executeTakeFirst()
    const tried = async (times: number) => {
      let found = await job()
      await until(async () => {
        found = await job()
        return !found || (found.attempts >= times && found.leased_until === null)
      })
      return found
    }
    const first = await tried(1)
    assert.equal(first?.dead_at, null, 'it is tried again while the mail server is only busy')
    assert.ok(!JSON.stringify(first).includes(email))
    const LAST = 12
    await db
      .updateTable('outbox')
      .set({ attempts: LAST - 1, run_at: service.clock.now })
      .execute()
    assert.equal(await tried(LAST), undefined, 'given up, it is gone')
    await noJobIsLeft(service)
    assert.ok(!(await dumpDatabase(service)).includes(email))
    assert.equal(refusing.mails.filter(({ subject }) => subject === 'Sua conta foi excluída').length, 0)
  })

  it('lets a later account with that address start empty', async () => {
    const { service } = await begin()
    const email = address()
    await notify(service.url, completed({ email }))
    const old = await leaving(service, email)
    service.clock.now += WEEK
    await deleteDue(service.context)
    const { id } = await service.user(email)
    assert.notEqual(id, old.id)
    const browser = await signedIn(service, email)
    const answer = (await check(service, `eg_session=${sessionOf(browser)}`)) as { session: { plan_slug: unknown } }
    assert.equal(answer.session.plan_slug, null)
    assert.deepEqual(await subscriptionsOf(service, email), [])
    const data = (await browser.submit('/account/data', {})).json<{ purchases: unknown[]; notifications: unknown[] }>()
    assert.deepEqual([data.purchases, data.notifications], [[], []])
  })

  it('is done once by two nodes that look at the same moment, and once with the undoing that races it', async () => {
    const { service, node, clock } = await begin()
    const other = database.name === 'postgres' ? await node() : service
    const gone = [await leaving(service), await leaving(service), await leaving(service)]
    clock.now += WEEK
    const counts = await Promise.all([service, other, service, other].map(({ context }) => deleteDue(context)))
    assert.equal(
      counts.reduce((sum, count) => sum + count, 0),
      3,
    )
    for (const { id } of gone) {
      assert.equal(await exists(service, id), false)
      const entries = await service.context.storage.db
        .selectFrom('audit')
        .select('id')
        .where('target', '=', id)
        .where('action', '=', 'user.delete')
        .execute()
      assert.equal(entries.length, 1)
    }
    const racing = await leaving(service)
    clock.now += WEEK - 1
    // Its clock is a moment ahead: for that node the time has come, for the other the link is still good.
    const ahead = { ...other.context, now: () => clock.now + 1 }
    const [deleted, undone] = await Promise.all([deleteDue(ahead), undo(service, racing.ticket)])
    assert.equal(await exists(service, racing.id), deleted === 0)
    assert.equal(undone.status, deleted === 0 ? 200 : 400)
    assert.equal(await canSignIn(service, racing.email), deleted === 0)
  })

  it('is asked for once by many requests at the same moment: one mail, one link', async () => {
    const { service } = await begin()
    const email = address()
    await service.user(email)
    const browser = await signedIn(service, email)
    const cookies = new Map(browser.cookies)
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => {
        const one = service.browser()
        for (const [name, value] of cookies) one.cookies.set(name, value)
        return one.submit(PAGE, { email })
      }),
    )
    assert.equal(answers.filter(({ status }) => status === 200).length, 1)
    for (const { status } of answers) assert.ok(status === 200 || status === 302, String(status))
    await mailbox.find(email, (mail) => mail.text?.includes(UNDO) ?? false)
    await until(async () => (await service.context.storage.db.selectFrom('outbox').select('id').execute()).length === 0)
    assert.equal(mailbox.mails.filter((mail) => mail.recipient === email && mail.text?.includes(UNDO)).length, 1)
  })

  it('does nothing when it dies half way, and all of it the next time', async () => {
    const { service } = await begin()
    const { id, email, ticket } = await leaving(service)
    service.clock.now += WEEK
    const { context } = service
    const dying = {
      ...context,
      changes: {
        ...context.changes,
        transaction: ((work) =>
          context.changes.transaction(async (tx, announce) => {
            await work(tx, announce)
            throw new Error('killed before the commit')
          })) as typeof context.changes.transaction,
      },
    }
    await assert.rejects(deleteDue(dying), /killed/)
    assert.ok((await dumpDatabase(service)).includes(email))
    assert.ok(await exists(service, id))
    assert.equal(await deleteDue(context), 1)
    assert.equal(await exists(service, id), false)
    assertPage(await undo(service, ticket), 400)
  })

  it('passes by who stayed and asked anew between the look and the action', async () => {
    const { service, clock } = await begin()
    const { id } = await leaving(service)
    clock.now += WEEK
    const { context } = service
    const later = { due_at: clock.now + WEEK }
    const between = {
      ...context,
      changes: {
        ...context.changes,
        transaction: (async (work) => {
          await context.storage.db.updateTable('deletion_requests').set(later).where('user_id', '=', id).execute()
          return context.changes.transaction(work)
        }) as typeof context.changes.transaction,
      },
    }
    assert.equal(await deleteDue(between), 0)
    assert.ok(await exists(service, id))
  })

  it('is refused to the last owner, also to two who leave at once', async () => {
    const { service } = await begin()
    const owners = [await service.user(address(), { admin: true }), await service.user(address(), { admin: true })]
    const browsers = await Promise.all(owners.map(({ email }) => signedIn(service, email)))
    const answers = await Promise.all(browsers.map((browser, i) => browser.submit(PAGE, { email: owners[i]?.email ?? '' })))
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409])
    assert.equal((await Promise.all(owners.map(({ email }) => canSignIn(service, email)))).filter(Boolean).length, 1)
  })

  it('shows the operator who is leaving; `user enable` undoes it, `user delete` does it at once, and disabling outlives the undoing', async () => {
    const { service, place } = await begin()
    const portaria = commandLine(place)
    const ana = await leaving(service)
    const shown = await portaria(`user show ${ana.email} --json`)
    assert.equal(shown.json.deletion_due_at, new Date(service.clock.now + WEEK).toISOString())
    assert.match((await portaria(`user show ${ana.email}`)).out, /asked to be deleted: gone after/)
    assert.equal((await portaria(`user enable ${ana.email}`)).code, 0)
    assert.ok(await canSignIn(service, ana.email))
    assertPage(await undo(service, ana.ticket), 400)
    const bia = await leaving(service)
    assert.equal((await portaria(`user delete ${bia.email}`)).code, 0)
    assert.equal(await exists(service, bia.id), false)
    assertPage(await undo(service, bia.ticket), 400)
    const caio = await leaving(service)
    await wait(5)
    assert.equal((await portaria(`user disable ${caio.email} --reason abuse`)).code, 0)
    assertPage(await undo(service, caio.ticket), 200)
    assert.equal(await canSignIn(service, caio.email), false)
    service.clock.now += WEEK
    assert.equal(await deleteDue(service.context), 0)
  })

  it('is undone by “this was not me” too: who took the account can not have it deleted', async () => {
    const { service } = await begin()
    const email = address()
    await service.user(email)
    await signedIn(service, email)
    const thief = await signedIn(service, email)
    const warning = await mailbox.find(email, ({ text }) => text?.includes('/report-sign-in') ?? false)
    assertPage(await thief.submit(PAGE, { email }), 200)
    assertPage(await service.browser().submit('/report-sign-in', { ticket: ticketOf(linkIn(warning, '/report-sign-in')) }), 200)
    service.clock.now += WEEK
    assert.equal(await deleteDue(service.context), 0)
    assert.equal((await findUser(service.context.storage.db, email))?.disabledAt, undefined)
    assert.ok(linkIn(await mailbox.find(email, ({ text }) => text?.includes('/reset-password') ?? false), '/reset-password'))
  })
})
