import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { it } from 'node:test'
import { MINUTE_MS, newId } from '../../../src/kit/index.ts'
import { endSessionsOfUser } from '../../../src/sessions/index.ts'
import type { Browser } from '../../support/browser.ts'
import { eachDatabase } from '../../support/databases.ts'
import { completed, notify, WEBHOOKS } from '../../support/gateways/purchases.ts'
import { startForSuite, type TestService } from '../../support/service.ts'
import { until } from '../../support/until.ts'
import { type Admin, adminOf, giveRole, listAll, scriptOf } from '../../support/users/admins.ts'
import { assertRefused } from '../../support/users/sign-in-steps.ts'

const HEADS = {
  users:
    'id,name,email,verified_at,role,disabled_at,deletion_due_at,is_producer,is_beta,beta.nda_accepted_at,company_name,rank_name,phone,external_id,has_password,created_at',
  subscriptions:
    'id,state,active,status,reason,plan_slug,product,email,user_id,product_user,amount,foreign_amount,monthly_amount,monthly_currency,method,current_period_end,grace_until,link_closed_at,changed_at',
  notifications: 'id,received_at,source,event,status,why,subject,product_id,subscription_id,processed_at,paid_amount,plan_price',
  audit: 'id,at,actor,action,target,reason,ip,before,after',
} as const

type List = keyof typeof HEADS

/** The rows of a table, each as its cells; none of the values here has a line break in it. */
async function exported(admin: Admin, list: List, query = ''): Promise<string[][]> {
  const answer = await admin.send('POST', `/${list}/export${query}`)
  assert.equal(answer.status, 200, answer.text)
  const [head, ...lines] = answer.text.split('\r\n')
  assert.equal(head, HEADS[list])
  assert.equal(lines.pop(), '')
  return lines.map((line) =>
    [...line.matchAll(/(?<=^|,)(?:"((?:[^"]|"")*)"|([^",]*))(?=,|$)/g)].map(
      ([, quoted, bare]) => quoted?.replaceAll('""', '"') ?? bare ?? '',
    ),
  )
}

