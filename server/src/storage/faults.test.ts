import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { DatabaseAway, markAway } from './away.ts'
import { isConflict, isDatabaseAway } from './faults.ts'
import { GroupUndone } from './sqlite/group-undone.ts'

const ofPostgres = (code: string, severity = 'ERROR') => Object.assign(new Error('as the server says it'), { code, severity })
const ofSqlite = (errcode: number) => Object.assign(new Error('as SQLite says it'), { code: 'ERR_SQLITE_ERROR', errcode })
const ofNetwork = (code: string) => Object.assign(new Error(`connect ${code}`), { code })

describe('A fault of the database', () => {
  it('is "away" by the code of a server that stops, starts, follows, is full, is read only, or has ended what was asked', () => {
    const codes = {
      connection: ['08000', '08001', '08003', '08004', '08006', '08P01'],
      resources: ['53000', '53100', '53200', '53300', '53400'],
      operator: ['57014', '57P01', '57P02', '57P03', '57P04', '57P05'],
      system: ['58000', '58030', 'XX001', 'XX002'],
      transaction: ['25006', '25P03', '25P04', '40001', '40003', '40P01', '55P03'],
    }
    for (const code of Object.values(codes).flat()) assert.equal(isDatabaseAway(ofPostgres(code)), true, code)
  })

  it('is "away" with any code after which the server has ended the connection', () => {
    for (const code of ['28P01', '28000', '3D000', 'XX000']) {
      assert.equal(isDatabaseAway(ofPostgres(code, 'FATAL')), true, code)
      assert.equal(isDatabaseAway(ofPostgres(code)), false, code)
    }
  })

  it('is "away" by the reason that SQLite gives, in its first byte', () => {
    const codes = {
      PERM: 3,
      BUSY: 5,
      LOCKED: 6,
      NOMEM: 7,
      READONLY: 8,
      IOERR: 10,
      CORRUPT: 11,
      FULL: 13,
      CANTOPEN: 14,
      PROTOCOL: 15,
      NOTADB: 26,
    }
    for (const [name, errcode] of Object.entries(codes)) {
      assert.equal(isDatabaseAway(ofSqlite(errcode)), true, name)
      assert.equal(isDatabaseAway(ofSqlite(errcode + 5 * 256)), true, name)
    }
  })

  it('is "away" by its mark, alone or among others', () => {
    const marked = markAway(ofNetwork('ECONNRESET'))
    assert.equal(isDatabaseAway(marked), true)
    assert.equal(isDatabaseAway(new AggregateError([new Error('one address'), marked])), true)
    assert.equal(isDatabaseAway(new DatabaseAway('gone')), true)
    assert.equal(isDatabaseAway(new GroupUndone()) && isConflict(new GroupUndone()), true)
  })

  it('is none where the program is wrong: a statement, a value, a state of its own, another server, another file', () => {
    const statements = [
      '0A000',
      '22001',
      '22P02',
      '23502',
      '23503',
      '23505',
      '25001',
      '25P02',
      '26000',
      '42501',
      '42601',
      '42703',
      '42883',
      '42P01',
      '55000',
      'P0001',
      'XX000',
    ]
    for (const code of statements) assert.equal(isDatabaseAway(ofPostgres(code)), false, code)
    for (const errcode of [1, 4, 9, 12, 17, 18, 19, 20, 21, 25, 2067, 1555])
      assert.equal(isDatabaseAway(ofSqlite(errcode)), false, `${errcode}`)
    for (const code of ['ECONNREFUSED', 'ECONNRESET', 'ENOENT', 'ETIMEDOUT']) assert.equal(isDatabaseAway(ofNetwork(code)), false, code)
    for (const fault of [new TypeError('x is undefined'), new Error('Connection terminated'), 'text', undefined, null])
      assert.equal(isDatabaseAway(fault), false)
  })
})
