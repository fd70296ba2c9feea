import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { it, type TestContext } from 'node:test'
import { commandLine, MASTER_KEY, type Portaria, type Said } from '../../test/command-line.ts'
import { eachDatabase } from '../../test/databases.ts'
import { startProvider } from '../../test/openid-provider.ts'
import { providerStore } from '../identity-providers/index.ts'
import { createSealer, deriveKeys } from '../kit/index.ts'
import { openStorage, parseDatabaseUrl } from '../storage/index.ts'

const SECRET = 'a-client-secret-that-nobody-sees'
const ENVIRONMENT = { PORTARIA_MASTER_KEY: MASTER_KEY, PORTARIA_URL: 'http://localhost:3999' }
const CALLBACK = 'http://localhost:3999/auth/callback'

function add(portaria: Portaria, options: Record<string, string>, secret = SECRET, flags: string[] = []): Promise<Said> {
  const all = { id: 'um', name: 'Provedor Um', issuer: 'https://um.example', 'client-id': 'portaria', ...options }
  const argv = Object.entries(all).flatMap(([name, value]) => [`--${name}`, value])
  return portaria(['idp', 'add', ...argv, ...flags, '--client-secret-stdin', '--json'], `${secret}\n`)
}

/** What was found of one thing, as `result says`. */
function found(check: string, { json }: Said): string {
  const finding = json.find((one: { check: string }) => one.check === check)
  return finding ? `${finding.result} ${finding.says}` : 'not looked at'
}

/** Answers every request with what `body` makes of the site's own address; answers that address. */
async function startSite(context: TestContext, body: (address: string) => unknown): Promise<string> {
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body(address)))
  })
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve))
  context.after(() => server.closeAllConnections())
  context.after(() => server.close())
  const address = `http://localhost:${(server.address() as AddressInfo).port}`
  return address
}

