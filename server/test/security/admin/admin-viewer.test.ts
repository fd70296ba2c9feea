import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { it } from 'node:test'
import { hmacSha256 } from '../../../src/kit/index.ts'
import { eachDatabase } from '../../support/databases.ts'
import { completed, notify, subscriptionsOf, WEBHOOKS } from '../../support/gateways/purchases.ts'
import { NOBODY, readOperations } from '../../support/routes/admin-operations.ts'
import { PASSWORD, startForSuite, type TestService } from '../../support/service.ts'
import { type Admin, adminOf, lastAudit, listAll, scriptOf, versionOf, withResponses } from '../../support/users/admins.ts'

const EMAIL = 'zuleica.prado@correio.example'
const NAMELESS = 'sem-nome-nenhum@correio.example'
const CPF = '52998224725'

/** All of it is somewhere in what support sees; none of it may be in what a viewer does. */
const PERSONAL = [
  ...[/zuleica\.prado/i, /sem-nome-nenhum/, /98888/, /982\.247/, /retrato-1/, /Navegador-da-Zuleica/, /203\.0\.113\.77/, /zu-no-produto/],
  ...[/ligou/, /pediu por telefone/, /sub-no-provedor/, /ip-do-termo/, /celular da Zu/],
]

eachDatabase('A viewer of the admin API', (database) => {
  const service = startForSuite(database, { environment: WEBHOOKS })

  it('sees what happened and to whom by name, and in no list, page, timeline, search or log what reaches or traces a user', async () => {
    const about = await live(service())
    const ids = about.ids
    for (const role of ['support', 'viewer'] as const) {
      const said: string[] = []
      const admin = withResponses(await adminOf(service(), `${role}@example.com`, role), said)
      await readEverything(admin, about)
      const all = said.join('\n')
      for (const personal of PERSONAL) assert.equal(personal.test(all), role === 'support', `${role} ${personal}: ${around(all, personal)}`)
      assert.match(all, /Zuleica Prado/)
      for (const id of Object.values(ids)) assert.ok(all.includes(id), id)
    }
  })

  it('finds users by whole words, so that no address is read letter by letter, and nobody by a tax id', async () => {
    const { ids } = await live(service())
    for (const admin of [await adminOf(service(), 'olha@example.com', 'viewer'), await scriptOf(service(), 'viewer')]) {
      const found = async (q: string) => [
        ...(await listAll(admin, `/users?q=${encodeURIComponent(q)}`, 100)).map(({ id }) => id),
        ...(await admin.get(`/search?q=${encodeURIComponent(q)}`)).json<{ data: Array<{ id: string }> }>().data.map(({ id }) => id),
      ]
      for (const beginning of ['zule', 'zuleica.p', 'zuleica.prado@', `${EMAIL.slice(0, -1)}`, CPF, '529.982.247-25', '!'])
        assert.ok(!(await found(beginning)).includes(ids.user), beginning)
      for (const whole of ['zuleica', 'PRADO zuleica', EMAIL]) assert.ok((await found(whole)).includes(ids.user), whole)
    }
  })

  it('narrows no list by what is hidden from it, so that nobody’s address or events are found by asking for each value', async () => {
    const { ids } = await live(service())
    const asked = { 'sessions?ip=': '203.0.113.77', 'failed-sign-ins?ip=': '203.0.113.77', 'events?subject=': ids.user }
    const support = await adminOf(service(), 'filtra@example.com', 'support')
    for (const viewer of [await adminOf(service(), 'nao-filtra@example.com', 'viewer'), await scriptOf(service(), 'viewer')]) {
      for (const [path, value] of Object.entries(asked)) {
        const field = /\?(\w+)=/.exec(path)?.[1] ?? assert.fail()
        for (const one of [value, 'of-nobody']) {
          const answer = await viewer.get(`/${path}${one}`)
          assert.equal(answer.status, 400, `${path} ${answer.text}`)
          assert.deepEqual(answer.json<{ fields: object }>().fields, { [field]: 'hidden' })
        }
        assert.equal((await viewer.get(`/${path.replace(/\?.*/, '')}`)).status, 200)
        assert.equal((await support.get(`/${path}${value}`)).status, 200, path)
      }
    }
  })

  it('gets no version of what is hidden, and its own name and address as they are', async () => {
    const { ids } = await live(service())
    const viewer = await adminOf(service(), 'eu-mesma@example.com', 'viewer')
    assert.equal((await viewer.get(`/users/${ids.user}`)).headers.get('etag'), null)
    assert.equal((await viewer.get('/me')).json().email, 'eu-mesma@example.com')
  })
})

eachDatabase('A place in a list', (database) => {
  const service = startForSuite(database)

  it('says nothing of where it is: it stands in the addresses of requests', async () => {
    const support = await adminOf(service(), 'lugar-secreto@example.com', 'support')
    await service().user('lugar-segundo@example.com')
    const { next_cursor } = (await support.get('/users?sort=email&limit=1')).json<{ next_cursor: string }>()
    for (const part of next_cursor.split('.')) assert.doesNotMatch(Buffer.from(part, 'base64url').toString('latin1'), /lugar|example/)
  })
})

interface Fixture {
  ids: Record<'user' | 'session' | 'subscription' | 'notification' | 'audit' | 'job', string>
}

const lives = new WeakMap<TestService, Promise<Fixture>>()

/** Somebody of whom there is something in every list; once for each service. */
function live(service: TestService): Promise<Fixture> {
  const known = lives.get(service) ?? begin(service)
  lives.set(service, known)
  return known
}

