import assert from 'node:assert/strict'
import { createServer, type Server, type ServerResponse } from 'node:http'
import { createServer as createSecureServer, Server as SecureServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { it, type TestContext } from 'node:test'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { commandLine, hurry, MASTER_KEY, type Portaria, type Said } from '../../../test/support/command-line.ts'
import { eachDatabase } from '../../../test/support/databases.ts'
import { startProvider } from '../../../test/support/users/openid-provider.ts'
import { AUTHORITY, CERTIFICATES, KEY } from '../../../test/vectors/certificates.ts'
import { providerStore } from '../../identity-providers/index.ts'
import { createSealer, deriveKeys } from '../../kit/index.ts'
import { openStorage, parseDatabaseUrl } from '../../storage/index.ts'

const SECRET = 'a-client-secret-that-nobody-sees'
const ENVIRONMENT = { PORTARIA_MASTER_KEY: MASTER_KEY, PORTARIA_URL: 'http://localhost:3999' }
const CALLBACK = 'http://localhost:3999/auth/callback'

function add(portaria: Portaria, options: Record<string, string>, secret = SECRET, flags: string[] = []): Promise<Said> {
  const all = { id: 'um', name: 'Provedor Um', issuer: 'https://um.example', 'client-id': 'portaria', ...options }
  const argv = Object.entries(all).flatMap(([name, value]) => [`--${name}`, value])
  return portaria(['idp', 'add', ...argv, ...flags, '--client-secret-stdin', '--json'], `${secret}\n`)
}

/** Connects it as it is: most addresses of these tests answer nothing. */
function addUntested(portaria: Portaria, options: Record<string, string>, secret = SECRET, flags: string[] = []): Promise<Said> {
  return add(portaria, options, secret, [...flags, '--untested'])
}

/** The result of one check, as `result says`. */
function found(check: string, { json }: Said): string {
  const finding = json.find((one: { check: string }) => one.check === check)
  return finding ? `${finding.result} ${finding.says}` : 'not looked at'
}

/** Answers every request with `body`, made from the site's own address; answers that address. */
function startSite(context: TestContext, body: (address: string) => unknown): Promise<string> {
  return startServer(context, createServer(), (response, address) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body(address))),
  )
}

async function startServer(
  context: TestContext,
  server: Server | SecureServer,
  answer: (response: ServerResponse, address: string) => unknown,
): Promise<string> {
  server.on('request', (_request, response) => void answer(response, address))
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve))
  context.after(() => server.closeAllConnections())
  context.after(() => server.close())
  const address = `${server instanceof SecureServer ? 'https' : 'http'}://localhost:${(server.address() as AddressInfo).port}`
  return address
}