eachDatabase('The tables of the admin API', (database) => {
  const service = startForSuite(database, { environment: WEBHOOKS })

  it('have every row of their list, over many pages, with its filters and in its order', async () => {
    const support = await adminOf(service(), 'tabelas@example.com', 'support')
    await service().user('zelia@example.com', { name: 'Zélia, "a" boa' })
    await fillAudit(service(), 450)
    for (const email of ['um@example.com', 'dois@example.com', 'tres@example.com']) await notify(service().url, completed({ email }))
    await notify(service().url, completed({ email: 'um@example.com', plan: 'plano-que-falta' }))
    for (const [list, ...queries] of [
      ['users', '?sort=email', '?q=zelia', '?q=ninguem-assim'],
      ['subscriptions', '?sort=created_at', '?email=dois%40example.com'],
      ['notifications', '?sort=received_at', '?status=unresolved'],
      ['audit', '?sort=at', '?action=some.action'],
    ] as const) {
      for (const query of ['', ...queries]) {
        const listed = await listAll(support, `/${list}${query}`, 100)
        const rows = await exported(support, list, query)
        assert.deepEqual(
          rows.map(([id]) => id).filter((id) => !list.startsWith('audit') || listed.some((one) => one.id === id)),
          listed.map(({ id }) => id),
          `${list}${query}`,
        )
      }
    }
    const [[, name, email] = []] = await exported(support, 'users', '?q=zelia')
    assert.deepEqual([name, email], ['Zélia, "a" boa', 'zelia@example.com'])
  })

  it('hold nothing that a spreadsheet would run, and are files by their headers', async () => {
    const support = await adminOf(service(), 'formulas@example.com', 'support')
    await service().user('formula@example.com', { name: '=HYPERLINK("http://evil.example","Ganhe")' })
    const answer = await support.send('POST', '/users/export?q=formula')
    assert.match(answer.text, /,"'=HYPERLINK\(""http:\/\/evil\.example"",""Ganhe""\)",formula@example\.com,/)
    assert.equal(answer.headers.get('content-type'), 'text/csv; charset=utf-8')
    assert.match(answer.headers.get('content-disposition') ?? '', /^attachment; filename="portaria-users-\d{4}-\d\d-\d\d\.csv"$/)
    assert.equal(answer.headers.get('cache-control'), 'no-store')
  })

  it('are masked for a viewer as the lists are, who can neither search for beginnings nor order by what is hidden', async () => {
    const viewer = await adminOf(service(), 'mascara@example.com', 'viewer')
    await service().user('escondida@example.com', { name: 'Escondida da Silva' })
    await notify(service().url, completed({ email: 'escondida@example.com' }))
    const cells = async (list: List, query = '') => (await exported(viewer, list, query)).flat().join('\n')
    for (const list of ['users', 'subscriptions', 'notifications', 'audit'] as const)
      assert.doesNotMatch(await cells(list), /escondida@|\w@example/, list)
    const [row = []] = await exported(viewer, 'users', '?q=escondida')
    assert.deepEqual(row.slice(1, 3), ['Escondida da Silva', '•••'])
    assert.deepEqual(await exported(viewer, 'users', '?q=escond'), [])
    assert.deepEqual((await viewer.send('POST', '/users/export?sort=email')).json().fields, { sort: 'hidden' })
  })

  it('stand in the audit log, with their beginning and their end, and by the names of their filters alone', async () => {
    const owner = await adminOf(service(), 'registro@example.com', 'owner')
    const rows = await exported(owner, 'users', '?q=registro&sort=created_at')
    const entries = (await listAll(owner, '/audit?action=list.export', 100)).slice(0, 2)
    assert.deepEqual(
      entries.map(({ actor, target, after }) => [String(actor).slice(0, 5), target, after]),
      [
        ['user:', 'users', { state: 'done', rows: rows.length, filters: ['q'] }],
        ['user:', 'users', { state: 'begun', filters: ['q'] }],
      ],
    )
  })

  it('are refused without a recent authentication, to a script without the scope, with a page of the list, and past thirty an hour', async () => {
    const support = await adminOf(service(), 'recusas@example.com', 'support')
    const { db } = service().context.storage
    for (const query of ['?limit=5', '?cursor=x', '?nada=1'])
      assert.equal((await support.send('POST', `/users/export${query}`)).status, 400, query)
    const script = await scriptOf(service(), 'support', ['plans:read'])
    assertRefused(await script.send('POST', '/users/export'), 403, 'nao permitido')
    for (let i = 0; i < 30; i++) assert.equal((await support.send('POST', '/users/export?q=recusas')).status, 200, String(i))
    const late = await support.send('POST', '/users/export?q=recusas')
    assert.equal(late.status, 429)
    assert.ok(Number(late.headers.get('retry-after')) > 1_000, String(late.headers.get('retry-after')))
    await db.deleteFrom('rate_limits').execute()
    await db
      .updateTable('sessions')
      .set({ authenticated_at: service().clock.now - 11 * MINUTE_MS })
      .execute()
    assertRefused(await support.send('POST', '/users/export'), 403, 'prova recente necessaria')
  })
})

