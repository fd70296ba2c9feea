import assert from 'node:assert/strict'
import { it } from 'node:test'
import { newId } from '../../src/kit/index.ts'
import { rotateSigningKey } from '../../src/sessions/index.ts'
import type { Browser } from '../support/browser.ts'
import { eachDatabase } from '../support/databases.ts'
import { check, isLive } from '../support/faults/actions.ts'
import { countQueries, holdNextAnswer } from '../support/routes/asked-queries.ts'
import { assemble, openSigner } from '../support/routes/raw-requests.ts'
import { cheapPasswords, startService, type TestService } from '../support/service.ts'
import {
  accessToken,
  decode,
  EXTERNAL,
  enter,
  INTERNAL,
  INVALID,
  me,
  parameter,
  pass,
  sessionOf,
  verify,
} from '../support/users/sign-in-steps.ts'

const EMAIL = 'ana@exemplo.com.br'
const ISSUER = 'http://sso.exemplo.test'
const READ_AGAIN_MS = 100

eachDatabase('A node that hears late of a fresh key', (database) => {
  /** Two nodes over one database, with a clock that goes, and a browser that both know. */
  async function begin() {
    const { url } = await database.fresh()
    const options = {
      environment: { PORTARIA_URL: ISSUER },
      passwords: cheapPasswords,
      clock: {
        get now() {
          return Date.now()
        },
      },
    }
    const [one, late] = [await startService({ url }, options), await startService({ url }, options)]
    await one.product({ slug: 'painel', trusted: [INTERNAL] })
    const { product, apiKey } = await one.product({ slug: 'loja', audience: 'external', checkout: 'external', uris: [EXTERNAL] })
    await one.user(EMAIL)
    const known = await signIn(one)
    assert.equal(await isLive(late, sessionOf(known)), true)
    return { one, late, known: sessionOf(known), apiKey, loja: { redirect_to: EXTERNAL, api_key: product.publishableKey } }
  }

  async function signIn(node: TestService): Promise<Browser> {
    const browser = node.browser()
    await enter(browser, EMAIL, { redirect_to: INTERNAL })
    return browser
  }

  /** A key that signs at once, and of which the other node does not know yet; and a browser signed in by it. */
  async function rotate(one: TestService, late: TestService) {
    const held = holdNextAnswer(late, /^select \* from "signing_keys"/)
    const { kid } = await rotateSigningKey({ at: 'once' }, { ...one.context, actor: 'operator:test' })
    await held.asked
    const browser = await signIn(one)
    assert.equal(decode(sessionOf(browser)).header.kid, kid)
    return { browser, hear: held.goOn }
  }

  /** A token such as a stranger writes: right in everything but who signed it. */
  function forge(): string {
    const at = Math.floor(Date.now() / 1000)
    const claims = { iss: ISSUER, aud: ISSUER, sub: newId(), sid: newId(), jti: newId(), iat: at, exp: at + 600 }
    return assemble({ alg: 'ES256', typ: 'eg-session+jwt', kid: newId() }, claims, new Uint8Array(64))
  }

  it('takes at once what it signed, of whatever kind', async () => {
    const { one, late, apiKey, loja } = await begin()
    const kinds: Record<string, (browser: Browser) => Promise<boolean>> = {
      'a session': async (browser) => isLive(late, sessionOf(browser)),
      'a handoff': async (browser) => (await verify(late, parameter(await pass(browser, loja), 'eg_token'), apiKey)).status === 200,
      'an access token': async (browser) => (await me(late, await accessToken(one, sessionOf(browser)))).status === 200,
    }
    for (const [kind, isTaken] of Object.entries(kinds)) {
      const { browser, hear } = await rotate(one, late)
      assert.ok(await isTaken(browser), kind)
      hear()
    }
  })

  it('takes it among strangers who name keys that there are not, and what they ask costs ten reads a second and no memory', async () => {
    const { one, late, known } = await begin()
    const { browser, hear } = await rotate(one, late)
    const isRead = countQueries(late, /"signing_keys"/)
    const since = performance.now()
    const flood = Array.from({ length: 300 }, () => check(late, forge()))
    const fresh = isLive(late, sessionOf(browser))
    for (const answer of await Promise.all(flood)) assert.deepEqual(answer, INVALID)
    assert.equal(await fresh, true)
    const asks = countQueries(late)
    for (let n = 0; n < 5; n++) {
      assert.deepEqual(await check(late, forge()), INVALID)
      assert.equal(await isLive(late, known), true)
    }
    const most = Math.ceil((performance.now() - since) / READ_AGAIN_MS) + 1
    assert.ok(isRead() >= 2 && isRead() <= most, `${isRead()} reads of ${most}`)
    assert.ok(asks() <= isRead() + 1, 'who was known is read once after the new key, and not again for any stranger')
    hear()
  })

  it('asks nothing for what another service sends it, or has expired', async () => {
    const service = await startService(await database.fresh(), { environment: { PORTARIA_URL: ISSUER } })
    const { kid, sign } = await openSigner(service)
    const now = Math.floor(service.clock.now / 1000)
    const claims = { iss: ISSUER, aud: ISSUER, sub: newId(), sid: newId(), jti: newId(), iat: now, exp: now + 600 }
    // The service has work of its own at any time, such as jobs to look for.
    const asks = countQueries(service, /"(?:signing_keys|sessions|users)"/)
    for (const wrong of [{ iss: 'https://sso.other.test' }, { aud: 'other' }, { exp: now - 1 }]) {
      const token = await sign({ ...claims, ...wrong }, { typ: 'eg-session+jwt', kid: `not-${kid}` })
      assert.deepEqual(await check(service, token), INVALID)
    }
    assert.equal(asks(), 0)
  })
})