eachDatabase('The idp commands', (database) => {
  it('connect a provider, list it and disconnect it, with the fields of the API', async () => {
    const portaria = commandLine(await database.fresh(), ENVIRONMENT)
    assert.match((await portaria('idp list')).out, /No identity providers: connect one with `portaria idp add`/)
    const options = { 'authoritative-for': 'Gmail.com, exemplo.com.br', audience: 'https://api.example' }
    const added = await addUntested(portaria, options, SECRET, ['--accept-access-tokens'])
    assert.equal(added.code, 0, added.err)
    const { created_at, redirect_uri, ...rest } = added.json
    assert.ok(Math.abs(Date.parse(created_at) - Date.now()) < 60_000)
    assert.equal(redirect_uri, CALLBACK)
    assert.deepEqual(rest, {
      id: 'um',
      name: 'Provedor Um',
      kind: 'openid',
      issuer: 'https://um.example',
      client_id: 'portaria',
      authoritative_for: ['gmail.com', 'exemplo.com.br'],
      access_token_audience: 'https://api.example',
    })
    const dois = (await addUntested(portaria, { id: 'dois', name: 'Dois' })).json
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

  it('fill in what is the same at everybody who connects a known provider; what is named counts instead', async () => {
    const portaria = commandLine(await database.fresh(), ENVIRONMENT)
    const rest = '--client-id portaria --client-secret-stdin --untested --json'
    const google = (await portaria(`idp add --preset google ${rest}`, SECRET)).json
    assert.deepEqual(
      [google.id, google.name, google.kind, google.issuer, google.authoritative_for],
      ['google', 'Google', 'openid', 'https://accounts.google.com', ['gmail.com']],
    )
    const own = (
      await portaria(`idp add --preset github --id ghe --issuer https://git.example --authoritative-for a.example ${rest}`, SECRET)
    ).json
    assert.deepEqual([own.id, own.kind, own.issuer, own.authoritative_for], ['ghe', 'github', 'https://git.example', ['a.example']])
    const tenant = await portaria(`idp add --preset microsoft ${rest}`, SECRET)
    assert.deepEqual([tenant.code, /needs --issuer, with your own part in it: https:\S+\{tenant\}/.test(tenant.err)], [2, true])
    assert.match((await portaria(`idp add --id a ${rest}`, SECRET)).err, /needs --id, --name and --issuer, or a --preset/)
    assert.match((await portaria(`idp add --preset apple ${rest}`, SECRET)).err, /Apple needs JSON with team_id, key_id and private_key/)
  })

  it('test a provider before they save it, and save nothing where something fails, unless asked to', async () => {
    const portaria = commandLine(await database.fresh(), ENVIRONMENT)
    const provider = await startProvider(CALLBACK)
    const at = { issuer: provider.issuer, 'client-id': provider.clientId }
    const refused = await add(portaria, at, 'not-the-right-secret')
    assert.deepEqual([refused.code, refused.json.added, refused.json.findings.at(-1).check], [1, false, 'client'])
    assert.match(refused.json.findings.at(-1).says, /another secret for it \(invalid_client\)/)
    assert.ok(!refused.out.includes('not-the-right-secret'))
    assert.deepEqual((await portaria('idp list --json')).json, [])
    const line = `idp add --id um --name Um --issuer https://um.invalid --client-id portaria --client-secret-stdin`
    const text = await portaria(line, SECRET)
    assert.equal(text.code, 1)
    assert.match(text.out, /^FAIL +discovery [\s\S]+Nothing was saved\. .+ with --untested it is saved as it is\.$/m)
    assert.deepEqual((await portaria('idp list --json')).json, [])
    const added = await add(portaria, at, provider.clientSecret)
    assert.deepEqual([added.code, added.json.id, added.json.findings.at(-1).result], [0, 'um', 'ok'], added.err)
    // A wrong field is reported before anybody is asked.
    assert.match((await portaria(line, SECRET)).err, /a provider with this id exists/)
    const shown = await portaria(line.replace('--id um', '--id dois').replace('https://um.invalid', provider.issuer), SECRET)
    assert.equal(shown.code, 1)
    assert.equal((await portaria(`${line.replace('--id um', '--id dois')} --untested`, SECRET)).code, 0)
  })

  it('say which redirect URI to register, and warn of a provider whose word counts for every address', async () => {
    const portaria = commandLine(await database.fresh(), ENVIRONMENT)
    const line = 'idp add --id um --name Um --issuer https://um.example --client-id portaria --client-secret-stdin --untested'
    const added = await portaria(`${line} --authoritative-for *`, SECRET)
    assert.match(
      added.out,
      /Register this redirect URI at the provider: {2}http:\/\/localhost:3999\/auth\/callback\n.+portaria idp test um$/m,
    )
    assert.match(added.out, /its operator can open any account here/)
    await portaria('idp remove um')
    assert.doesNotMatch((await portaria(line, SECRET)).out, /any account/)
  })

  it('keep the client secret sealed, less the newline at its end, and show it nowhere', async () => {
    const url = await database.fresh()
    const portaria = commandLine(url, ENVIRONMENT)
    const said = [
      await addUntested(portaria, {}),
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
    await addUntested(portaria, {})
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
      const said = await addUntested(portaria, options, secret)
      assert.deepEqual([said.code, said.out], [1, ''], said.err)
      assert.match(said.err, sentence)
      assert.match(said.err, /^portaria: [^\n]+\n$/)
    }
    assert.equal((await portaria('idp list --json')).json.length, 1)
    assert.match((await portaria('idp test dois')).err, /no such identity provider/)
  })

  it('find a provider well, and name the redirect URI that it must know', async () => {
    const portaria = commandLine(await database.fresh(), ENVIRONMENT)
    const { issuer, clientId, clientSecret } = await startProvider(CALLBACK)
    await addUntested(portaria, { issuer, 'client-id': clientId }, clientSecret)
    const said = await portaria('idp test um --json')
    assert.equal(said.code, 0, said.out)
    const results = said.json.map(({ check, result }: Record<string, string>) => `${check} ${result}`)
    assert.deepEqual(results, ['discovery ok', 'code_flow ok', 'pkce ok', 'keys ok', 'issuer_parameter ok', 'client ok'])
    for (const finding of said.json) assert.deepEqual(Object.keys(finding), ['check', 'result', 'says'])
    assert.ok(found('client', said).includes(CALLBACK))
    assert.match((await portaria('idp test um')).out, /^ok +discovery +.+ answers and names itself so$[\s\S]+Provedor Um can be used\.\n$/m)
  })

  it('say of a provider whose description or keys can’t be had what is wrong and what to do, and fail', async (context) => {
    const portaria = commandLine(await database.fresh(), ENVIRONMENT)
    const provider = await startProvider(CALLBACK)
    const metadata = (await (await fetch(`${provider.issuer}/.well-known/openid-configuration`)).json()) as object
    const site = (answer: (response: ServerResponse, address: string) => unknown) => startServer(context, createServer(), answer)
    const status = (code: number, headers: Record<string, string> = {}) => site((response) => response.writeHead(code, headers).end())
    const keysAt = (path: string) => startSite(context, (issuer) => ({ ...metadata, issuer, jwks_uri: `${issuer}${path}` }))
    const faults: Record<string, [issuer: string, says: RegExp]> = {
      other: [
        await startSite(context, () => metadata),
        /names another issuer, http:\/\/localhost:\d+: use the one it names as --issuer, to the letter$/,
      ],
      hidden: [
        await startSite(context, () => ({ ...metadata, issuer: 'http://x/\u001b[31m' })),
        /names another issuer, which can’t be shown: /,
      ],
      nobody: [
        await startSite(context, () => ({})),
        /^what http.+ answers does not describe an OpenID provider \(.+\): is --issuer right\?$/,
      ],
      list: [await startSite(context, () => []), /does not describe an OpenID provider/],
      missing: [await status(404), /^there is nothing at http.+\/\.well-known\/openid-configuration \(404\): look for a typo in --issuer/],
      moved: [
        await status(302, { location: provider.issuer }),
        /leads elsewhere \(302\), and no redirect is followed: use as --issuer what/,
      ],
      shut: [await status(403), /answers 403, and has to be open to everybody: ask who runs it$/],
      broken: [await status(502), /answers 502: something is wrong over there, try again later$/],
      page: [
        await site((response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Hi</h1>')),
        /answers text\/html where JSON is due: is --issuer right, or does a sign-in page or proxy cut in\?$/,
      ],
      half: [
        await site((response) => response.writeHead(200, { 'content-type': 'application/json' }).end('{"issuer":')),
        /answers is no JSON/,
      ],
      dropped: [await site((response) => response.destroy()), /ends the connection in place of an answer: is the port right/],
      refused: ['http://localhost:2', /^localhost:2 does not answer: is it running, and reachable from here\?$/],
      port: ['http://localhost:1', /^localhost:1 is on a port that web clients refuse to call: another one has to be used there$/],
      keyless: [await keysAt('/keys'), /^its keys at http.+\/keys can't be had: no keys are in the answer$/],
      keydown: [
        await startSite(context, (issuer) => ({ ...metadata, issuer, jwks_uri: 'http://localhost:2/keys' })),
        /keys can't be had: localhost:2 does not/,
      ],
      implicit: [
        await startSite(context, (issuer) => ({ ...metadata, issuer, response_types_supported: ['id_token'] })),
        /^does not offer the code flow .+: allow it there$/,
      ],
      keynone: [await startSite(context, (issuer) => ({ ...metadata, issuer, jwks_uri: undefined })), /^publishes no keys/],
    }
    for (const [id, [issuer, says]] of Object.entries(faults)) {
      await addUntested(portaria, { id, issuer }, provider.clientSecret)
      const said = await portaria(`idp test ${id} --json`)
      assert.equal(said.code, 1, said.out)
      const failed = said.json.filter(({ result }: { result: string }) => result === 'fail')
      assert.equal(failed.length, 1, said.out)
      assert.match(failed[0].says, says, id)
    }
    const text = (await portaria('idp test missing')).out
    assert.match(text, /^FAIL +discovery [\s\S]+fix the steps marked FAIL\. .+`portaria idp remove missing` and `portaria idp add`/m)
  })

  it('wait no longer than eight seconds for each answer of a provider', async (context) => {
    const portaria = commandLine(await database.fresh(), ENVIRONMENT)
    const provider = await startProvider(CALLBACK)
    await addUntested(portaria, { issuer: provider.issuer }, provider.clientSecret)
    const waits = hurry(context)
    provider.mood = 'hang'
    assert.match(found('discovery', await portaria('idp test um --json')), /^fail localhost:\d+ does not answer in time: is it well, and/)
    const before = waits.length
    provider.moodAt = '/jwks'
    assert.match(
      found('keys', await portaria('idp test um --json')),
      /^fail its keys at .+ can't be had: localhost:\d+ does not answer in time/,
    )
    // Its description, its keys, and what it says of the client.
    assert.deepEqual([Math.min(...waits), waits.slice(before).filter((ms) => ms === 8_000).length], [8_000, 3])
  })

  it('name what is wrong with a TLS connection, and what to do', async (context) => {
    const portaria = commandLine(await database.fresh(), ENVIRONMENT)
    const secure = (cert: string) => startServer(context, createSecureServer({ key: KEY, cert }), (response) => response.end())
    const plain = (await startSite(context, () => ({}))).replace('http:', 'https:')
    for (const [id, cert] of Object.entries(CERTIFICATES)) await addUntested(portaria, { id, issuer: await secure(cert) })
    await addUntested(portaria, { id: 'plain', issuer: plain })
    const says = async (id: string) => found('discovery', await portaria(`idp test ${id} --json`))
    assert.match(await says('plain'), /^fail localhost:\d+ does not speak TLS: is the port right, and is it https there\?$/)
    assert.match(await says('good'), /^fail the certificate of localhost:\d+ is not trusted on this machine: .+ NODE_EXTRA_CA_CERTS$/)
    const trusted = getCACertificates()
    context.after(() => setDefaultCACertificates(trusted))
    setDefaultCACertificates([...trusted, AUTHORITY])
    assert.match(await says('expired'), /^fail the certificate of localhost:\d+ has expired: it has to be renewed there$/)
    assert.match(await says('elsewhere'), /^fail the certificate of localhost:\d+ is for another host: use the name that it is for$/)
    assert.match(await says('good'), /^fail https:.+ where JSON is due/)
  })

  it('name a name that is not found, or that can’t be looked up just now', async () => {
    const portaria = commandLine(await database.fresh(), ENVIRONMENT)
    await addUntested(portaria, { issuer: 'https://um.invalid' })
    assert.match(
      found('discovery', await portaria('idp test um --json')),
      /^fail the (?:name um\.invalid was not found, so nothing was asked|host um\.invalid can't be looked up just now: check this machine's network and DNS)/,
    )
  })

  it('warn of a provider that does not say that it checks PKCE with S256', async (context) => {
    const portaria = commandLine(await database.fresh(), ENVIRONMENT)
    const provider = await startProvider(CALLBACK)
    const metadata = (await (await fetch(`${provider.issuer}/.well-known/openid-configuration`)).json()) as object
    const saysOf = async (id: string, methods: unknown) => {
      const issuer = await startSite(context, (own) => ({ ...metadata, issuer: own, code_challenge_methods_supported: methods }))
      await addUntested(portaria, { id, issuer }, provider.clientSecret)
      const said = await portaria(`idp test ${id} --json`)
      assert.equal(said.code, 0, said.out)
      return found('pkce', said)
    }
    assert.match(await saysOf('silent', undefined), /^warn does not say that it checks PKCE; .+ Turn it on there/)
    assert.match(await saysOf('plain', ['plain']), /^warn offers PKCE with plain alone, and S256 is sent: turn S256 on there/)
    assert.match(await saysOf('odd', 7), /^warn does not say/)
  })

  it('call no private address in production, unless PORTARIA_ALLOW_PRIVATE names it', async () => {
    const url = await database.fresh()
    const open = { ...ENVIRONMENT, PORTARIA_URL: 'https://sso.example.com' }
    await addUntested(commandLine(url, open), { issuer: 'https://127.0.0.1:2' })
    const shut = await commandLine(url, open)('idp test um --json')
    assert.equal(shut.code, 1)
    assert.equal(found('discovery', shut), 'fail 127.0.0.1 is a private address: PORTARIA_ALLOW_PRIVATE would have to name it')
    const allowed = await commandLine(url, { ...open, PORTARIA_ALLOW_PRIVATE: '127.0.0.0/8' })('idp test um --json')
    assert.match(found('discovery', allowed), /^fail 127\.0\.0\.1:2 does not answer/)
    await addUntested(commandLine(url, open), { id: 'plain', issuer: 'http://um.example' })
    assert.match(found('discovery', await commandLine(url, open)('idp test plain --json')), /only https addresses are called/)
  })
})
