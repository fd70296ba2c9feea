import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import { describe, it } from 'node:test'
import type pg from 'pg'
import { isDatabaseAway } from '../faults.ts'
import { lend } from './lend.ts'

/** A pool with one connection, whose server answers every query with this fault. Answers how the connection is given back. */
async function givenBackAfter(fault: Error): Promise<{ destroyed: unknown; met: unknown; next: unknown }> {
  const released: unknown[] = []
  let asked = 0
  const client = {
    query: async () => {
      asked += 1
      throw fault
    },
    release: (destroy: unknown) => released.push(destroy),
  }
  const pool = new EventEmitter()
  const connect = async () => {
    pool.emit('connect', client)
    return client
  }
  const lent = lend(Object.assign(pool, { connect }) as unknown as pg.Pool, {
    servers: { attempt: () => 0, attempts: 0 },
    statements: { run: (each, text, values) => each.query(text, values) },
    cancel: async () => {},
  })
  const connection = await lent.pool.connect()
  const query = () => connection.query('select 1', []).catch((error: unknown) => error)
  const [met, next] = [await query(), await query()]
  connection.release()
  assert.equal(released.length, 1)
  return { destroyed: released[0], met, next: asked === 2 ? 'asked' : next }
}

const saying = (severity: string, code: string) => Object.assign(new Error('as the server says it'), { severity, code })

describe('A connection that is given back', () => {
  it('is closed after an answer with which the server ends it, though its end may not have been seen yet', async () => {
    for (const severity of ['FATAL', 'PANIC']) {
      const { destroyed, met, next } = await givenBackAfter(saying(severity, '57P01'))
      assert.equal(destroyed, true, severity)
      assert.equal(next, met, 'nothing more is asked on it')
    }
  })

  it('is closed after a fault that no server has said, which means that the database is away', async () => {
    const { destroyed, met } = await givenBackAfter(new Error('Connection terminated unexpectedly'))
    assert.deepEqual([destroyed, isDatabaseAway(met)], [true, true])
  })

  it('is used again after a statement that was refused, and after a mistake of ours', async () => {
    for (const fault of [saying('ERROR', '23505'), new TypeError('x is undefined')]) {
      const { destroyed, met, next } = await givenBackAfter(fault)
      assert.deepEqual([destroyed, isDatabaseAway(met), next], [false, false, 'asked'])
    }
  })
})
