import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { it } from 'node:test'
import { MINUTE_MS } from '../../../src/kit/index.ts'
import { hiddenFlow } from '../../support/browser.ts'
import { eachDatabase } from '../../support/databases.ts'
import { startForSuite } from '../../support/service.ts'
import { type Admin, adminOf, lastAudit, listAll, scriptOf, versionOf, withResponses } from '../../support/users/admins.ts'
import { startProvider } from '../../support/users/openid-provider.ts'
import { assertRefused } from '../../support/users/sign-in-steps.ts'

const SECRET = 'client-secret-that-nobody-sees'
const OTHER_SECRET = 'other-client-secret-that-nobody-sees'
const google = {
  id: 'google',
  name: 'Google',
  kind: 'openid',
  issuer: 'https://accounts.google.example',
  client_id: 'portaria',
  authoritative_for: ['Gmail.com', 'münchen.de'],
}

eachDatabase('Identity providers in the admin API', (database) => {
  const service = startForSuite(database)
  const said: string[] = []
  const owner = async (name: string) => withResponses(await adminOf(service(), `${name}@example.com`, 'owner'), said)

  it('are connected with a secret that is never shown, listed and disconnected', async () => {
    const admin = await owner('dona')
    const made = await admin.send('POST', '/identity-providers', { ...google, client_secret: SECRET, reason: 'parceria' })
    assert.equal(made.status, 201, made.text)
    const { created_at, ...shown } = made.json()
    assert.ok(created_at)
    const rest = { authoritative_for: ['gmail.com', 'xn--mnchen-3ya.de'], access_token_audience: null }
    assert.deepEqual(shown, { ...google, ...rest, redirect_uri: `${service().url}/auth/callback` })
    const { actor, target, reason, ip, after } = await lastAudit(service(), 'identity_provider.add')
    assert.deepEqual([actor, target, reason, after?.clientId], [`user:${admin.id}`, 'google', 'parceria', 'portaria'])
    assert.match(ip ?? '', /^(127\.0\.0\.1|::1)$/)
    await admin.send('POST', '/identity-providers', { ...google, id: 'acme', name: 'Acme', client_secret: SECRET })
    const listed = async (query: string) => (await listAll(admin, `/identity-providers${query}`, 1)).map(({ id }) => id)
    assert.deepEqual(
      [await listed(''), await listed('?sort=-name')],
      [
        ['acme', 'google'],
        ['google', 'acme'],
      ],
    )
    assert.deepEqual(await listed('?sort=-created_at').then((ids) => ids.length), 2)
    assert.deepEqual((await admin.send('DELETE', '/identity-providers/acme', { reason: 'fim' })).json(), { id: 'acme', deleted: true })
    assertRefused(await admin.get('/identity-providers/acme'), 404, 'nao encontrado')
    assertRefused(await admin.send('DELETE', '/identity-providers/acme'), 404, 'nao encontrado')
    const removed = await lastAudit(service(), 'identity_provider.remove')
    assert.deepEqual([removed.actor, removed.reason, removed.before?.name], [`user:${admin.id}`, 'fim', 'Acme'])
  })

  it('are refused field by field', async () => {
    const admin = await owner('recusa')
    const good = { ...google, id: 'outro', client_secret: SECRET }
    await admin.send('POST', '/identity-providers', { ...good, id: 'tomado' })
    for (const [wrong, field, code] of [
      [{ id: 'tomado' }, 'id', 'id_taken'],
      [{ id: 'Outro' }, 'id', 'id_malformed'],
      [{ name: ' ' }, 'name', 'name_malformed'],
      [{ issuer: 'accounts.google.com' }, 'issuer', 'issuer_malformed'],
      [{ issuer: 'https://a.example/\u0001' }, 'issuer', 'issuer_malformed'],
      [{ client_id: '' }, 'client_id', 'client_id_missing'],
      [{ client_secret: ' ' }, 'client_secret', 'client_secret_missing'],
      [{ authoritative_for: ['gmail'] }, 'authoritative_for', 'domain_malformed'],
      [{ access_token_audience: '' }, 'access_token_audience', 'audience_malformed'],
      [{ admin: true }, 'admin', 'unknown'],
    ] as const) {
      const answer = await admin.send('POST', '/identity-providers', { ...good, ...wrong })
      assert.deepEqual([answer.status, answer.json()], [400, { error: 'Payload invalido', fields: { [field]: code } }])
    }
    assertRefused(await admin.get('/identity-providers/outro'), 404, 'nao encontrado')
  })

  it('are changed by whoever has seen them as they are, be it the secret alone; the second of two editors is warned', async () => {
    const admin = await owner('edita')
    const path = '/identity-providers/editado'
    await admin.send('POST', '/identity-providers', { ...google, id: 'editado', client_secret: SECRET })
    const seen = versionOf(await admin.get(path))
    const first = await admin.send('PATCH', path, { client_secret: OTHER_SECRET, reason: 'venceu' }, { version: seen })
    assert.equal(first.status, 200, first.text)
    assertRefused(await admin.send('PATCH', path, { name: 'Não' }, { version: seen }), 412, 'alterado por outra pessoa')
    assertRefused(await admin.send('PATCH', path, { name: 'Não' }), 428, 'If-Match ausente')
    const secret = await lastAudit(service(), 'identity_provider.change')
    assert.deepEqual([secret.reason, secret.after?.clientSecret, secret.before?.name], ['venceu', 'another', 'Google'])
    const change = { name: 'Novo', authoritative_for: ['*'], access_token_audience: 'https://api.example' }
    const second = await admin.send('PATCH', path, change, { version: versionOf(first) })
    const { name, authoritative_for, access_token_audience, issuer } = second.json<Record<string, unknown>>()
    assert.deepEqual({ name, authoritative_for, access_token_audience }, change)
    assert.equal(issuer, google.issuer)
    const { before, after } = await lastAudit(service(), 'identity_provider.change')
    assert.deepEqual([before?.name, after?.name, after?.authoritativeFor], ['Google', 'Novo', ['*']])
    const third = await admin.send('PATCH', path, { access_token_audience: null }, { version: versionOf(second) })
    assert.equal(third.json<{ access_token_audience: unknown }>().access_token_audience, null)
    // Kept as emptied: a field that is missing afterwards stayed as it was.
    assert.equal((await lastAudit(service(), 'identity_provider.change')).after?.accessTokenAudience, null)
    const wrong = await admin.send('PATCH', path, { issuer: 'https://other.example' }, { version: versionOf(third) })
    assert.deepEqual(wrong.json(), { error: 'Payload invalido', fields: { issuer: 'unknown' } })
    const bad = await admin.send('PATCH', path, { authoritative_for: ['x'] }, { version: versionOf(third) })
    assert.deepEqual(bad.json(), { error: 'Payload invalido', fields: { authoritative_for: 'domain_malformed' } })
    assert.equal(versionOf(await admin.get(path)), versionOf(third))
  })

  it('are used with the new secret from the next sign-in on', async () => {
    const admin = await owner('troca')
    const provider = await startProvider(`${service().url}/auth/callback`)
    const body = { ...google, id: 'trocado', issuer: provider.issuer, client_id: provider.clientId, client_secret: 'not-the-right-secret' }
    await admin.send('POST', '/identity-providers', { ...body, authoritative_for: ['*'] })
    provider.next = { subject: 'troca-1', email: 'pessoa@troca.example', email_verified: true, name: 'Pessoa' }
    const signIn = async () => {
      const browser = service().browser()
      const flow = hiddenFlow((await browser.get((await browser.get('/login')).location?.href ?? '/login')).text)
      const begun = await browser.get(`/auth/provider/trocado?flow=${encodeURIComponent(flow)}`)
      const { pathname, search } = await provider.walk(begun.location?.href ?? assert.fail(begun.text.slice(0, 300)))
      return (await browser.get(pathname + search)).location?.pathname
    }
    assert.notEqual(await signIn(), '/complete-profile')
    const version = versionOf(await admin.get('/identity-providers/trocado'))
    const changed = await admin.send('PATCH', '/identity-providers/trocado', { client_secret: provider.clientSecret }, { version })
    assert.equal(changed.status, 200, changed.text)
    assert.equal(await signIn(), '/complete-profile')
    await admin.send('DELETE', '/identity-providers/trocado')
  })

  it('are tested, with findings that explain', async () => {
    const admin = await owner('testa')
    const provider = await startProvider(`${service().url}/auth/callback`)
    const at = { issuer: provider.issuer, client_id: provider.clientId }
    await admin.send('POST', '/identity-providers', { ...google, ...at, id: 'testado', client_secret: provider.clientSecret })
    await admin.send('POST', '/identity-providers', { ...google, ...at, id: 'trocada', client_secret: SECRET })
    const tested = async () =>
      (await admin.send('POST', '/identity-providers/testado/test')).json<{
        ok: boolean
        findings: Array<{ check: string; result: string; says: string; code: string | null; values: object }>
      }>()
    const well = await tested()
    assert.deepEqual(
      [well.ok, well.findings.map(({ check, result }) => `${check} ${result}`)],
      [true, ['discovery ok', 'code_flow ok', 'pkce ok', 'keys ok', 'issuer_parameter ok', 'client ok']],
    )
    assert.deepEqual(
      well.findings.map(({ code, values }) => [code, values]),
      well.findings.map(() => [null, {}]),
    )
    // It names itself in its answers: what stands in for one must do so, or the provider is never asked.
    const wrong = (await admin.send('POST', '/identity-providers/trocada/test')).json<Awaited<ReturnType<typeof tested>>>()
    assert.deepEqual([wrong.ok, wrong.findings.at(-1)?.check, wrong.findings.at(-1)?.result], [false, 'client', 'fail'])
    assert.match(wrong.findings.at(-1)?.says ?? '', /invalid_client/)
    assert.deepEqual([wrong.findings.at(-1)?.code, wrong.findings.at(-1)?.values], ['client_refused', { error: 'invalid_client' }])
    provider.mood = 'rubbish'
    const ill = await tested()
    assert.deepEqual([ill.ok, ill.findings.length, ill.findings[0]?.result], [false, 1, 'fail'])
    assert.ok((ill.findings[0]?.says ?? '').length > 20)
    const address = `${provider.issuer}/.well-known/openid-configuration`
    assert.deepEqual([ill.findings[0]?.code, ill.findings[0]?.values], ['other_content', { address, type: 'text/html' }])
    assertRefused(await admin.send('POST', '/identity-providers/nenhum/test'), 404, 'nao encontrado')
    for (let asked = 3; asked < 10; asked++) await tested()
    assertRefused(await admin.send('POST', '/identity-providers/testado/test'), 429, 'muitas tentativas')
  })

  it('are tested before they are connected: nothing is saved, and the secret goes to its provider alone', async () => {
    const admin = await owner('rascunho')
    const provider = await startProvider(`${service().url}/auth/callback`)
    const draft = { ...google, id: 'rascunho', issuer: provider.issuer, client_id: provider.clientId, client_secret: provider.clientSecret }
    const tested = async (body: object, path = '/identity-providers/test') =>
      (await admin.send('POST', path, body)).json<{
        ok: boolean
        findings: Array<{ check: string; result: string; code: string | null }>
      }>()
    const well = await tested(draft)
    assert.deepEqual(
      [well.ok, well.findings.map(({ check, result }) => `${check} ${result}`)],
      [true, ['discovery ok', 'code_flow ok', 'pkce ok', 'keys ok', 'issuer_parameter ok', 'client ok']],
    )
    const wrong = await tested({ ...draft, client_secret: SECRET })
    assert.deepEqual([wrong.ok, wrong.findings.at(-1)?.check, wrong.findings.at(-1)?.result], [false, 'client', 'fail'])
    const away = await tested({ ...draft, client_secret: SECRET, issuer: 'http://localhost:2' })
    assert.deepEqual([away.ok, away.findings.map(({ check, result }) => `${check} ${result}`)], [false, ['discovery fail']])
    assertRefused(await admin.get('/identity-providers/rascunho'), 404, 'nao encontrado')
    // A provider that failed can still be saved. Then another secret is tried before it replaces the stored one.
    await admin.send('POST', '/identity-providers', { ...draft, client_secret: SECRET })
    const path = '/identity-providers/rascunho/test'
    assert.deepEqual(
      [(await tested({ client_secret: OTHER_SECRET }, path)).ok, (await tested({ client_secret: provider.clientSecret }, path)).ok],
      [false, true],
    )
    assert.equal((await tested({}, path)).ok, false)
    const refused = await admin.send('POST', '/identity-providers/test', draft)
    assert.deepEqual(refused.json(), { error: 'Payload invalido', fields: { id: 'id_taken' } })
    const apple = await admin.send('POST', '/identity-providers/test', { ...draft, id: 'maca', kind: 'apple' })
    assert.deepEqual(apple.json(), { error: 'Payload invalido', fields: { client_secret: 'apple_key_malformed' } })
    // 10 a minute, of drafts and of what is saved together.
    for (let asked = 6; asked < 10; asked++) assert.equal((await tested({ ...draft, id: 'outro' })).ok, true)
    assertRefused(await admin.send('POST', '/identity-providers/test', { ...draft, id: 'outro' }), 429, 'muitas tentativas')
    assertRefused(await admin.send('POST', path), 429, 'muitas tentativas')
  })

  it('are tested without an echo: a provider that answers with all that it was sent learns nothing more, and shows nothing', async () => {
    const admin = await owner('eco')
    const sent: string[] = []
    const echo = createServer((request, response) => {
      const issuer = `http://${request.headers.host}`
      let body = ''
      request.on('data', (chunk) => {
        body += chunk
      })
      request.on('end', () => {
        sent.push(body)
        const described = { issuer, authorization_endpoint: `${issuer}/a`, token_endpoint: `${issuer}/t`, jwks_uri: `${issuer}/${body}` }
        const failed = { error: body || 'x', error_description: body, issuer: body }
        response.writeHead(request.url === '/t' ? 400 : 200, { 'content-type': 'application/json' })
        response.end(JSON.stringify(request.url === '/t' ? failed : { ...described, code_challenge_methods_supported: [SECRET.length] }))
      })
    })
    await new Promise<void>((resolve) => echo.listen(0, 'localhost', resolve))
    try {
      const issuer = `http://localhost:${(echo.address() as AddressInfo).port}`
      const body = { ...google, id: 'eco', issuer, client_id: 'portaria', client_secret: SECRET }
      const answer = await admin.send('POST', '/identity-providers/test', body)
      assert.equal(answer.status, 200)
      assert.ok(sent.some((one) => one.includes(SECRET)))
      assert.ok(!answer.text.includes(SECRET))
    } finally {
      echo.close()
      echo.closeAllConnections()
    }
  })

  it('are read by every role, and changed by owners who have just authenticated', async () => {
    const admin = await owner('tarde')
    await admin.send('POST', '/identity-providers', { ...google, id: 'guardado', client_secret: SECRET })
    const path = '/identity-providers/guardado'
    const version = versionOf(await admin.get(path))
    const actions = (who: Admin) => [
      who.send('POST', '/identity-providers', { ...google, id: 'novo', client_secret: SECRET }),
      who.send('PATCH', path, { name: 'Outro' }, { version }),
      who.send('DELETE', path),
      who.send('POST', '/identity-providers/test', { ...google, id: 'novo', client_secret: SECRET }),
    ]
    const reader = await scriptOf(service(), 'owner', ['identity-providers:read'])
    const users = [await adminOf(service(), 'apoio@example.com', 'support'), await adminOf(service(), 'vista@example.com', 'viewer')]
    for (const who of [...users, reader]) {
      assert.equal((await withResponses(who, said).get(path)).status, 200)
      for (const answer of await Promise.all(actions(who))) assertRefused(answer, 403, 'nao permitido')
      assertRefused(await who.send('POST', `${path}/test`), 403, 'nao permitido')
    }
    service().clock.now += 10 * MINUTE_MS
    for (const answer of await Promise.all(actions(admin))) assertRefused(answer, 403, 'prova recente necessaria')
    assert.equal(versionOf(await admin.get(path)), version)
    const writer = withResponses(await scriptOf(service(), 'owner', ['identity-providers:write']), said)
    assert.equal((await writer.send('PATCH', path, { name: 'Pelo script' }, { version })).status, 200)
    assert.equal((await lastAudit(service(), 'identity_provider.change')).actor, `token:${writer.id}`)
  })

  it('say their client secrets in no answer, nor in the audit log', async () => {
    assert.ok(said.length > 30)
    for (const text of said) assert.ok(!text.includes(SECRET) && !text.includes(OTHER_SECRET), `a secret in ${text}`)
    const rows = await service().context.storage.db.selectFrom('audit').selectAll().execute()
    for (const row of rows) assert.ok(!JSON.stringify(row).includes('client-secret'), 'a secret in the audit log')
  })
})
