import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { commandLine } from '../../../test/support/command-line.ts'
import { eachDatabase } from '../../../test/support/databases.ts'
import { openStorage, parseDatabaseUrl } from '../../storage/index.ts'
import { parseForeignHash } from '../../users/index.ts'
import { verifyForeign } from '../../users/passwords/foreign/verify-foreign.ts'

const SAMPLES = fileURLToPath(new URL('../../../test/vectors/exports/', import.meta.url))
const AUTH0_ID = 'auth0|5f7c8ec7c33c6c004bbafe82'
const PASSWORD = 'senha de Ana 1ç'

interface Ana {
  externalId: string
  totp?: true
  google?: true
  language?: true
}

/** A sample of each system's export. Ana has all that the system keeps; Bia has an address alone; Carla is blocked, where it says so. */
const EXPORTS: ReadonlyArray<{
  sample: string
  from: string
  options?: string
  password?: string
  lacks?: string[]
  has: Ana
  carla?: boolean
}> = [
  { sample: 'auth0.jsonl', from: 'auth0', lacks: ['password'], has: { externalId: AUTH0_ID, google: true, language: true } },
  { sample: 'auth0-passwords.jsonl', from: 'auth0', lacks: ['name', 'phone', 'created_at'], has: { externalId: AUTH0_ID }, carla: false },
  {
    sample: 'firebase.json',
    from: 'firebase',
    options: `--firebase-parameters ${SAMPLES}firebase-parameters.txt`,
    password: 'user1password',
    has: { externalId: '0bqmQ5ukzAQCcAmdWnTV6Qg8fSu1', google: true },
  },
  { sample: 'supabase.csv', from: 'supabase', has: { externalId: '2b0f3a5c-1111-4222-8333-444455556666' } },
  {
    sample: 'clerk.csv',
    from: 'clerk',
    lacks: ['created_at'],
    has: { externalId: 'user_2YDryYFVMM1W1plDDKz7Gzf4we6', totp: true },
    carla: false,
  },
  { sample: 'better-auth.json', from: 'better-auth', has: { externalId: '1' } },
  {
    sample: 'keycloak.json',
    from: 'keycloak',
    lacks: ['phone'],
    has: { externalId: '5ab4a3a5-4b0d-4e4e-9f0c-2f6e2f0b0001', totp: true, google: true, language: true },
  },
  { sample: 'wordpress.csv', from: 'wordpress', lacks: ['phone', 'verified'], has: { externalId: '1' }, carla: false },
]

/** Google, connected here. */
async function addGoogle(url: string): Promise<void> {
  const storage = await openStorage(parseDatabaseUrl(url) ?? assert.fail())
  const named = { id: 'google', name: 'Google', issuer: 'https://accounts.google.com', client_id: 'portaria' }
  const rest = { client_secret_sealed: 'x', authoritative_for: '', access_token_audience: null, kind: null, created_at: 1, updated_at: 1 }
  await storage.db
    .insertInto('identity_providers')
    .values({ ...named, ...rest })
    .execute()
  await storage.close()
}

