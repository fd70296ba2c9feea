import assert from 'node:assert/strict'
import { before, it } from 'node:test'
import { createUser, findUser, setUser } from '../../../src/admin/index.ts'
import { addProvider } from '../../../src/identity-providers/index.ts'
import { type Browser, hiddenFlow } from '../../support/browser.ts'
import { eachDatabase } from '../../support/databases.ts'
import { activated, completed, notify, received, subscriptionsOf, WEBHOOKS } from '../../support/gateways/purchases.ts'
import { codeIn, linkIn, startMailbox } from '../../support/mailbox.ts'
import { PASSWORD, startForSuite, type TestService } from '../../support/service.ts'
import { freshCpf } from '../../support/users/newcomer.ts'
import { startProvider } from '../../support/users/openid-provider.ts'
import { check, decode, sessionOf, signedIn } from '../../support/users/sign-in-steps.ts'

const GOOD = 'girassol azul no telhado'
const mailbox = await startMailbox()

eachDatabase('A purchase made before its buyer has an account', (database) => {
  const started = startForSuite(database, { environment: { ...WEBHOOKS, PORTARIA_SMTP_URL: mailbox.url } })
  let service: TestService
  before(() => {
    service = started()
  })
  const operator = () => ({ ...service.context, actor: 'operator:test' })
  let buyers = 0
  /** Both databases share the mailbox. */
  const someone = () => `visita${++buyers}.${database.name}@exemplo.com.br`
  const buy = async (email: string, plan = 'easy-pro') =>
    assert.deepEqual(await notify(service.url, completed({ email, plan })), { status: 200, body: { received: true } })
  const ownersOf = async (email: string) => (await subscriptionsOf(service, email)).map(({ user_id }) => user_id)
  const idOf = async (email: string) => (await findUser(service.context.storage.db, email))?.id
  const planOf = async (browser: Browser) =>
    ((await check(service, `eg_session=${sessionOf(browser)}`)) as { session?: { plan_slug: unknown } }).session?.plan_slug
  const ticketOf = (link: string) => new URL(link, 'http://x').searchParams.get('ticket') ?? ''

  /** From the sign-up form through the code of the mail. */
  async function signUp(email: string): Promise<{ browser: Browser; profile: string }> {
    const browser = service.browser()
    const page = await browser.get('/sign-up')
    const sent = await browser.submit('/sign-up', { flow: hiddenFlow(page.text), name: 'Bia Souza', email, password: GOOD })
    assert.equal(sent.status, 302)
    const asked = await browser.get(sent.location?.href ?? '')
    const code = codeIn(await mailbox.find(email))
    const done = await browser.submit('/check-mail', { flow: hiddenFlow(asked.text), code })
    assert.equal(done.location?.pathname, '/complete-profile')
    return { browser, profile: done.location.href }
  }

  /** An account with an unverified address, whose password its maker knows. */
  async function unverified(email: string) {
    const made = await createUser(
      { email, name: 'Quem Chegou', role: undefined, verified: false, isProducer: false, isBeta: false, password: PASSWORD },
      operator(),
    )
    return 'id' in made ? made : assert.fail()
  }

  it('is theirs once they have signed up and verified the address: in the check, and in the token', async () => {
    const email = someone()
    await buy(email)
    assert.deepEqual(await ownersOf(email), [null])
    const { browser } = await signUp(email)
    assert.deepEqual(await ownersOf(email), [await idOf(email)])
    assert.equal(await planOf(browser), 'easy-pro')
    assert.equal(decode(sessionOf(browser)).claims.plan_slug, 'easy-pro')
  })

  it('is linked when the profile is completed, where it came between', async () => {
    const email = someone()
    const { browser, profile } = await signUp(email)
    assert.equal(await planOf(browser), null)
    // As if the purchase had been written by a node that did not see the new account yet.
    await buy(email)
    const { db } = service.context.storage
    await db.updateTable('subscriptions').set({ user_id: null }).where('email', '=', email).execute()
    const page = await browser.get(profile)
    const fields = { full_name: 'Bia Souza', tax_id: freshCpf(), phone: '(11) 91234-5678', company_name: '' }
    const saved = await browser.submit('/complete-profile', { flow: hiddenFlow(page.text), ...fields })
    assert.equal(saved.status, 302, saved.text)
    assert.deepEqual(await ownersOf(email), [await idOf(email)])
    assert.equal(await planOf(browser), 'easy-pro')
    assert.equal(decode(sessionOf(browser)).claims.plan_slug, 'easy-pro', 'the cookie that completion sets says so already')
  })

  it('is theirs in every form of the address that one buyer may have written', async () => {
    const email = `forma.visita@${database.name}.com.br`
    const wide = email.replace('forma.visita', 'ｆｏｒｍａ.ｖｉｓｉｔａ')
    const forms = [` Forma.Visita@${database.name}.com.br `, email.toUpperCase(), wide, email.replace('.com', '。com')]
    const plans = ['easy-standard', 'easy-pro', 'easy-enterprise', 'easy-pro']
    for (const [i, form] of forms.entries()) await buy(form, plans[i])
    await notify(service.url, activated({ email: `\tForma.Visita@${database.name}.COM.br\n` }))
    const { browser } = await signUp(email)
    const id = await idOf(email)
    assert.deepEqual(new Set(await ownersOf(email)), new Set([id]))
    assert.ok((await ownersOf(email)).length >= 4)
    assert.equal(await planOf(browser), 'easy-enterprise')
    for (const other of [
      `forma.visita+1@${database.name}.com.br`,
      `formavisita@${database.name}.com.br`,
      `forma.visita@${database.name}.com`,
    ]) {
      await buy(other)
      assert.deepEqual(await ownersOf(other), [null], other)
    }
  })

  it('waits for the operator where the address can be nobody’s', async () => {
    await buy('bia souza@exemplo')
    const last = (await received(service)).at(-1)
    assert.deepEqual([last?.status, last?.why], ['unresolved', 'unusable_address'])
  })

  it('is theirs at once where the operator makes the account and vouches for the address, or does so later', async () => {
    const [now, later] = [someone(), someone()]
    await buy(now)
    await buy(later)
    const { id } = await service.user(now)
    assert.deepEqual(await ownersOf(now), [id])
    const user = await unverified(later)
    assert.deepEqual(await ownersOf(later), [null])
    await setUser(user, { verified: true }, operator())
    assert.deepEqual(await ownersOf(later), [user.id])
    assert.equal(await planOf(await signedIn(service, later)), 'easy-pro')
  })

  it('comes with an address that the user changes to, once the new mailbox has said so, and not before', async () => {
    const [old, fresh] = [someone(), someone()]
    await buy(fresh)
    const { id } = await service.user(old)
    const browser = await signedIn(service, old)
    assert.equal((await browser.submit('/account/email', { email: fresh })).status, 200)
    const ticket = ticketOf(linkIn(await mailbox.find(fresh), '/confirm-email'))
    assert.deepEqual([await ownersOf(fresh), await planOf(browser)], [[null], null])
    assert.equal((await browser.submit('/confirm-email', { ticket })).status, 200)
    assert.deepEqual([await ownersOf(fresh), await planOf(browser)], [[id], 'easy-pro'])
  })

  it('comes with the account’s own address, typed as the new one, once its mailbox has said so', async () => {
    const email = someone()
    const { id } = await unverified(email)
    await buy(email)
    const browser = await signedIn(service, email)
    assert.equal((await browser.submit('/account/email', { email })).status, 200)
    const ticket = ticketOf(linkIn(await mailbox.find(email), '/confirm-email'))
    assert.deepEqual([await ownersOf(email), await planOf(browser)], [[null], null])
    assert.equal((await browser.submit('/confirm-email', { ticket })).status, 200)
    assert.deepEqual([await ownersOf(email), await planOf(browser)], [[id], 'easy-pro'])
  })

  it('comes with a sign-in through a provider that may vouch for the address', async () => {
    const email = someone()
    await buy(email)
    const provider = await startProvider(`${service.url}/auth/callback`)
    const { issuer, clientId, clientSecret } = provider
    const added = await addProvider(
      { id: 'um', name: 'Um', issuer, clientId, clientSecret, authoritativeFor: ['exemplo.com.br'], accessTokenAudience: undefined },
      operator(),
    )
    assert.ok(!('refusal' in added))
    const enter = async (subject: string, address: string, email_verified: boolean) => {
      provider.next = { subject, email: address, email_verified, name: 'Caio' }
      const browser = service.browser()
      const flow = hiddenFlow((await browser.get('/login')).text)
      const start = await browser.get(`/auth/provider/um?flow=${encodeURIComponent(flow)}`)
      const callback = await provider.walk(start.location?.href ?? '')
      return { browser, answer: await browser.get(callback.pathname + callback.search) }
    }
    const { browser: stranger } = await enter('sem-prova', email, false)
    assert.deepEqual([await ownersOf(email), stranger.cookies.has('eg_session')], [[null], false])
    const { browser, answer } = await enter('caio', email, true)
    assert.equal(answer.location?.pathname, '/complete-profile')
    assert.deepEqual(await ownersOf(email), [await idOf(email)])
    assert.equal(decode(sessionOf(browser)).claims.plan_slug, 'easy-pro')

    const taken = someone()
    const squatter = await unverified(taken)
    await buy(taken)
    assert.deepEqual(await ownersOf(taken), [null])
    const { browser: owner } = await enter('dona', taken, true)
    assert.deepEqual([await ownersOf(taken), await planOf(owner)], [[squatter.id], 'easy-pro'])
  })

  it('is theirs as well when it arrives at the very moment in which the address is verified', async () => {
    for (let round = 0; round < 15; round++) {
      const email = someone()
      const user = await unverified(email)
      await Promise.all([buy(email), setUser(user, { verified: true }, operator()), buy(email, 'easy-enterprise')])
      assert.deepEqual(await ownersOf(email), [user.id, user.id])
    }
  })

  it('neither holds up a sign-in of the same user, nor waits for it', async () => {
    const email = someone()
    const { id } = await service.user(email)
    const plans = ['easy-standard', 'easy-pro', 'easy-enterprise']
    await Promise.all([...plans.map((plan) => buy(email, plan)), signedIn(service, email), signedIn(service, email), buy(email)])
    assert.deepEqual(new Set(await ownersOf(email)), new Set([id]))
    assert.equal(await planOf(await signedIn(service, email)), 'easy-enterprise')
  })

  it('comes with the recovery of an account whose address nobody had verified', async () => {
    const email = someone()
    await buy(email)
    const { id } = await unverified(email)
    const browser = service.browser()
    assert.equal((await browser.submit('/recover', { flow: hiddenFlow((await browser.get('/recover')).text), email })).status, 200)
    const ticket = ticketOf(linkIn(await mailbox.find(email), '/reset-password'))
    assert.deepEqual(await ownersOf(email), [null])
    assert.equal((await browser.submit('/reset-password', { ticket, password: GOOD })).status, 302)
    assert.deepEqual([await ownersOf(email), await planOf(browser)], [[id], 'easy-pro'])
  })

  it('is never theirs who was first with the address and has not verified it: the owner of the mailbox gets it', async () => {
    const email = someone()
    const squatter = await unverified(email)
    await buy(email)
    const thief = service.browser()
    const entered = await thief.signIn('/login', { email, password: PASSWORD })
    const page = await thief.get(entered.location?.href ?? '')
    const fields = { full_name: 'Quem Chegou', tax_id: freshCpf(), phone: '(11) 91234-5678', company_name: '' }
    assert.equal((await thief.submit('/complete-profile', { flow: hiddenFlow(page.text), ...fields })).status, 302)
    await buy(email, 'easy-enterprise')
    assert.deepEqual([await ownersOf(email), await planOf(thief)], [[null, null], null])
    const { browser: owner, ticket } = { browser: service.browser(), ticket: await ticketOfSignUp(email) }
    assert.equal((await owner.submit('/verify', { ticket, password: GOOD })).status, 302)
    assert.deepEqual([await ownersOf(email), await planOf(owner)], [[squatter.id, squatter.id], 'easy-enterprise'])
    assert.equal(await planOf(thief), undefined, 'the session of who was first is over')
  })

  async function ticketOfSignUp(email: string): Promise<string> {
    const browser = service.browser()
    const flow = hiddenFlow((await browser.get('/sign-up')).text)
    await browser.submit('/sign-up', { flow, name: 'Bia Souza', email, password: GOOD })
    return ticketOf(linkIn(await mailbox.find(email), '/verify'))
  }
})
