import assert from 'node:assert/strict'
import { AsyncLocalStorage } from 'node:async_hooks'
import { it } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { commandLine, MASTER_KEY } from '../../test/support/command-line.ts'
import { eachDatabase } from '../../test/support/databases.ts'
import { linkIn, startMailbox } from '../../test/support/mailbox.ts'
import { PASSWORD, startService, type TestService } from '../../test/support/service.ts'
import { codeOf, giveSecondFactor, typeCode } from '../../test/support/users/authenticator.ts'
import { addProvider, providerStore } from '../identity-providers/index.ts'
import { deriveKeys, hmacSha256 } from '../kit/index.ts'
import { gatewayCredentialsStore, setGatewayCredentials } from '../products/index.ts'
import { beginTotp, findTicket, mintTicket, takeTicketByCode } from '../users/index.ts'

const NEW_KEY = Buffer.alloc(32, 8).toString('base64')
const CPF = '52998224725'
const CREDENTIALS = { webhookSecret: 'a webhook secret', accessToken: 'an access token', apiUrl: undefined, isTest: false }

eachDatabase('The keys commands', (database) => {
  it('list, rotate and revoke the signing keys', async () => {
    const url = await database.fresh()
    const portaria = commandLine(url)
    assert.match((await portaria('keys list')).out, /No signing keys yet/)
    const first = (await portaria('keys rotate --now --json')).json
    assert.equal(first.state, 'signing')
    const next = await portaria('keys rotate --json')
    assert.equal(next.json.state, 'next')
    assert.ok(Math.abs(Date.parse(next.json.signs_from) - Date.parse(next.json.created_at) - 86_400_000) < 1_000)
    const states = async () =>
      (await portaria('keys list --json')).json.map(({ kid, state }: { kid: string; state: string }) => [kid, state])
    assert.deepEqual(await states(), [
      [first.kid, 'signing'],
      [next.json.kid, 'next'],
    ])
    const again = await portaria('keys rotate')
    assert.equal(again.code, 1)
    assert.match(again.err, new RegExp(`nothing was made, since ${next.json.kid} is published already and signs from `))
    assert.equal((await states()).length, 2)
    const second = (await portaria('keys rotate --now --json')).json
    assert.deepEqual(new Map(await states()).get(first.kid), 'verifying')
    assert.equal((await portaria(`keys revoke ${second.kid}`)).code, 0)
    assert.deepEqual(new Map(await states()).get(second.kid), 'revoked')
    // A fresh key signs, not the one before.
    assert.deepEqual(new Map(await states()).get(first.kid), 'verifying')
    assert.equal((await states()).filter(([, state]: [string, string]) => state === 'signing').length, 1)
    assert.match((await portaria(`keys revoke ${second.kid}`)).err, /no such key/)
    assert.equal((await portaria(`keys list --json --limit 1 --cursor ${first.kid}`)).json.length, 1)
  })

  it('seal everything with a new master key, after which the old one opens nothing', async () => {
    const url = await database.fresh()
    const before = await startService(url)
    const { made, id } = await furnish(before)
    const published = (await before.browser().get('/.well-known/jwks.json')).text
    await before.stop()
    const rotating = commandLine(url, { PORTARIA_MASTER_KEY: NEW_KEY, PORTARIA_MASTER_KEY_PREVIOUS: MASTER_KEY })
    const done = await rotating('keys rotate-master --json')
    assert.equal(done.code, 0, done.err)
    const nothingElse = { endpoints: 0, identity_providers: 0, tickets: 0, second_factors: 0, outbox: 0, idp_attempts: 0 }
    assert.deepEqual(done.json, { signing_keys: 1, webhook_keys: 1, gateway_credentials: 2, tax_ids: 1, ...nothingElse })
    assert.match((await rotating('keys rotate-master')).out, /Remove PORTARIA_MASTER_KEY_PREVIOUS and restart/)

    const old = await commandLine(url)('user list')
    assert.equal(old.code, 1)
    assert.match(old.err, /made with another master key/)
    const portaria = commandLine(url, { PORTARIA_MASTER_KEY: NEW_KEY })
    assert.equal((await portaria(`user show ${id} --json`)).json.tax_id, '***.982.247-**')
    assert.equal((await portaria('product show shop --json')).json.webhook_key, made.webhookKey)
    const after = await startService(url, { environment: { PORTARIA_MASTER_KEY: NEW_KEY } })
    assert.equal((await after.browser().get('/.well-known/jwks.json')).text, published)
    const stored = gatewayCredentialsStore(after.context.storage.db)
    assert.deepEqual(await stored.find(made.product.id, 'asaas', after.context.sealer), CREDENTIALS)
    assert.equal((await stored.find(made.product.id, 'stripe', after.context.sealer))?.accessToken, 'another token')
    const row = await after.context.storage.db
      .selectFrom('users_company')
      .select('tax_id_hash')
      .where('user_id', '=', id)
      .executeTakeFirstOrThrow()
    assert.equal(row.tax_id_hash, hmacSha256(after.context.masterKeys.taxIdIndex, CPF).toString('hex'))
    assert.equal((await after.browser().signIn('/login', { email: 'ana@example.com', password: PASSWORD })).status, 302)
    const [entry] = (await portaria('audit list --action master_key.rotate --limit 1 --json')).json
    const counted = { signingKeys: 1, webhookKeys: 1, gatewayCredentials: 2, taxIds: 1 }
    assert.partialDeepStrictEqual(entry.after, { ...counted, identityProviders: 0, idpAttempts: 0 })
  })

  it('let mails that wait, mailed links and identity providers live on under a new master key, and mailed codes die', async () => {
    const url = await database.fresh()
    const before = await startService(url)
    const { sealer, masterKeys, storage } = before.context
    const provider = { id: 'um', name: 'Um', issuer: 'https://um.example', clientId: 'portaria', clientSecret: 'the client secret' }
    await addProvider({ ...provider, authoritativeFor: [], accessTokenAudience: undefined }, { ...before.context, actor: 'operator:test' })
    const expiresAt = Date.now() + 600_000
    const attempt = { stateHash: 'a-hash', providerId: 'um', sealed: sealer.seal('{}', 'idp_attempts.sealed.a-hash'), expiresAt }
    await providerStore(storage.db).insertAttempt(attempt)
    const pending = { purpose: 'sign_up', userId: undefined, email: 'bia@example.com', payload: { name: 'Bia' } } as const
    const ticket = await mintTicket(storage.db, pending, { sealer, codeKey: masterKeys.ticketCode, at: Date.now() })
    const bia = await before.user('bia@example.com', { profile: 'missing' })
    const app = await giveSecondFactor(before, bia)
    const caio = await before.user('caio@example.com', { profile: 'missing' })
    const settingUp = { userId: caio.id, sessionId: 'a session' }
    await storage.transaction((tx) => beginTotp(tx, settingUp, { sealer, now: before.context.now }))
    const dead = { id: 'dead', kind: 'mail', payload_sealed: 'lost', attempts: 9, run_at: 0, created_at: 0, dead_at: 1 }
    await storage.db
      .insertInto('outbox')
      .values({ ...dead, leased_until: null, last_error: null })
      .execute()
    await before.stop()
    await commandLine(url)('user create --email ana@example.com --name Ana')

    const rotating = commandLine(url, { PORTARIA_MASTER_KEY: NEW_KEY, PORTARIA_MASTER_KEY_PREVIOUS: MASTER_KEY })
    const done = (await rotating('keys rotate-master --json')).json
    assert.deepEqual([done.identity_providers, done.tickets, done.second_factors, done.outbox, done.idp_attempts], [1, 2, 1, 1, 1])
    assert.match((await rotating('keys rotate-master')).out, /Links that were mailed stay valid; six-digit codes that were mailed do not/)

    const mailbox = await startMailbox()
    const after = await startService(url, { environment: { PORTARIA_MASTER_KEY: NEW_KEY, PORTARIA_SMTP_URL: mailbox.url } })
    const now = { sealer: after.context.sealer, codeKey: after.context.masterKeys.ticketCode, at: Date.now() }
    const { db } = after.context.storage
    assert.equal(await providerStore(db).findSecret('um', now.sealer), 'the client secret')
    // A key of an app that was not confirmed opens for nobody any more.
    assert.deepEqual(await db.selectFrom('totp_factors').select('user_id').execute(), [{ user_id: bia.id }])
    const taken = await providerStore(db).takeAttempt('a-hash', now.at)
    assert.equal(now.sealer.open(taken?.sealed ?? '', 'idp_attempts.sealed.a-hash'), '{}')
    assert.deepEqual((await findTicket(db, ticket.secret, 'sign_up', now))?.payload, { name: 'Bia' })
    assert.equal(await takeTicketByCode(db, { ...ticket, purpose: 'sign_up' }, now), 'wrong_code')
    const browser = after.browser()
    after.clock.now += 300_000
    const first = await browser.signIn('/login', { email: bia.email, password: PASSWORD })
    assert.equal((await typeCode(browser, first, codeOf(app.secret, after.clock.now))).location?.pathname, '/complete-profile')
    const invitation = linkIn(await mailbox.find('ana@example.com'), '/invitation')
    assert.equal((await after.browser().get(invitation)).status, 200)
  })

  it('lose no credentials of a gateway that are given while the master key is being rotated', async () => {
    const service = await startService(await database.fresh())
    const { made } = await furnish(service)
    const { storage, sealer } = service.context
    const given = { gateway: 'asaas', credentials: { ...CREDENTIALS, accessToken: 'a new token' } } as const
    const meanwhile = AsyncLocalStorage.snapshot() // outside of the transaction
    let giving: Promise<void> | undefined
    const rotating = storage.transaction(async (tx) => {
      const held = await gatewayCredentialsStore(tx).holdSealed()
      giving = meanwhile(() => setGatewayCredentials(made.product, given, { ...service.context, actor: 'operator:test' }))
      await wait(200)
      for (const { id, sealed } of held) await gatewayCredentialsStore(tx).reseal(id, sealed)
    })
    await rotating
    await giving
    assert.equal((await gatewayCredentialsStore(storage.db).find(made.product.id, 'asaas', sealer))?.accessToken, 'a new token')
  })

  it('change nothing when a sealed value opens with neither master key', async () => {
    const url = await database.fresh()
    const service = await startService(url)
    await furnish(service)
    await service.user('bia@example.com') // her tax id was never sealed with any key
    const sealed = async () => service.context.storage.db.selectFrom('signing_keys').select(['kid', 'private_sealed']).execute()
    const before = await sealed()
    const said = await commandLine(url, { PORTARIA_MASTER_KEY: NEW_KEY, PORTARIA_MASTER_KEY_PREVIOUS: MASTER_KEY })('keys rotate-master')
    assert.equal(said.code, 1)
    assert.match(said.err, /^portaria: users_company\.tax_id_sealed\.[0-9a-f-]{36} opens with neither key, so nothing was changed[^\n]+\n$/)
    assert.deepEqual(await sealed(), before)
    assert.equal((await commandLine(url)('keys list')).code, 0)
  })

  it('change nothing when a tax id was registered a second time under the new master key', async () => {
    const url = await database.fresh()
    const service = await startService(url)
    const { id } = await furnish(service)
    const bia = await service.user('bia@example.com')
    const { storage, sealer } = service.context
    const hash = hmacSha256(deriveKeys(Buffer.from(NEW_KEY, 'base64')).taxIdIndex, CPF).toString('hex')
    const sealed = sealer.seal(CPF, `users_company.tax_id_sealed.${bia.id}`)
    await storage.db.updateTable('users_company').set({ tax_id_sealed: sealed, tax_id_hash: hash }).where('user_id', '=', bia.id).execute()
    const said = await commandLine(url, { PORTARIA_MASTER_KEY: NEW_KEY, PORTARIA_MASTER_KEY_PREVIOUS: MASTER_KEY })('keys rotate-master')
    assert.equal(said.code, 1)
    assert.match(
      said.err,
      new RegExp(`^portaria: users_company\\.tax_id_sealed\\.${id} holds a tax id that another account has registered`),
    )
    assert.equal((await commandLine(url)('keys list')).code, 0)
  })

  it('say what to set when the master keys are not both there', async () => {
    const said = await commandLine(await database.fresh())('keys rotate-master')
    assert.equal(said.code, 1)
    assert.match(said.err, /set PORTARIA_MASTER_KEY to a new key .+ and PORTARIA_MASTER_KEY_PREVIOUS/)
  })
})