eachDatabase('Exports of other systems', (database) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'portaria-exports-'))
  after(() => rmSync(folder, { recursive: true }))

  for (const { sample, from, options = '', password = PASSWORD, lacks = [], has: whole, carla = true } of EXPORTS) {
    it(`reads ${sample}, and knows whose it is`, async () => {
      const where = await database.fresh()
      const portaria = commandLine(where)
      await addGoogle(where.url)
      const said = await portaria(`import users ${SAMPLES}${sample} ${options} --json`.replaceAll('  ', ' '))
      assert.equal(said.code, carla ? 1 : 0, `${said.err} ${said.out}`)
      assert.deepEqual([said.json.from, said.json.added, said.json.refused], [from, 2, carla ? 1 : 0])
      if (carla) assert.match(said.json.lines[0].why, /^the account is blocked/)
      const [ana, bia] = [
        (await portaria('user show ana@example.com --json')).json,
        (await portaria('user show bia@example.com --json')).json,
      ]
      const has = (what: string, value: unknown, otherwise: unknown) => (lacks.includes(what) ? otherwise : value)
      assert.equal(ana.name, has('name', 'Ana Souza', 'ana'))
      assert.equal(ana.phone, has('phone', '+5511912345678', null))
      assert.equal(typeof ana.verified_at, has('verified', 'string', 'object'))
      if (!lacks.includes('created_at')) assert.equal(ana.created_at, '2023-05-02T10:00:00.000Z')
      assert.deepEqual([bia.name, bia.verified_at], ['bia', null])
      assert.deepEqual([ana.external_id, ana.second_factor], [whole.externalId, whole.totp === true])
      const storage = await openStorage(parseDatabaseUrl(where.url) ?? assert.fail())
      const row = await storage.db
        .selectFrom('users')
        .select(['password_hash', 'language'])
        .where('email', '=', 'ana@example.com')
        .executeTakeFirstOrThrow()
      const identities = await storage.db.selectFrom('identities').select(['user_id', 'issuer', 'subject']).execute()
      await storage.close()
      const google = { user_id: ana.id, issuer: 'https://accounts.google.com', subject: '108000000000000000001' }
      assert.deepEqual(identities, whole.google ? [google] : [])
      assert.equal(row.language, whole.language ? 'pt-BR' : null)
      if (lacks.includes('password')) return assert.equal(row.password_hash, null)
      const hash = parseForeignHash(row.password_hash ?? '') ?? assert.fail('no foreign hash')
      assert.deepEqual([await verifyForeign(password, hash, []), await verifyForeign('another', hash, [])], [true, false])
    })
  }

  it('asks for the parameters of a Firebase project, and reads them as JSON too', async () => {
    const portaria = commandLine(await database.fresh())
    const without = await portaria(`import users ${SAMPLES}firebase.json --dry-run --json`)
    assert.match(without.json.lines[0].why, /--firebase-parameters/)
    const file = path.join(folder, 'parameters.json')
    const parameters = { base64_signer_key: 'jxspr8Ki', base64_salt_separator: 'Bw==', rounds: 8, mem_cost: 14 }
    writeFileSync(file, JSON.stringify(parameters))
    const asked = `import users ${SAMPLES}firebase.json --dry-run --json --no-identities --firebase-parameters ${file}`
    assert.equal((await portaria(asked)).json.added, 2)
    writeFileSync(file, JSON.stringify({ ...parameters, mem_cost: 25 }))
    assert.match((await portaria(asked)).json.lines[0].why, /computing it would take too long: scrypt/)
    writeFileSync(file, '{}')
    assert.equal((await portaria(asked)).code, 2)
  })

  it('refuses a document that was cut, and takes a system by its name where nothing shows it', async () => {
    const portaria = commandLine(await database.fresh())
    const file = path.join(folder, 'export.json')
    writeFileSync(file, readFileSync(`${SAMPLES}keycloak.json`, 'utf8').slice(0, -40))
    const cut = await portaria(`import users ${file}`)
    assert.deepEqual([cut.code, /may have been cut/.test(cut.err)], [2, true])
    writeFileSync(file, '[{"email":"ana@example.com","emailVerified":true},{"email":7},5]')
    assert.match((await portaria(`import users ${file} --dry-run --json`)).json.lines[0].why, /fields that are not known: emailVerified/)
    const named = await portaria(`import users ${file} --dry-run --json --from better-auth`)
    assert.deepEqual(
      named.json.lines.map(({ line, outcome }: { line: number; outcome: string }) => `${line} ${outcome}`),
      ['1 added', '2 refused', '3 refused'],
    )
    assert.equal((await portaria(`import users ${file} --from nobody`)).code, 2)
  })

  it('puts the hashes that Auth0 sends beside its users', async () => {
    const where = await database.fresh()
    const portaria = commandLine(where)
    await addGoogle(where.url)
    const both = `import users ${SAMPLES}auth0.jsonl --auth0-passwords ${SAMPLES}auth0-passwords.jsonl --json`
    assert.equal((await portaria(both)).json.added, 2)
    const ana = (await portaria(`user show ${AUTH0_ID} --json`)).json
    assert.deepEqual([ana.email, ana.name, ana.has_password], ['ana@example.com', 'Ana Souza', true])
    assert.equal((await portaria('user show bia@example.com --json')).json.has_password, true)
    const wrong = await portaria(`import users ${SAMPLES}auth0.jsonl --auth0-passwords ${SAMPLES}auth0.jsonl`)
    assert.deepEqual([wrong.code, /not every line is a user of Auth0 with an _id/.test(wrong.err)], [2, true])
  })

  it('puts the secrets of authenticator apps that Auth0 sends beside its users, and passes over its other factors', async () => {
    const where = await database.fresh()
    const portaria = commandLine(where)
    await addGoogle(where.url)
    const factors = `${SAMPLES}auth0-factors.jsonl`
    const said = await portaria(`import users ${SAMPLES}auth0.jsonl --auth0-factors ${factors} --dry-run --json`)
    assert.deepEqual(
      said.json.lines.flatMap(({ email, brings = [] }: { email: string; brings?: string[] }) =>
        brings.includes('totp_secret') ? email : [],
      ),
      ['ana@example.com'],
    )
    assert.equal((await portaria(`import users ${SAMPLES}auth0.jsonl --auth0-factors ${factors} --json`)).json.added, 2)
    assert.equal((await portaria('user show ana@example.com --json')).json.second_factor, true)
    assert.equal((await portaria('user show bia@example.com --json')).json.second_factor, false)
    const wrong = await portaria(`import users ${SAMPLES}auth0.jsonl --auth0-factors ${SAMPLES}auth0-passwords.jsonl`)
    assert.deepEqual([wrong.code, /not every line is a second factor of Auth0 with a user_id/.test(wrong.err)], [2, true])
  })

  it('knows users of Auth0 by the id of their own that the file of hashes names, and by an address among their identifiers', async () => {
    const portaria = commandLine(await database.fresh())
    const hash = '$2b$08$abcdefghijklmnopqrstuuBWcTk0Z7zBObgWHTG2HtfhPFdYxWUgO'
    const users = path.join(folder, 'brought.jsonl')
    const hashes = path.join(folder, 'brought-hashes.jsonl')
    const identities = [{ provider: 'auth0', user_id: 'euclid', connection: 'Legacy' }]
    const identifiers = [{ type: 'email', value: 'euclid@example.com', verified: true }]
    writeFileSync(users, `${JSON.stringify({ user_id: 'auth0|euclid', email: 'euclid@example.com', email_verified: true, identities })}\n`)
    writeFileSync(
      hashes,
      `${JSON.stringify({ _id: { $oid: '5dea9f9c82dd7c0e76e4ec93' }, alt_id: 'euclid', identifiers, passwordHash: hash })}\n`,
    )
    for (const asked of [`${users} --auth0-passwords ${hashes}`, hashes]) {
      const said = await portaria(`import users ${asked} --dry-run --json`)
      assert.ok(said.json.lines[0].brings.includes('password_hash'), said.out)
    }
    assert.equal((await portaria(`import users ${hashes} --json`)).json.added, 1)
    const euclid = (await portaria('user show auth0|euclid --json')).json
    assert.deepEqual([euclid.email, typeof euclid.verified_at], ['euclid@example.com', 'string'])
  })

  it('refuses users of a provider that is not connected, and leaves the links out when asked to', async () => {
    const portaria = commandLine(await database.fresh())
    const refused = await portaria(`import users ${SAMPLES}auth0.jsonl --json`)
    assert.match(refused.json.lines[0].why, /^identities: https:\/\/accounts.google.com is not connected here/)
    const said = await portaria(`import users ${SAMPLES}auth0.jsonl --json --no-identities`)
    assert.deepEqual([said.json.added, said.json.known], [1, 1])
  })
})
