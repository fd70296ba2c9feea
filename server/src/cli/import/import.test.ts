import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
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
        { email: 'bia@example.com', plan: 'pro' },
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
      '6 refused fields that are not known: plan',
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

  it('answers exit code 2 for a file that is not there', async () => {
    const said = await commandLine(await database.fresh())('import users nowhere.jsonl')
    assert.equal(said.code, 2)
    assert.match(said.err, /nowhere\.jsonl is no file that can be read/)
  })
})
