import assert from 'node:assert/strict'
import { it } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { revokeSigningKey } from '../../src/sessions/index.ts'
import { signingKeyAt } from '../../src/sessions/signing-keys/signing-key.ts'
import { signingKeyStore } from '../../src/sessions/signing-keys/signing-key-store.ts'
import { eachDatabase } from '../support/databases.ts'
import { isLive } from '../support/faults/actions.ts'
import { holdNextAnswer } from '../support/routes/asked-queries.ts'
import { cheapPasswords, PASSWORD, startService, type TestService } from '../support/service.ts'
import { accessToken, decode, EXTERNAL, enter, INTERNAL, me, parameter, pass, sessionOf, verify } from '../support/users/sign-in-steps.ts'

const EMAIL = 'ana@exemplo.com.br'
const INTERNAL_QUERY = { redirect_to: INTERNAL }

eachDatabase('While keys are revoked', (database) => {
  /** Two nodes over one database, with a clock that goes. */
  async function begin() {
    const { url } = await database.fresh()
    const options = {
      environment: { PORTARIA_URL: 'http://sso.exemplo.test' },
      passwords: cheapPasswords,
      clock: {
        get now() {
          return Date.now()
        },
      },
    }
    const [one, other] = [await startService({ url }, options), await startService({ url }, options)]
    await one.product({ slug: 'painel', trusted: [INTERNAL] })
    const { product, apiKey } = await one.product({ slug: 'loja', audience: 'external', checkout: 'external', uris: [EXTERNAL] })
    await one.user(EMAIL)
    return { one, other, apiKey, externalQuery: { redirect_to: EXTERNAL, api_key: product.publishableKey } }
  }

  /** Revokes the key that signs; answers its `kid`. */
  async function revokeAt({ context }: TestService, begun: (kid: string) => void = () => {}): Promise<string> {
    const key = signingKeyAt(await signingKeyStore(context.storage.db).list(), Date.now()) ?? assert.fail()
    begun(key.kid)
    assert.equal(await revokeSigningKey(key.kid, { ...context, actor: 'operator:test' }), 'revoked')
    return key.kid
  }

  it('W15: a node that has not read the keys anew gives out no token by the revoked one, of whatever kind', async () => {
    const { one, other, apiKey, externalQuery } = await begin()
    let browser = other.browser()
    const kinds: Record<string, () => Promise<boolean>> = {
      'a sign-in': async () => {
        const fresh = other.browser()
        await fresh.signIn('/login', { email: EMAIL, password: PASSWORD })
        return isLive(one, sessionOf(fresh))
      },
      'a session on its way to an app': async () => isLive(one, parameter(await pass(browser, INTERNAL_QUERY), 'eg_session')),
      'a handoff': async () => (await verify(one, parameter(await pass(browser, externalQuery), 'eg_token'), apiKey)).status === 200,
      'an access token': async () => (await me(one, await accessToken(other, sessionOf(browser)))).status === 200,
    }
    for (const [kind, isGood] of Object.entries(kinds)) {
      browser = other.browser()
      await enter(browser, EMAIL, INTERNAL_QUERY)
      const held = holdNextAnswer(other, /^select \* from "signing_keys"/)
      await revokeAt(one)
      await held.asked
      assert.ok(await isGood(), kind)
      held.goOn()
      await pause(50)
    }
  })

  it('W15: no sign-in begun after a revocation gets a dead token', async () => {
    const { one, other } = await begin()
    const nodes = [one, other]
    const [begun, done] = [new Set<string>(), new Set<string>()]
    let goesOn = true
    const revoke = async () => {
      for (let n = 0; n < 25; n++) {
        done.add(await revokeAt(nodes[n % 2] ?? one, (kid) => begun.add(kid)))
        await pause(n % 5)
      }
      goesOn = false
    }
    const seen: string[] = []
    let taken = 0
    const signIn = async (node: TestService) => {
      while (goesOn) {
        const browser = node.browser()
        const doneBefore = new Set(done)
        const answer = await browser.signIn('/login', { email: EMAIL, password: PASSWORD })
        assert.equal(answer.status, 302, answer.text)
        const token = sessionOf(browser)
        const kid = String(decode(token).header.kid)
        for (const asked of nodes) {
          const live = await isLive(asked, token)
          if (live) taken++
          // A key that is being revoked during the sign-in or the check may have lost its tokens: that is what a revocation is.
          else if (doneBefore.has(kid)) seen.push('signed by a key revoked before')
          else if (!begun.has(kid)) seen.push(`a good one that ${asked === node ? 'its own' : 'the other'} node does not take`)
        }
      }
    }
    await Promise.all([revoke(), ...nodes.flatMap((node) => [signIn(node), signIn(node), signIn(node)])])
    assert.deepEqual(seen, [])
    assert.ok(taken > 0)
  })
})
