import assert from 'node:assert/strict'
import { it } from 'node:test'
import { findUser, setUser } from '../../../src/admin/index.ts'
import { oneDatabase } from '../../support/databases.ts'
import { startForSuite, type TestService } from '../../support/service.ts'
import { decode, isLive, isSignedByPublishedKey, parameter, pass, sessionOf, signedIn } from '../../support/users/sign-in-steps.ts'

async function change(service: TestService, email: string, to: Parameters<typeof setUser>[1]): Promise<void> {
  const user = await findUser(service.context.storage.db, email)
  assert.ok(user)
  assert.ok(!('refusal' in (await setUser(user, to, { ...service.context, actor: 'operator:test' }))))
}

oneDatabase('The eg_session token', (database) => {
  const started = startForSuite(database)

  it('is an ES256 JWT with a kid, its own typ, and these claims for 30 days', async () => {
    const service = started()
    const user = await service.user('claims@exemplo.com.br')
    await change(service, user.email, { avatarUrl: 'https://img.example/a.png', companyName: 'Acme', rankName: 'Ouro', isProducer: true })
    const token = sessionOf(await signedIn(service, user.email))
    assert.equal(await isSignedByPublishedKey(service, token), true)
    const { header, claims } = decode(token)
    assert.deepEqual(Object.keys(header).sort(), ['alg', 'kid', 'typ'])
    assert.deepEqual([header.alg, header.typ], ['ES256', 'eg-session+jwt'])
    const { iat, exp, jti, sid, ...named } = claims
    assert.equal(Number(exp) - Number(iat), 2_592_000)
    assert.match(String(sid), /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-/)
    assert.ok(jti)
    assert.match(user.id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-/, 'sub is a UUIDv7')
    assert.deepEqual(named, {
      iss: service.url,
      aud: service.url,
      sub: user.id,
      email: user.email,
      name: 'Ana Flávia Conceição',
      is_producer: true,
      is_beta: false,
      plan_slug: null,
      avatar_url: 'https://img.example/a.png',
      company_name: 'Acme',
      rank_name: 'Ouro',
    })
  })

  it('never passes 3,000 bytes, whatever the names and addresses are', async () => {
    const service = started()
    const uri = 'http://localhost:8201/callback'
    await service.product({ slug: 'bytes', uris: [uri] })
    const emoji = '👩🏽‍🚀'.repeat(28)
    const longest = [emoji, '"\\'.repeat(100), 'ç'.repeat(200), '\u{10ffff}'.repeat(100)]
    for (const [index, name] of longest.entries()) {
      const email = `${'x'.repeat(60)}${index}@${'sub.'.repeat(44)}exemplo.com.br`
      const user = await service.user(email, { name: name.slice(0, 200) })
      await change(service, user.email, {
        companyName: name.slice(0, 200),
        rankName: name.slice(0, 200),
        avatarUrl: `https://img.example/${'a'.repeat(480)}`,
      })
      const browser = await signedIn(service, user.email)
      for (const token of [sessionOf(browser), parameter(await pass(browser, { redirect_to: uri }), 'eg_session')]) {
        assert.ok(token.length <= 3_000, `${token.length} bytes`)
        assert.equal(decode(token).claims.email, user.email)
        assert.equal(await isLive(service, token), true)
      }
    }
  })

  it('cuts names at 100 characters, never through one, and leaves out an avatar_url over 512', async () => {
    const service = started()
    const user = await service.user('corta@exemplo.com.br', { name: '🙂'.repeat(100).slice(0, 200) })
    await change(service, user.email, {
      companyName: 'ç'.repeat(150),
      rankName: 'r'.repeat(101),
      avatarUrl: `https://img.example/${'a'.repeat(493)}`,
    })
    const { claims } = decode(sessionOf(await signedIn(service, user.email)))
    assert.equal(claims.name, '🙂'.repeat(100))
    assert.deepEqual([claims.company_name, claims.rank_name], ['ç'.repeat(100), 'r'.repeat(100)])
    assert.equal('avatar_url' in claims, false)
    await change(service, user.email, { avatarUrl: `https://img.example/${'a'.repeat(492)}` })
    assert.equal(String(decode(sessionOf(await signedIn(service, user.email))).claims.avatar_url).length, 512)
  })
})
