import assert from 'node:assert/strict'
import { it } from 'node:test'
import { formatTaxId, maskTaxId } from '../../src/kit/index.ts'
import { hiddenFlow } from '../support/browser.ts'
import { eachDatabase } from '../support/databases.ts'
import { cpf, dumpDatabase, openSigner, request } from '../support/routes/raw-requests.ts'
import { PASSWORD, startService } from '../support/service.ts'
import {
  accessToken,
  EXTERNAL,
  exchangeOf,
  INTERNAL,
  loginAddress,
  me,
  parameter,
  pass,
  post,
  sessionOf,
  verify,
} from '../support/users/sign-in-steps.ts'

const STATE = 'state-that-nobody-may-log'
const LOCAL = 'quem.e.esta.pessoa'
const EMAIL = `${LOCAL}@exemplo.com.br`
const WRONG = 'a wrong password that is near'
const PHONE = '11987654321'

eachDatabase('Secrets', (database) => {
  it('37: stand in no log line after a whole round trip with every kind of failure, and in the database only sealed or hashed', async () => {
    const service = await startService(await database.fresh(), { environment: { PORTARIA_LOG_LEVEL: 'debug' } })
    await service.product({ slug: 'painel', uris: [INTERNAL] })
    const loja = await service.product({ slug: 'loja', audience: 'external', checkout: 'external', uris: [EXTERNAL] })
    await service.user(EMAIL, { profile: 'missing', beta: true })
    const taxId = cpf(77)
    const secrets = new Map<string, string>([
      ['password', PASSWORD],
      ['wrong password', WRONG],
      ['state', STATE],
      ['local part', LOCAL],
      ['tax id', taxId],
      ['printed tax id', formatTaxId({ kind: 'cpf', digits: taxId })],
      ['masked tax id', maskTaxId({ kind: 'cpf', digits: taxId })],
      ['API key', loja.apiKey],
      ['webhook key', loja.webhookKey],
    ])
    const browser = service.browser()
    const note = () => {
      for (const [name, value] of browser.cookies) if (name !== 'portaria_lang') secrets.set(`cookie ${name} ${secrets.size}`, value)
    }

    await browser.signIn(loginAddress({ redirect_to: INTERNAL, state: STATE }), { email: EMAIL, password: WRONG })
    const form = await browser.signIn(loginAddress({ redirect_to: INTERNAL, state: STATE }), { email: EMAIL, password: PASSWORD })
    note()
    const profile = await browser.get(form.location?.href ?? assert.fail())
    secrets.set('flow', hiddenFlow(profile.text))
    const nda = await browser.submit('/complete-profile', { flow: hiddenFlow(profile.text), full_name: 'Zé', tax_id: taxId, phone: PHONE })
    const accepted = await browser.submit('/complete-profile', {
      flow: hiddenFlow((await browser.get(nda.location?.href ?? '')).text),
      nda_accept: '1',
    })
    note()
    const internal = await browser.follow(accepted)
    secrets.set('eg_session in the address', parameter(internal.location, 'eg_session'))
    const handoff = parameter(
      await pass(browser, { redirect_to: EXTERNAL, api_key: loja.product.publishableKey, state: STATE }),
      'eg_token',
    )
    secrets.set('eg_token', handoff)
    const redeemed = (await verify(service, handoff, loja.apiKey)).json<{ eg_session: string }>()
    secrets.set('product session', redeemed.eg_session)
    secrets.set('access token', await accessToken(service, sessionOf(browser)))
    assert.equal((await me(service, secrets.get('access token'))).status, 200)

    await verify(service, handoff, loja.apiKey)
    await verify(service, handoff, `${loja.apiKey}x`)
    await me(service, handoff)
    await post(service, '/auth/token', exchangeOf(handoff), loja.apiKey)
    await post(service, '/auth/verify', `{"token":"${handoff}"`, loja.apiKey)
    await post(service, '/auth/signout', { eg_session: redeemed.eg_session }, loja.apiKey)
    await browser.get(loginAddress({ redirect_to: INTERNAL, api_key: loja.apiKey, state: STATE }))
    for (const path of [
      `/${loja.apiKey}`,
      `/:${handoff}(`,
      `/${taxId}/*x`,
      `/%zz${EMAIL}`,
      `/api/webhooks/stripe/${loja.webhookKey}`,
      `/auth/login?redirect_to=%00${EMAIL}`,
    ]) {
      await request(service, 'GET', path)
    }
    await request(service, 'POST', '/auth/verify', {
      headers: { authorization: `Bearer ${loja.apiKey}`, 'content-type': handoff },
      body: handoff,
    })
    await browser.get('/auth/signout?redirect_to=http%3A%2F%2Flocalhost%3A4001%2F')

    const log = service.log()
    assert.ok(log.split('\n').length > 20, 'there is a log to search in')
    for (const [name, secret] of secrets) {
      assert.ok(secret.length > 5, name)
      for (const form of [secret, encodeURIComponent(secret)]) assert.ok(!log.includes(form), `the log holds: ${name}`)
    }

    const tables = await dumpDatabase(service)
    assert.ok(tables.includes(EMAIL), 'the dump is one of the database')
    const { publicJwk } = await openSigner(service)
    const privateKey = await service.context.storage.db.selectFrom('signing_keys').selectAll().executeTakeFirstOrThrow()
    const opened = JSON.parse(service.context.sealer.open(privateKey.private_sealed, `signing_keys.private_sealed.${privateKey.kid}`) ?? '')
    assert.ok(tables.includes(publicJwk.x ?? assert.fail()))
    assert.ok(opened.d.length > 40 && !tables.includes(opened.d), 'the private key is sealed')
    for (const [name, secret] of secrets) if (name !== 'local part') assert.ok(!tables.includes(secret), `the database holds: ${name}`)
    assert.ok(!/"phone":"11987654321"/.test(tables))
  })
})
