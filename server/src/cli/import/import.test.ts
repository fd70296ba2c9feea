import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { after, it } from 'node:test'
import { commandLine } from '../../../test/support/command-line.ts'
import { eachDatabase } from '../../../test/support/databases.ts'
import { openStorage, parseDatabaseUrl } from '../../storage/index.ts'

const HASH = '$P$Babcdefgh.xFw/fkCt8DTYfNHlBveV/'
const CPF = '529.982.247-25'

eachDatabase('import users', (database) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'portaria-import-'))
  after(() => rmSync(folder, { recursive: true }))
  let files = 0
  const fileOf = (lines: readonly unknown[], end = '\n') => {
    const file = path.join(folder, `${files++}.jsonl`)
    writeFileSync(file, lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n') + end)
    return file
  }
  const manyUsers = (count: number) =>
    Array.from({ length: count }, (_, i) => ({ email: `user${i}@example.com`, name: `User ${i}`, password_hash: HASH }))

  it('adds users with all that the file says of them', async () => {
    const portaria = commandLine(await database.fresh())
    const ana = {
      email: 'Ana@Example.com',
      email_verified: true,
      name: 'Ana <b>Souza</b>',
      phone: '+55 11 91234-5678',
      tax_id: CPF,
      password_hash: HASH,
      created_at: '2023-05-02T10:00:00Z',
    }
    const said = await portaria(`import users ${fileOf([`\u{feff}${JSON.stringify(ana)}`, '', { email: 'bia@example.com' }])} --json`)
    assert.equal(said.code, 0, said.err)
    assert.deepEqual(said.json, { dry_run: false, added: 2, known: 0, refused: 0, lines: [] })
    const shown = (await portaria('user show ana@example.com --json')).json
    assert.equal(shown.name, 'Ana <b>Souza</b>')
    assert.equal(shown.phone, '+5511912345678')
    assert.equal(shown.created_at, '2023-05-02T10:00:00.000Z')
    assert.equal(shown.has_password, true)
    assert.equal(typeof shown.verified_at, 'string')
    const bia = (await portaria('user show bia@example.com --json')).json
    assert.deepEqual([bia.name, bia.verified_at, bia.has_password], ['bia', null, false])
    const audit = (await portaria('audit list --action user.import --json')).json as Array<{ after: unknown; target: string }>
    assert.deepEqual(
      audit.map(({ after }) => after),
      [{ state: 'done', added: 2, known: 0, refused: 0 }, { state: 'begun' }],
    )
    assert.equal(new Set(audit.map(({ target }) => target)).size, 1)
  })

  it('says in a dry run what would become of every line, and an import then does exactly that', async () => {
    const portaria = commandLine(await database.fresh())
    await portaria(['user', 'create', '--email', 'known@example.com', '--name', 'Known'])
    const cost = (n: number) => `$pbkdf2-sha1$${n}$MDEyMzQ1Njc4OWFiY2RlZg$O7Hz7Wa44Mp71+EzbiF3DRK5rY0`
    const file = fileOf(
      [
        { email: 'ana@example.com', tax_id: CPF, password_hash: HASH },
        { email: 'ANA@example.com', name: 'Another Ana' },
        { email: 'known@example.com', name: 'Changed', email_verified: true, password_hash: HASH },
        { email: 'thief@example.com', tax_id: '52998224725' },
        { email: 'no address' },
        { email: 'bia@example.com', role: 'owner' },
        { email: 'carla@example.com', password_hash: '$scrypt$ln=25,r=8,p=1$MDEyMzQ1Njc4OWFiY2RlZg$2yU2mscm0MeBT97sSk' },
        { email: 'dora@example.com', password_hash: 'plain text' },
        { email: 'eva@example.com', name: 'Eva\u202e' },
        { email: 'fe@example.com', created_at: '2999-01-01T00:00:00Z' },
        ...[1, 2, 3, 4].map((n) => ({ email: `cost${n}@example.com`, password_hash: cost(n) })),
        '{"email": "cut@exam',
      ],
      '',
    )
    const rehearsed = await portaria(`import users ${file} --dry-run --json`)
    assert.equal(rehearsed.code, 1)
    assert.equal((await portaria('user list --json')).json.length, 1, 'a dry run writes nothing')
    const whys = rehearsed.json.lines.map(({ line, outcome, why = '' }: { line: number; outcome: string; why?: string }) =>
      [line, outcome, why.slice(0, 40)].join(' ').trim(),
    )
    assert.deepEqual(whys, [
      '1 added',
      '2 known',
      '3 known',
      '4 refused tax_id: another account has it',
      '5 refused email: it is no address',
      '6 refused fields that are not known: role',
      '7 refused password_hash: computing it would take t',
      '8 refused password_hash: its form is not known',
      '9 refused name: one line of at most 200 visible ch',
      '10 refused created_at: between 1990 and now',
      '11 added',
      '12 added',
      '13 added',
      '14 refused password_hash: hashes of 4 kinds and cos',
      '15 refused it is no JSON; it is the last line: the',
    ])
    const done = await portaria(`import users ${file} --json`)
    assert.equal(done.code, 1)
    const refused = rehearsed.json.lines.filter(({ outcome }: { outcome: string }) => outcome === 'refused')
    assert.deepEqual(done.json, { ...rehearsed.json, dry_run: false, lines: refused })
    const known = (await portaria('user show known@example.com --json')).json
    assert.deepEqual([known.name, known.has_password], ['Known', false])
    assert.match((await portaria(`import users ${file}`)).out, /^line 4 \(thief@example\.com\): refused: tax_id/)
  })

  it('goes on after an interruption, and two at once double nothing', async () => {
    const where = await database.fresh()
    const portaria = commandLine(where)
    const users = manyUsers(300)
    await portaria(`import users ${fileOf(users.slice(0, 120))}`)
    const whole = fileOf(users)
    const both = await Promise.all([portaria(`import users ${whole} --json`), portaria(`import users ${whole} --json`)])
    assert.deepEqual(
      both.map(({ code, json }) => [code, json.added + json.known, json.refused]),
      [
        [0, 300, 0],
        [0, 300, 0],
      ],
    )
    assert.equal(both[0]?.json.added + both[1]?.json.added, 180)
    const storage = await openStorage(parseDatabaseUrl(where.url) ?? assert.fail())
    const rows = await storage.db.selectFrom('users_company').select('user_id').execute()
    await storage.close()
    assert.equal(rows.length, 300)
  })

  it('lets one of two imports at once have a tax id', async () => {
    const portaria = commandLine(await database.fresh())
    const both = await Promise.all(
      ['ana', 'bia'].map((name) => portaria(`import users ${fileOf([{ email: `${name}@example.com`, tax_id: CPF }])} --json`)),
    )
    assert.deepEqual(both.map(({ code }) => code).sort(), [0, 1])
    assert.deepEqual(both.map(({ json }) => [json.added, json.refused].join()).sort(), ['0,1', '1,0'])
  })

  it('reads a table as Excel in Brazil saves it', async () => {
    const portaria = commandLine(await database.fresh())
    const file = path.join(folder, 'users.csv')
    const rows = [
      'email;name;email_verified;tax_id',
      `joao@example.com;João;VERDADEIRO;${CPF}`,
      'ana@example.com;"Ana',
      'bia@example.com;Bia;;',
      '',
    ]
    writeFileSync(file, Buffer.from(rows.join('\r\n'), 'latin1'))
    const said = await portaria(`import users ${file} --json`)
    assert.equal(said.code, 1, said.err)
    assert.deepEqual([said.json.added, said.json.refused, said.json.lines[0].line], [2, 1, 3])
    const joao = (await portaria('user show joao@example.com --json')).json
    assert.deepEqual([joao.name, typeof joao.verified_at], ['João', 'string'])
    writeFileSync(file, 'email;role\nana@example.com;admin\n')
    const refused = await portaria(`import users ${file} --dry-run`)
    assert.equal(refused.code, 2)
    assert.match(refused.err, /columns that are not known: role/)
  })

  it('refuses the hash that would never end, and goes on', async () => {
    const portaria = commandLine(await database.fresh())
    const bcrypt = (cost: number) => `$2b$${cost}$abcdefghijklmnopqrstuu2cWZ3evg9SCkuaENb4maXfjYJc9cCB2`
    const users = [31, 14, 13].map((cost) => ({ email: `cost${cost}@example.com`, password_hash: bcrypt(cost) }))
    const said = await portaria(`import users ${fileOf(users)} --json`)
    assert.equal(said.code, 1, said.err)
    assert.deepEqual(
      said.json.lines.map(({ line, why }: { line: number; why: string }) => [line, /a cost of 13 at most/.test(why)]),
      [
        [1, true],
        [2, true],
      ],
    )
    const all = (await portaria('user list --json')).json as Array<{ email: string }>
    assert.deepEqual(
      all.map(({ email }) => email),
      ['cost13@example.com'],
    )
  })

  it('takes what stands before the cut of a file, and the rest with the whole file', async () => {
    const rows = ['email,name', 'ana@example.com,Ana', 'bia@example.com,Bia', 'caio@example.com.br,Caio', '']
    const lines = ['ana@example.com', 'bia@example.com', 'caio@example.com.br'].map((email) => JSON.stringify({ email }))
    for (const [text, at, extension] of [
      [rows.join('\n'), 'caio@example.com', 'csv'],
      [rows.join('\n'), 'caio@example.com.br,Ca', 'csv'],
      [lines.join('\n'), '"caio@exa', 'jsonl'],
    ] as const) {
      const portaria = commandLine(await database.fresh())
      const file = path.join(folder, `cut.${extension}`)
      writeFileSync(file, text.slice(0, text.indexOf(at) + at.length))
      const cut = await portaria(`import users ${file} --json`)
      assert.deepEqual([cut.code, cut.json.added, cut.json.refused], [1, 2, 1], cut.err)
      assert.match(cut.json.lines[0].why, /it is the last line/)
      writeFileSync(file, text)
      const whole = await portaria(`import users ${file} --json`)
      assert.deepEqual([whole.code, whole.json.added, whole.json.known], [0, 1, 2], whole.err)
      const all = (await portaria('user list --json')).json as Array<{ email: string }>
      assert.deepEqual(all.map(({ email }) => email).sort(), ['ana@example.com', 'bia@example.com', 'caio@example.com.br'])
    }
  })

  it('answers exit code 2 for a file that is not there', async () => {
    const said = await commandLine(await database.fresh())('import users nowhere.jsonl')
    assert.equal(said.code, 2)
    assert.match(said.err, /there is no file nowhere\.jsonl/)
  })

  const PRODUCT = 'product create --slug wiki --name Wiki --audience internal --checkout integrated'
  const SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'

  it('finds a user by the id of the system before, and imports nobody twice under another address', async () => {
    const portaria = commandLine(await database.fresh())
    const ana = { email: 'ana@example.com', external_id: 'auth0|Ana-1' }
    const lines = [
      ana,
      { email: 'other@example.com', external_id: 'auth0|Ana-1' },
      { email: 'bia@example.com', external_id: 'auth0|ana-1' },
    ]
    const rehearsed = await portaria(`import users ${fileOf(lines)} --dry-run --json`)
    assert.deepEqual([rehearsed.json.added, rehearsed.json.known], [2, 1])
    assert.deepEqual(rehearsed.json.lines[0].brings, ['external_id'])
    const done = await portaria(`import users ${fileOf(lines)} --json`)
    assert.deepEqual([done.json.added, done.json.known], [2, 1])
    const shown = (await portaria('user show auth0|Ana-1 --json')).json
    assert.deepEqual([shown.email, shown.external_id], ['ana@example.com', 'auth0|Ana-1'])
    await portaria('user correct ana@example.com --email ana.souza@example.com --reason moved')
    const again = await portaria(`import users ${fileOf([ana])} --json`)
    assert.deepEqual([again.json.added, again.json.known], [0, 1])
    const bad = await portaria(`import users ${fileOf([{ email: 'x@example.com', external_id: 'a\nb' }])} --json`)
    assert.equal(bad.json.lines[0].why, 'external_id: one line of at most 200 visible characters')
  })

  it('brings the second factor along, sealed, where its codes are of our kind', async () => {
    const where = await database.fresh()
    const portaria = commandLine(where)
    const uri = (more: string) => `otpauth://totp/Old:ana?secret=${SECRET}&issuer=Old${more}`
    const secrets = [
      'gezd gnbv gy3t qojq gezd gnbv gy3t qojq',
      uri('&algorithm=SHA1&digits=6&period=30'),
      uri('&digits=8'),
      uri('&period=60'),
      uri('&algorithm=SHA256'),
      uri('').replace('totp', 'hotp'),
      'GEZDGNBV',
      'not base32!',
    ]
    const lines = secrets.map((totp_secret, i) => ({ email: `user${i}@example.com`, totp_secret }))
    const said = await portaria(`import users ${fileOf(lines)} --json`)
    assert.deepEqual(
      said.json.lines.map(({ line, why }: { line: number; why: string }) => `${line} ${why.slice(0, 30)}`),
      [
        ...[3, 4, 5, 6].map((line) => `${line} totp_secret: its codes are not`),
        ...[7, 8].map((line) => `${line} totp_secret: base32 of 10 to 1`),
      ],
    )
    assert.equal((await portaria('user show user0@example.com --json')).json.second_factor, true)
    const storage = await openStorage(parseDatabaseUrl(where.url) ?? assert.fail())
    const rows = await storage.db.selectFrom('totp_factors').selectAll().execute()
    await storage.close()
    assert.equal(rows.length, 2)
    assert.ok(rows.every(({ secret_sealed, confirmed_at }) => !secret_sealed.includes(SECRET) && confirmed_at !== null))
  })

  it('gives a plan, links a provider, and refuses those that are not here', async () => {
    const where = await database.fresh()
    const portaria = commandLine(where)
    await portaria(PRODUCT)
    await portaria('plan set --slug pro --name Pro --price 9900')
    await portaria('plan set --slug mini --name Mini --price 900 --product wiki')
    const storage = await openStorage(parseDatabaseUrl(where.url) ?? assert.fail())
    const named = { id: 'google', name: 'Google', issuer: 'https://accounts.google.com', client_id: 'portaria' }
    const rest = { client_secret_sealed: 'x', authoritative_for: '', access_token_audience: null, kind: null, created_at: 1, updated_at: 1 }
    await storage.db
      .insertInto('identity_providers')
      .values({ ...named, ...rest })
      .execute()
    const google = (subject: string) => ({ identities: [{ provider: 'google', subject }] })
    const lines = [
      { email: 'a@example.com', plan: 'pro', plan_until: '2099-01-31', ...google('1'), language: 'pt_BR' },
      { email: 'b@example.com', plan: 'mini', plan_product: 'wiki' },
      { email: 'c@example.com', plan: 'pro', plan_until: '2020-01-31' },
      { email: 'd@example.com', plan: 'mini' },
      { email: 'e@example.com', plan: 'pro', plan_product: 'none' },
      { email: 'f@example.com', plan_until: '2099-01-31' },
      { email: 'g@example.com', plan: 'pro', plan_until: 'soon' },
      { email: 'h@example.com', ...google('1') },
      { email: 'i@example.com', identities: [{ provider: 'https://accounts.google.com', subject: '1' }] },
      { email: 'j@example.com', identities: [{ provider: 'other', subject: '1' }] },
      { email: 'k@example.com', ...google('') },
      { email: 'l@example.com', language: 'de' },
    ]
    const rehearsed = await portaria(`import users ${fileOf(lines)} --dry-run --json`)
    const texts = rehearsed.json.lines.map(
      ({ line, brings, why = '' }: { line: number; brings?: string[]; why?: string }) =>
        `${line} ${brings?.join(', ') ?? why.slice(0, 42)}`,
    )
    assert.deepEqual(texts, [
      '1 language, identity of google, plan pro until 2099-02-01T12:00:00.000Z',
      '2 plan mini',
      '3 no plan, since pro ended 2020-02-01T12:00:00.000Z',
      '4 plan: there is no such plan: see `portaria',
      '5 plan_product: there is no such product',
      '6 plan: it is missing, beside plan_product o',
      '7 plan_until: a day like 2027-01-31, or a ti',
      '8 identities: another account has the one of',
      '9 identities: another account has the one of',
      '10 identities: other is not connected here: c',
      '11 identities: a subject has 1 to 255 visible',
      '12 language: pt-BR, en or es',
    ])
    const done = await portaria(`import users ${fileOf(lines)} --json`)
    assert.deepEqual([done.json.added, done.json.refused], [3, 9])
    assert.deepEqual(done.json.lines, rehearsed.json.lines.slice(3))
    const shown = async (email: string) => (await portaria(`user show ${email} --json`)).json
    const [a, b, c] = [await shown('a@example.com'), await shown('b@example.com'), await shown('c@example.com')]
    assert.deepEqual([a.plan_slug, a.subscriptions.length, b.subscriptions.length, c.subscriptions.length], ['pro', 1, 1, 0])
    assert.equal(a.subscriptions[0].current_period_end, '2099-02-01T12:00:00.000Z')
    const identities = await storage.db.selectFrom('identities').select(['user_id', 'issuer', 'subject']).execute()
    await storage.close()
    assert.deepEqual(identities, [{ user_id: a.id, issuer: 'https://accounts.google.com', subject: '1' }])
    const table = path.join(folder, 'plans.csv')
    writeFileSync(
      table,
      'email,identities,plan,totp_secret\nm@example.com,google:2 https://accounts.google.com:3,pro,\nn@example.com,google,,\n',
    )
    const ofTable = await portaria(`import users ${table} --dry-run --json`)
    assert.deepEqual(ofTable.json.lines[0].brings, ['identity of google', 'identity of google', 'plan pro'])
    assert.match(ofTable.json.lines[1].why, /^identities: /)
  })

  it('has endpoints that hear of users hear of each', async () => {
    const where = await database.fresh()
    const portaria = commandLine(where)
    const two = fileOf([{ email: 'ana@example.com' }, { email: 'bia@example.com' }])
    const storage = await openStorage(parseDatabaseUrl(where.url) ?? assert.fail())
    await portaria('endpoint add https://ops.example.com/hooks --type user.created')
    await portaria(`import users ${two}`)
    const marked = await storage.db.selectFrom('reported_users').innerJoin('users', 'id', 'user_id').select(['email', 'due']).execute()
    await storage.close()
    assert.deepEqual(marked.map(({ email, due }) => `${email} ${due}`).sort(), ['ana@example.com 1', 'bia@example.com 1'])
  })

  it('writes the refused lines to a table', async () => {
    const portaria = commandLine(await database.fresh())
    const report = path.join(folder, 'refused.csv')
    const formula = { email: 'bia@example.com', identities: [{ provider: 'x;=1+1', subject: '1' }] }
    const file = fileOf([{ email: 'ana@example.com' }, { email: '=1+1@example.com', tax_id: '1' }, { email: 'nobody' }, formula])
    const said = await portaria(`import users ${file} --report ${report}`)
    assert.equal(said.code, 1)
    assert.deepEqual(readFileSync(report, 'utf8').split('\r\n'), [
      'line,email,reason',
      '2,"\'=1+1@example.com","tax_id: it is no CPF or CNPJ; a digit may have been swapped"',
      '3,"","email: it is no address"',
      // Excel in Brazil splits a cell at a semicolon, quotes or not.
      `4,"bia@example.com","identities: x;'=1+1 is not connected here: connect it, or leave all links out with --no-identities"`,
      '',
    ])
    assert.equal((await portaria(`import users ${file} --report ${folder}/none/refused.csv`)).code, 2)
  })

  if (process.platform === 'linux')
    it('says what was imported, and that the table of refused lines is not whole, where the disk is full', async () => {
      const portaria = commandLine(await database.fresh())
      const file = fileOf([{ email: 'ana@example.com' }, { email: 'nobody' }])
      const said = await portaria(`import users ${file} --report /dev/full`)
      assert.equal(said.code, 1)
      assert.match(said.out, /Added: 1\..+Refused: 1\.\n\n\/dev\/full is not whole \(ENOSPC/s)
      assert.match((await portaria(`import users ${file} --report /dev/full --json`)).json.report_fault, /ENOSPC/)
    })
})
