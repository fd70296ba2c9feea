import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, it } from 'node:test'
import { commandLine } from '../../../test/support/command-line.ts'
import { eachDatabase } from '../../../test/support/databases.ts'
import { PASSWORD, startService } from '../../../test/support/service.ts'

const PHPASS = '$P$Babcdefgh.xFw/fkCt8DTYfNHlBveV/'
const SECRET = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'

eachDatabase('The export of users', (database) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'portaria-export-'))
  after(() => rmSync(folder, { recursive: true }))
  const write = (name: string, text: string) => {
    const file = path.join(folder, `${database.name}-${name}`)
    writeFileSync(file, text)
    return file
  }
  const linesOf = (text: string) =>
    text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
  const records = [
    {
      email: 'ana@example.com',
      external_id: 'a1',
      email_verified: true,
      name: 'Ana Souza',
      phone: '+5511912345678',
      tax_id: '52998224725',
      language: 'pt-BR',
      password_hash: PHPASS,
      totp_secret: SECRET,
      created_at: '2024-01-02T03:04:05.000Z',
    },
    { email: 'bob@example.com', external_id: 'b2', email_verified: false, name: 'bob', created_at: '2024-01-03T00:00:00.000Z' },
  ]

  it('is what an import reads: imported elsewhere and exported again it is the same', async () => {
    const [here, there] = [commandLine(await database.fresh()), commandLine(await database.fresh())]
    const imported = await here(`import users ${write('in.jsonl', records.map((one) => JSON.stringify(one)).join('\n'))}`)
    assert.equal(imported.code, 0, imported.out)
    const exported = await here('export users --with-hashes --with-tax-ids')
    assert.equal(exported.code, 0, exported.err)
    const [ana] = linesOf(exported.out)
    assert.deepEqual({ ...ana, password_hash: PHPASS }, records[0])
    assert.match(ana.password_hash, /^\$f\$phpass\$/)
    assert.equal((await there(`import users ${write('out.jsonl', exported.out)}`)).code, 0)
    assert.equal((await there('export users --with-hashes --with-tax-ids')).out, exported.out)
  })

  it('has neither hashes nor secrets nor tax ids unless they are asked for, and is audited', async () => {
    const portaria = commandLine(await database.fresh())
    await portaria(`import users ${write('secret.jsonl', JSON.stringify(records[0]))}`)
    const { out } = await portaria('export users')
    const [ana] = linesOf(out)
    assert.deepEqual(Object.keys(ana), ['email', 'external_id', 'email_verified', 'name', 'phone', 'language', 'created_at'])
    await portaria('export users --with-hashes')
    const audit = (await portaria('audit list --action user.export_all --json')).json as Array<{ actor: string; after: object }>
    assert.deepEqual(
      audit.map(({ after }) => after),
      [
        { state: 'done', exported: 1, disabled: 0, hashes: true, taxIds: false },
        { state: 'begun', hashes: true, taxIds: false },
        { state: 'done', exported: 1, disabled: 0, hashes: false, taxIds: false },
        { state: 'begun', hashes: false, taxIds: false },
      ],
    )
    assert.ok(audit.every(({ actor }) => actor === 'operator:cli'))
  })

  it('has passwords with which the same people sign in elsewhere', async () => {
    const [from, to] = [await database.fresh(), await database.fresh()]
    const here = commandLine(from)
    await here('user create --email ana@example.com --name Ana --password-stdin', PASSWORD)
    const exported = await here('export users --with-hashes')
    assert.equal((await commandLine(to)(`import users ${write('own.jsonl', exported.out)}`)).code, 0)
    const service = await startService(to)
    const answer = await service.browser().signIn('/login', { email: 'ana@example.com', password: PASSWORD })
    assert.equal(answer.status, 302)
  })

  it('leaves out disabled users, whom a file would open again, and goes beyond a page', async () => {
    const portaria = commandLine(await database.fresh())
    const many = Array.from({ length: 450 }, (_, i) => JSON.stringify({ email: `user${i}@example.com` }))
    await portaria(`import users ${write('many.jsonl', many.join('\n'))}`)
    assert.equal((await portaria('user disable user7@example.com')).code, 0)
    const { out, err } = await portaria('export users')
    assert.equal(linesOf(out).length, 449)
    assert.match(err, /449 users were exported; left out, as they are disabled: 1/)
  })
})