eachDatabase('The audit command', (database) => {
  it('lists what was done, newest first, in pages and by action or target', async () => {
    const portaria = commandLine(await database.fresh())
    const { id } = (await portaria('user create --email ana@example.com --name Ana --json')).json
    for (const rank of ['a', 'b', 'c']) await portaria(`user set ana@example.com --rank-name ${rank}`)
    const all = (await portaria('audit list --json')).json
    assert.deepEqual(
      all.map(({ action }: { action: string }) => action),
      ['user.change', 'user.change', 'user.change', 'user.create'],
    )
    assert.deepEqual(Object.keys(all[0]), ['id', 'at', 'actor', 'action', 'target', 'before', 'after', 'reason', 'ip'])
    assert.deepEqual([all[0].actor, all[0].target, all[0].before, all[0].after], ['operator:cli', id, { rankName: 'b' }, { rankName: 'c' }])
    const page = (await portaria('audit list --limit 2 --json')).json
    const rest = (await portaria(`audit list --limit 2 --cursor ${page[1].id} --json`)).json
    assert.deepEqual([...page, ...rest], all)
    assert.equal((await portaria('audit list --action user.create --json')).json.length, 1)
    assert.equal((await portaria(`audit list --target ${id} --json`)).json.length, 4)
    assert.match((await portaria('audit list')).out, /^AT +ACTOR +ACTION +TARGET +DETAIL\n/)
  })
})

/** A user with a sealed tax id, and a product with a webhook key and a gateway's credentials. */
async function furnish(service: TestService) {
  const { id } = await service.user('ana@example.com')
  const { sealer, masterKeys, storage } = service.context
  const hash = hmacSha256(masterKeys.taxIdIndex, CPF).toString('hex')
  const sealed = sealer.seal(CPF, `users_company.tax_id_sealed.${id}`)
  await storage.db.updateTable('users_company').set({ tax_id_sealed: sealed, tax_id_hash: hash }).where('user_id', '=', id).execute()
  const made = await service.product({ slug: 'shop', audience: 'external', checkout: 'external' })
  const deps = { ...service.context, actor: 'operator:test' }
  await setGatewayCredentials(made.product, { gateway: 'asaas', credentials: CREDENTIALS }, deps)
  await setGatewayCredentials(made.product, { gateway: 'stripe', credentials: { ...CREDENTIALS, accessToken: 'another token' } }, deps)
  return { id, made }
}