async function begin(service: TestService): Promise<Fixture> {
  const { db } = service.context.storage
  const owner = await adminOf(service, 'dona@example.com', 'owner')
  const { id: user } = await service.user(EMAIL, { name: 'Zuleica Prado', beta: true })
  await service.user(NAMELESS, { name: 'sem-nome-nenhum' })
  const sealed = service.context.sealer.seal(CPF, `users_company.tax_id_sealed.${user}`)
  const hash = hmacSha256(service.context.masterKeys.taxIdIndex, CPF).toString('hex')
  await db
    .updateTable('users_company')
    .set({
      phone: '+5511988887777',
      avatar_url: 'https://fotos.example/retrato-1.png',
      tax_id_kind: 'cpf',
      tax_id_sealed: sealed,
      tax_id_hash: hash,
    })
    .where('user_id', '=', user)
    .execute()
  await service.browser({ 'user-agent': 'Navegador-da-Zuleica/9' }).signIn('/login', { email: EMAIL, password: PASSWORD })
  await db.updateTable('sessions').set({ ip: '203.0.113.77' }).where('user_id', '=', user).execute()
  await db
    .updateTable('beta_users')
    .set({ nda_accepted_at: 1, nda_ip: 'ip-do-termo', nda_user_agent: 'x', nda_version: '1', nda_text_hash: 'x' })
    .where('user_id', '=', user)
    .execute()
  const identity = { issuer: 'https://provedor.example', subject: 'sub-no-provedor', user_id: user, email: EMAIL, created_at: 1 }
  await db.insertInto('identities').values(identity).execute()
  await db
    .insertInto('passkeys')
    .values({ ...PASSKEY, user_id: user })
    .execute()
  const subscription = await buy(service)
  await notify(service.url, completed({ email: EMAIL, plan: 'plano-perdido' }))
  const [pending] = await listAll(owner, '/notifications?status=unresolved')
  assert.equal((await owner.send('POST', `/notifications/${pending?.id}/ignore`, { reason: 'pediu por telefone' })).status, 200)
  const version = versionOf(await owner.get(`/users/${user}`))
  const changed = await owner.send(
    'PATCH',
    `/users/${user}`,
    { avatar_url: 'https://fotos.example/retrato-12.png', reason: 'ligou' },
    { version },
  )
  assert.equal(changed.status, 200, changed.text)
  const job = randomUUID()
  const dead = { attempts: 12, run_at: 1, leased_until: null, dead_at: 2, created_at: 0, lane: null }
  await db
    .insertInto('outbox')
    .values({ id: job, kind: 'mail', payload_sealed: 'x', last_error: `550 <${EMAIL}> unknown`, ...dead })
    .execute()
  const session = await db.selectFrom('sessions').select('id').where('user_id', '=', user).executeTakeFirstOrThrow()
  const audit = await lastAudit(service, 'user.change')
  return { ids: { user, session: session.id, subscription, notification: String(pending?.id), audit: audit.id, job } }
}

/** A purchase of a product that calls users by addresses of its own. */
async function buy(service: TestService): Promise<string> {
  await notify(service.url, completed({ email: EMAIL }))
  const [bought] = await subscriptionsOf(service, EMAIL)
  const { product } = await service.product({ slug: 'com-pessoas' })
  await service.context.storage.db
    .updateTable('subscriptions')
    .set({ product_user: 'zu-no-produto', product_id: product.id })
    .where('id', '=', bought?.id ?? '')
    .execute()
  return bought?.id ?? assert.fail()
}

const PASSKEY = {
  id: 'aaaa',
  public_key: 'x',
  counter: 0,
  transports: '[]',
  is_backed_up: 0,
  name: 'celular da Zu',
  created_at: 1,
  last_used_at: null,
}

/** The operations that answer nothing without a query. */
const WITH_QUERY: Readonly<Record<string, string>> = {
  search: '/search?q=zuleica',
  showManager: `/managed?kind=product&id=${NOBODY}`,
  previewAppearance: '/appearance/preview?page=mail&language=en',
  countOpenNotifications: '/notifications/open?since=2026-11-20T10:00:00Z',
  examineAccent: '/appearance/accent?accent=1a4fd6',
}

/** Every list, and every page of each of these. */
async function readEverything(admin: Admin, { ids }: Fixture): Promise<void> {
  for (const { path, operationId } of readOperations(NOBODY).filter(({ method }) => method === 'GET')) {
    if (/\/(?:signing-keys|tokens|administrators|webhooks\/test)/.test(path)) continue // no viewer may
    const named = Object.values(ids).map((id) => path.replace(NOBODY, id))
    for (const address of path.includes(NOBODY) ? named : [WITH_QUERY[operationId] ?? path]) {
      const answer = await admin.get(address)
      assert.ok([200, 404].includes(answer.status), `${address} ${answer.text}`)
    }
  }
  for (const list of ['users', 'subscriptions', 'transactions', 'notifications', 'audit']) {
    const table = await admin.send('POST', `/${list}/export`)
    assert.equal(table.status, 200, table.text)
  }
  for (const typed of [EMAIL, NAMELESS, 'com-pessoas', ...Object.values(ids)]) await admin.get(`/search?q=${encodeURIComponent(typed)}`)
}

function around(text: string, pattern: RegExp): string {
  const at = text.search(pattern)
  return at < 0 ? 'nowhere' : text.slice(Math.max(0, at - 200), at + 80)
}