eachDatabase('A table that is read slowly', (database) => {
  const service = startForSuite(database)

  it('is read from the database as slowly, one at a time for each caller, and no further once the reader is gone', async () => {
    const script = await scriptOf(service(), 'owner')
    await fillAudit(service(), 3_000, 'x'.repeat(20_000))
    const reader = readSlowly(service(), '/audit/export', { authorization: `Bearer ${script.key}` })
    await until(() => reader.received() > 0)
    await standsStill(() => reader.received())
    assert.deepEqual(await statesOf(service()), ['begun'])
    assertRefused(await script.send('POST', '/users/export'), 429, 'muitas tentativas')
    const other = await scriptOf(service(), 'owner')
    assert.equal((await other.send('POST', '/users/export')).status, 200)
    reader.socket.destroy()
    await until(async () => (await statesOf(service(), 'audit')).includes('cut'))
    const { after } = await service()
      .context.storage.db.selectFrom('audit')
      .select('after')
      .where('action', '=', 'list.export')
      .where('after', 'like', '%cut%')
      .executeTakeFirstOrThrow()
    const { rows } = JSON.parse(String(after))
    assert.ok(rows > 0 && rows < 2_000, String(rows))
    assert.equal((await script.send('POST', '/users/export')).status, 200)
  })

  it('ends with the session, the role or the token of whoever began it, and is not whole then', async () => {
    await service().context.storage.db.deleteFrom('audit').execute()
    await fillAudit(service(), 3_000, 'x'.repeat(20_000))
    const { db } = service().context.storage
    const begin = async (caller: Record<string, string>) => {
      const reader = readSlowly(service(), '/audit/export?action=some.action', caller)
      await until(() => reader.received() > 0)
      await standsStill(() => reader.received())
      return reader
    }
    const isCut = async (reader: ReturnType<typeof readSlowly>) => {
      const before = (await statesOf(service())).length
      reader.socket.resume()
      await until(() => reader.isOver())
      assert.equal(reader.isWhole(), false)
      assert.equal((await statesOf(service())).slice(before - 1).at(-1), 'cut')
      assert.ok(reader.received() < 2_000 * 20_000, String(reader.received()))
    }
    const cookiesOf = ({ browser }: { browser: Browser }) => ({
      cookie: [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
      origin: service().url,
      'sec-fetch-site': 'same-origin',
    })
    const leaver = await adminOf(service(), 'sai@example.com', 'owner')
    const signedOut = await begin(cookiesOf(leaver))
    const { changes, now } = service().context
    await changes.transaction((tx, announce) => endSessionsOfUser(tx, leaver.id, 'signed_out', { announce, now }))
    await isCut(signedOut)
    const lowered = await adminOf(service(), 'muda@example.com', 'owner')
    const asViewer = await begin(cookiesOf(lowered))
    await giveRole(service(), 'muda@example.com', 'viewer')
    await isCut(asViewer)
    const script = await scriptOf(service(), 'owner')
    const revoked = await begin({ authorization: `Bearer ${script.key}` })
    await db.updateTable('admin_tokens').set({ revoked_at: service().clock.now }).where('id', '=', script.id).execute()
    await isCut(revoked)
  })

  it('reaches a reader who goes on whole, from the mark by which spreadsheets read accents on', async () => {
    const script = await scriptOf(service(), 'owner')
    const reader = readSlowly(service(), '/audit/export?action=some.action', { authorization: `Bearer ${script.key}` })
    await until(() => reader.received() > 0)
    await standsStill(() => reader.received())
    assert.match(reader.begin(), /\r\n\r\n[\da-f]+\r\n\u00ef\u00bb\u00bfid,at,/)
    reader.socket.resume()
    await until(() => reader.isWhole())
    assert.ok(reader.received() > 3_000 * 20_000, String(reader.received()))
  })
})

/** Entries of the log that no service has made. The ids are in the order of time. */
async function fillAudit({ context }: TestService, count: number, text = 'x'): Promise<void> {
  const entry = { at: Date.now(), actor: 'system', action: 'some.action', target: 'x', before: null, reason: null, ip: null }
  for (let left = count; left > 0; left -= 500) {
    const rows = Array.from({ length: Math.min(left, 500) }, () => ({ ...entry, id: newId(), after: JSON.stringify({ text }) }))
    await context.storage.db.insertInto('audit').values(rows).execute()
  }
}

/** The states of exports of a list that the log holds. */
async function statesOf({ context }: TestService, list = 'audit'): Promise<string[]> {
  const found = await context.storage.db
    .selectFrom('audit')
    .select('after')
    .where('action', '=', 'list.export')
    .where('target', '=', list)
    .orderBy('id')
    .execute()
  return found.map(({ after }) => JSON.parse(String(after)).state)
}

/** Asks for a table and stops reading after its beginning, until `socket.resume()`. */
function readSlowly(service: TestService, path: string, caller: Record<string, string>) {
  const { hostname, port } = new URL(service.url)
  const socket = connect({ host: hostname, port: Number(port) })
  let received = 0
  let begin = ''
  let end = ''
  let isOver = false
  socket.on('close', () => {
    isOver = true
  })
  const headers = Object.entries(caller).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.on('data', (chunk) => {
    if (received === 0) socket.pause()
    received += chunk.length
    begin = (begin + chunk.toString('latin1')).slice(0, 4_000)
    end = (end + chunk.toString('latin1')).slice(-20)
  })
  socket.write(`POST /api/admin${path} HTTP/1.1\r\nhost: ${hostname}:${port}\r\n${headers.join('')}content-length: 0\r\n\r\n`)
  return { socket, received: () => received, begin: () => begin, isOver: () => isOver, isWhole: () => end.endsWith('\r\n0\r\n\r\n') }
}

/** The buffers between the service and a reader are full: what is read goes nowhere, and nothing more is. */
async function standsStill(count: () => number | Promise<number>): Promise<void> {
  let before = -1
  await until(async () => {
    const now = await count()
    const isStill = now === before
    before = now
    await new Promise((resolve) => setTimeout(resolve, 300))
    return isStill
  })
}
