import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import type { ImportRecord } from './import-record.ts'
import { readUsersFile } from './read-users-file.ts'

/** Reads bytes in pieces of this size, so that characters and quotes are cut in two. */
async function read(file: string | Uint8Array, size = 3) {
  const bytes = Buffer.from(file)
  const open = async function* () {
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
  }
  const found = await readUsersFile(open)
  if ('refused' in found) return found.refused
  const all: ImportRecord[] = []
  for await (const record of found.records) all.push(record)
  return all
}
/** The records of a file, with the reasons of refusals shortened. */
async function brief(file: string | Uint8Array) {
  const records = await read(file)
  assert.ok(typeof records !== 'string', String(records))
  return records.map((record) => ('refused' in record ? `${record.line} ${record.refused.slice(0, 24)}` : { ...(record.value as object) }))
}
const user = (email: string, more = {}) => ({ email, email_verified: undefined, created_at: undefined, ...more })

describe('A file of users', () => {
  it('is JSON lines where it begins with a brace, with or without a byte order mark', async () => {
    assert.deepEqual(await brief('\u{feff}\n{"email":"ana@example.com"}\r\n\n{"email":"b'), [
      { email: 'ana@example.com' },
      '4 it is no JSON; it is the',
    ])
  })

  it('is a table with commas or semicolons, in UTF-8 or as Excel in Brazil writes it', async () => {
    const text = 'Email;NAME;email_verified;created_at\r\nana@example.com;João;VERDADEIRO;2023-05-02\r\nbia@example.com;;falso;\r\n'
    const expected = [
      { email: 'ana@example.com', name: 'João', email_verified: true, created_at: '2023-05-02T00:00:00Z' },
      user('bia@example.com', { email_verified: false }),
    ]
    assert.deepEqual(await brief(text), expected)
    assert.deepEqual(await brief(`\u{feff}${text}`), expected)
    assert.deepEqual(await brief(Buffer.from(text, 'latin1')), expected)
    assert.deepEqual(await brief(text.replaceAll(';', ',')), expected)
  })

  it('may have separators, quotes and line breaks in a quoted cell', async () => {
    const text = 'email,name\n"ana@example.com","Souza, ""Ana""\r\nfrom here"\n\nbia@example.com,B\n'
    assert.deepEqual(await brief(text), [
      user('ana@example.com', { name: 'Souza, "Ana"\nfrom here' }),
      user('bia@example.com', { name: 'B' }),
    ])
  })

  it('loses one line by a stray quote, and none of those after it', async () => {
    const text =
      'email,name\nana@example.com,"Ana\nbia@example.com,B\ncarla@example.com,C "la" S\ndora@example.com,"D"x\neva@example.com,E\n'
    assert.deepEqual(await brief(text), [
      '2 a quote is not closed, o',
      user('bia@example.com', { name: 'B' }),
      '4 a quote is not closed, o',
      '5 a quote is not closed, o',
      user('eva@example.com', { name: 'E' }),
    ])
    const long = `email,name\nana@example.com,"Ana\n${'bia@example.com,B\n'.repeat(2_000)}`
    assert.equal((await brief(long)).length, 2_001)
  })

  it('refuses a last row without a line break: a cut address is another address', async () => {
    const text = 'email,name\nana@example.com,Ana\n'
    assert.deepEqual(await brief(`${text}bia,bia@example.co`), [user('ana@example.com', { name: 'Ana' }), '3 it is the last line and '])
    assert.deepEqual(await brief(`${text}bia@example.com,"B\nia`), [
      user('ana@example.com', { name: 'Ana' }),
      '3 a quote is not closed, o',
      '4 it is the last line and ',
    ])
    const cutWithin = Buffer.from('email,name\nana@example.com,José\nbia@example.com,José\n').subarray(0, -2)
    assert.deepEqual(
      await brief(cutWithin),
      [user('ana@example.com', { name: 'José' }), '3 it is the last line and '],
      'UTF-8 all the same',
    )
  })

  it('refuses a row of another length, one that is too long, and one whose characters are broken', async () => {
    const broken = Buffer.concat([
      Buffer.from('email,name\nana@example.com,José\nbia@example.com,'),
      Buffer.from([0xe9]),
      Buffer.from('\n'),
    ])
    assert.deepEqual(await brief(broken), [user('ana@example.com', { name: 'José' }), '3 it is too long, or its c'])
    assert.deepEqual(await brief(`email,name\na@b.co\na@b.co,A,1\na@b.co,${'x'.repeat(30_000)}\n`), [
      '2 it has 1 cells, and the ',
      '3 it has 3 cells, and the ',
      '4 it is too long, or its c',
    ])
  })

  it('is refused as a whole where its columns are not known, and where it is no text', async () => {
    const faults: Array<[string | Uint8Array, RegExp]> = [
      ['name,phone\nAna,1\n', /has the column email/],
      ['email,role\na@b.co,admin\n', /columns that are not known: role/],
      ['email,email\na@b.co,a@b.co\n', /the column email twice/],
      ['email,\na@b.co,\n', /no names of columns/],
      [Buffer.from('\u{feff}email,name\n', 'utf16le'), /CSV UTF-8/],
    ]
    for (const [file, fault] of faults) assert.match(String(await read(file)), fault)
  })

  it('gives back whatever texts a table was made of', async () => {
    const cell = fc.string({ unit: 'grapheme', maxLength: 20 }).filter((text) => !/[\r\0\u{fffd}\u{feff}]/u.test(text))
    await fc.assert(
      fc.asyncProperty(
        fc.array(cell, { minLength: 1, maxLength: 5 }),
        fc.constantFrom(',', ';'),
        fc.integer({ min: 1, max: 9 }),
        async (names, by, size) => {
          const rows = names.map((name) => `a@b.co${by}"${name.replaceAll('"', '""')}"\n`)
          const records = await read(`email${by}name\n${rows.join('')}`, size)
          assert.deepEqual(
            typeof records === 'string'
              ? records
              : records.map((record) => ('refused' in record ? record : (record.value as { name?: string }).name)),
            names.map((name) => (name === '' ? undefined : name)),
          )
        },
      ),
    )
  })
})