eachDatabase('The idp commands', (database) => {
  it('connect a provider, list it and disconnect it, with the fields of the API', async () => {
    const portaria = commandLine(await database.fresh(), ENVIRONMENT)
    assert.match((await portaria('idp list')).out, /No identity providers: connect one with `portaria idp add`/)
    const options = { 'authoritative-for': 'Gmail.com, exemplo.com.br', audience: 'https://api.example' }
    const added = await add(portaria, options, SECRET, ['--accept-access-tokens'])
    assert.equal(added.code, 0, added.err)
    const { created_at, redirect_uri, ...rest } = added.json
    assert.ok(Math.abs(Date.parse(created_at) - Date.now()) < 60_000)
    assert.equal(redirect_uri, CALLBACK)
    assert.deepEqual(rest, {
      id: 'um',
      name: 'Provedor Um',
      issuer: 'https://um.example',
      client_id: 'portaria',
      authoritative_for: ['gmail.com', 'exemplo.com.br'],
      access_token_audience: 'https://api.example',
    })
    const dois = (await add(portaria, { id: 'dois', name: 'Dois' })).json
    assert.deepEqual([dois.authoritative_for, dois.access_token_audience], [[], null])
    const listed = (await portaria('idp list --json')).json
    assert.deepEqual([listed[0].id, listed[1]], ['dois', { ...rest, created_at }])
    assert.equal((await portaria('idp list --json --limit 1 --cursor dois')).json[0].id, 'um')
    assert.match(
      (await portaria('idp list')).out,
      /^um +Provedor Um +https:\/\/um\.example +portaria +gmail\.com exemplo\.com\.br +https:/m,
    )
    assert.deepEqual((await portaria('idp remove um --json')).json, { id: 'um', removed: true })
    assert.match((await portaria('idp remove um')).err, /no such identity provider: find its id with `portaria idp list`/)
    assert.equal((await portaria('idp list --json')).json.length, 1)
  })

  it('say which redirect URI to register, and warn of a provider whose word counts for every address', async () => {
    const portaria = commandLine(await database.fresh(), ENVIRONMENT)
    const line = 'idp add --id um --name Um --issuer https://um.example --client-id portaria --client-secret-stdin'
    const added = await portaria(`${line} --authoritative-for *`, SECRET)
    assert.match(
      added.out,
      /Register this redirect URI at the provider: {2}http:\/\/localhost:3999\/auth\/callback\n.+portaria idp test um$/m,
    )
    assert.match(added.out, /whoever runs it can open any account here/)
    await portaria('idp remove um')
    assert.doesNotMatch((await portaria(line, SECRET)).out, /any account/)
  })

  it('keep the client secret sealed, less the newline at its end, and show it nowhere', async () => {
    const url = await database.fresh()
    const portaria = commandLine(url, ENVIRONMENT)
    const said = [
      await add(portaria, {}),
      await portaria('idp list'),
      await portaria('idp list --json'),
      await portaria('audit list --json'),
    ]
    for (const { out, err } of said) assert.ok(!(out + err).includes(SECRET))
    const actions = said[3]?.json.map(({ action, actor, target }: Record<string, string>) => [action, actor, target])
    assert.deepEqual(actions, [['identity_provider.add', 'operator:cli', 'um']])
    const address = parseDatabaseUrl(url.url)
    assert.ok(address)
    const storage = await openStorage(address)
    const sealer = createSealer([deriveKeys(Buffer.from(MASTER_KEY, 'base64')).sealing])
    assert.equal(await providerStore(storage.db).findSecret('um', sealer), SECRET)
    await storage.close()
  })

  it('refuse what is no provider, in one sentence that says what to do', async () => {
    const portaria = commandLine(await database.fresh(), ENVIRONMENT)
    await add(portaria, {})
    const refused: Array<[options: Record<string, string>, secret: string, sentence: RegExp]> = [
      [{}, SECRET, /a provider with this id exists: .+ `portaria idp remove ID`/],
      [{ id: 'A B' }, SECRET, /this id can't be used: lower-case/],
      [{ id: 'dois', name: ' ' }, SECRET, /the name must be one line of text, 60 characters/],
      [{ id: 'dois', issuer: 'accounts.google.com' }, SECRET, /the issuer must be an https:\/\/ address/],
      [{ id: 'dois', issuer: 'https://um.example?tenant=1' }, SECRET, /the issuer must be an https:\/\/ address/],
      [{ id: 'dois', 'client-id': ' ' }, SECRET, /the client id is empty/],
      [{ id: 'dois' }, '', /the client secret is empty/],
      [{ id: 'dois', 'authoritative-for': 'gmail.com,gmail' }, SECRET, /"gmail" is no mail domain/],
    ]
    for (const [options, secret, sentence] of refused) {
      const said = await add(portaria, options, secret)
      assert.deepEqual([said.code, said.out], [1, ''], said.err)
      assert.match(said.err, sentence)
      assert.match(said.err, /^portaria: [^\n]+\n$/)
    }
    assert.equal((await portaria('idp list --json')).json.length, 1)
    assert.match((await portaria('idp test dois')).err, /no such identity provider/)
  })

  it('find a provider well, and name the redirect URI that it must know', async () => {
    const portaria = commandLine(await database.fresh(), ENVIRONMENT)
    const { issuer } = await startProvider(CALLBACK)
    await add(portaria, { issuer })
    const said = await portaria('idp test um --json')
    assert.equal(said.code, 0, said.out)
    const results = said.json.map(({ check, result }: Record<string, string>) => `${check} ${result}`)
    assert.deepEqual(results, ['discovery ok', 'code_flow ok', 'pkce ok', 'keys ok', 'issuer_parameter ok', 'client warn'])
    for (const finding of said.json) assert.deepEqual(Object.keys(finding), ['check', 'result', 'says'])
    assert.ok(found('client', said).includes(CALLBACK))
    assert.match((await portaria('idp test um')).out, /^ok +discovery +.+ answers and names itself so$[\s\S]+Provedor Um can be used\.\n$/m)
  })

  it('say of a provider that is down, talks rubbish or names another issuer what is wrong, and fail', async (context) => {
    const portaria = commandLine(await database.fresh(), ENVIRONMENT)
    const provider = await startProvider(CALLBACK)
    const metadata = (await (await fetch(`${provider.issuer}/.well-known/openid-configuration`)).json()) as object
    await add(portaria, { issuer: provider.issuer })
    await add(portaria, { id: 'other', issuer: await startSite(context, () => metadata) })
    const keyless = await startSite(context, (issuer) => ({ ...metadata, issuer, jwks_uri: `${issuer}/keys` }))
    await add(portaria, { id: 'keyless', issuer: keyless })
    const faultOf = async (id: string, check = 'discovery') => {
      const said = await portaria(`idp test ${id} --json`)
      assert.equal(said.code, 1, said.out)
      return found(check, said)
    }
    assert.match(await faultOf('other'), /^fail what answers at .+ names another issuer: use the one it names as --issuer, to the letter/)
    assert.match(await faultOf('keyless', 'keys'), /^fail its keys at .+ can't be read: /)
    provider.mood = 'rubbish'
    assert.match(await faultOf('um'), /^fail .+\/\.well-known\/openid-configuration can't be used: /)
    provider.mood = 'down'
    assert.match(await faultOf('um'), /^fail /)
    await provider.stop()
    assert.match(await faultOf('um'), /^fail .+ does not answer: is it running, and reachable from here\?/)
    assert.match((await portaria('idp test um')).out, /^FAIL +discovery [\s\S]+mend what is marked FAIL/m)
  })

  it('call no private address in production, unless PORTARIA_ALLOW_PRIVATE names it', async () => {
    const url = await database.fresh()
    const open = { ...ENVIRONMENT, PORTARIA_URL: 'https://sso.example.com' }
    await add(commandLine(url, open), { issuer: 'https://127.0.0.1:2' })
    const shut = await commandLine(url, open)('idp test um --json')
    assert.equal(shut.code, 1)
    assert.equal(found('discovery', shut), 'fail 127.0.0.1 is a private address: PORTARIA_ALLOW_PRIVATE would have to name it')
    const allowed = await commandLine(url, { ...open, PORTARIA_ALLOW_PRIVATE: '127.0.0.0/8' })('idp test um --json')
    assert.match(found('discovery', allowed), /^fail https:\/\/127\.0\.0\.1:2 does not answer/)
    await add(commandLine(url, open), { id: 'plain', issuer: 'http://um.example' })
    assert.match(found('discovery', await commandLine(url, open)('idp test plain --json')), /only https addresses are called/)
  })
})
