import type { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import type { CompiledQuery, Driver, QueryResult } from 'kysely'
import { GroupUndone, RolledBack } from './group-undone.ts'
import { BUSY_TIMEOUT_MS, isBusy } from './sqlite-busy.ts'
import { NodeSqliteConnection } from './sqlite-connection.ts'
import type { AssertSameFiles } from './sqlite-files.ts'
import { Statements } from './sqlite-statements.ts'

/** Transactions that may share one commit. With more, the first would wait longer than the shared commit saves. */
const MAX_IN_GROUP = 64

/** After a rollback this many transactions go behind savepoints: whoever makes others roll back must not make everybody run twice. */
const CAREFUL_AFTER_ROLLBACK = 1_000

/** Transactions that are committed to disk together. */
interface Group {
  size: number
  committed: PromiseWithResolvers<void>
}

/**
 * Exactly one connection for the process, given to one user at a time. While another process writes (a command of the operator), writers
 * here wait in turns of the event loop: SQLite's own busy timeout would stop the whole process, checks included, and two handles in one
 * process would wait for each other. One of them asks again and again; it leaves the connection to the others meanwhile, so readers pass.
 *
 * Group commit: a finished transaction leaves its work in the open transaction, and those of the same turn of the event loop add theirs. At
 * the end of the turn one commit puts all of it on disk. No transaction resolves before that. A query outside a transaction commits first,
 * so it sees only what is on disk. A rollback undoes the whole group, and all of it is run again, each transaction behind a savepoint then:
 * a savepoint has SQLite copy every page before its first change, which is dear where hardly any transaction rolls back.
 */
export class NodeSqliteDriver implements Driver {
  readonly #handle: DatabaseSync
  readonly #statements: Statements
  readonly #assertSameFiles: AssertSameFiles
  readonly #waiting: Array<() => void> = []
  #taken = false
  /** Whether a writer asks for the file again and again, because another process has it. */
  #isAsked = false
  /** Wakes the writers that wait for that one: all when it has the file, the first when it gives up. */
  readonly #blocked = new Set<() => void>()
  #group: Group | undefined
  /** Transactions still to go behind savepoints. */
  #careful = 0

  constructor(handle: DatabaseSync, assertSameFiles: AssertSameFiles = () => {}) {
    this.#assertSameFiles = assertSameFiles
    this.#handle = handle
    this.#statements = new Statements(handle)
    handle.exec('pragma busy_timeout=0')
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<NodeSqliteConnection> {
    const turn = new NodeSqliteConnection(performance.now() + BUSY_TIMEOUT_MS, async (query) =>
      turn.place === 'outside' ? this.#whenFree(turn, () => this.#execute(query, turn)) : this.#execute(query, turn),
    )
    await this.#take()
    return turn
  }

  async beginTransaction(turn: NodeSqliteConnection): Promise<void> {
    await this.#whenFree(turn, () => this.#begin(turn))
  }

  async commitTransaction(turn: NodeSqliteConnection): Promise<void> {
    const group = this.#group
    if (!group) throw new RolledBack()
    if (turn.place === 'behind_savepoint') this.#statements.run('release one_of_group')
    else if (turn.place === 'first_of_group') setImmediate(() => this.#commitAtEndOfTurn(group))
    turn.place = 'outside'
    if (group.size >= MAX_IN_GROUP) this.#commitGroup()
    turn.isOver = true
    this.#passOn()
    return group.committed.promise
  }

  /** A full disk has rolled back already, and with it every transaction of the group. */
  async rollbackTransaction({ place }: NodeSqliteConnection): Promise<void> {
    if (place === 'outside' || !this.#group) return
    if (place === 'behind_savepoint') {
      this.#statements.run('rollback to one_of_group')
      return this.#statements.run('release one_of_group')
    }
    this.#statements.run('rollback')
    if (place === 'first_of_group') {
      this.#group = undefined
      return
    }
    this.#careful = CAREFUL_AFTER_ROLLBACK
    const undone = new GroupUndone()
    this.#lose(undone)
    // This one too: it may have failed by what another one wrote, which is gone now.
    throw undone
  }

  async releaseConnection({ isOver }: NodeSqliteConnection): Promise<void> {
    if (!isOver) this.#passOn()
  }

  /** After the user before: otherwise half of a running transaction would be committed. */
  async destroy(): Promise<void> {
    await this.#take()
    while (this.#isAsked || this.#blocked.size > 0 || this.#waiting.length > 0) {
      this.#passOn()
      await sleep(1)
      await this.#take()
    }
    this.#commitGroup()
    this.#statements.forget()
    this.#handle.close()
    this.#passOn()
  }

  async #take(): Promise<void> {
    if (this.#taken) await new Promise<void>((resolve) => this.#waiting.push(resolve))
    this.#taken = true
  }

  #passOn(): void {
    const next = this.#waiting.shift()
    if (next) next()
    else this.#taken = false
  }

  #begin(turn: NodeSqliteConnection): void {
    if (this.#group) {
      turn.place = this.#careful > 0 ? 'behind_savepoint' : 'later_of_group'
      if (this.#careful > 0) {
        this.#careful--
        this.#statements.run('savepoint one_of_group')
      }
      this.#group.size++
    } else {
      this.#statements.run('begin immediate')
      this.#group = { size: 1, committed: Promise.withResolvers<void>() }
      turn.place = 'first_of_group'
    }
  }

  /**
   * Asks at least once, and until the time of the turn is over. It counts from its arrival: a hundred writers behind another process's
   * lock wait for five seconds together, not one after the other. Inside a transaction no other process has the file.
   */
  async #whenFree<R>({ waitsUntil }: NodeSqliteConnection, work: () => R): Promise<R> {
    let asks = false
    let woken = 1
    try {
      for (let pauseMs = 1; ; pauseMs = Math.min(pauseMs * 2, 20)) {
        try {
          const answer = work()
          woken = Number.POSITIVE_INFINITY
          return answer
        } catch (error) {
          if (!isBusy(error) || performance.now() >= waitsUntil) throw error
        }
        this.#passOn()
        asks ||= !this.#isAsked
        this.#isAsked = true
        await (asks ? sleep(pauseMs).then(() => this.#take()) : this.#takeOnceWoken(waitsUntil))
      }
    } finally {
      if (asks) this.#isAsked = false
      // Also by one that was woken and did not ask again: else those behind it would wait for nobody.
      if (!this.#isAsked && this.#blocked.size > 0) for (const wake of [...this.#blocked].slice(0, woken)) wake()
    }
  }

  /** Or once the time of the turn is over. */
  async #takeOnceWoken(waitsUntil: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, waitsUntil - performance.now())
    this.#blocked.add(resolve)
    await promise
    clearTimeout(timer)
    this.#blocked.delete(resolve)
    await this.#take()
  }

  #execute<R>(query: CompiledQuery, { place, isOver }: NodeSqliteConnection): QueryResult<R> {
    if (isOver) throw new Error('a statement of a transaction that is over: it was not awaited')
    if (place === 'outside') this.#commitGroup()
    if (place === 'outside') this.#assertSameFiles(query.query.kind === 'SelectQueryNode' ? 'read' : 'write')
    else if (!this.#group) throw new RolledBack() // or this statement would be committed by itself
    try {
      return this.#statements.execute(query)
    } catch (error) {
      if (!this.#handle.isTransaction) this.#lose(error)
      throw error
    }
  }

  /** A running transaction is let finish first; it may only be waiting for its own next statement. */
  #commitAtEndOfTurn(group: Group): void {
    if (this.#group !== group) return
    if (this.#taken) setImmediate(() => this.#commitAtEndOfTurn(group))
    else this.#commitGroup()
  }

  /** A fault is reported to those whose commit it was, not to the next user of the connection. */
  #commitGroup(): void {
    if (!this.#group) return
    try {
      this.#assertSameFiles('write')
      this.#statements.run('commit')
    } catch (error) {
      if (this.#handle.isTransaction) this.#statements.run('rollback')
      this.#lose(error)
    }
    this.#group?.committed.resolve()
    this.#group = undefined
  }

  #lose(error: unknown): void {
    this.#group?.committed.promise.catch(() => {}) // the transaction whose statement failed has its own error, and may be alone
    this.#group?.committed.reject(error)
    this.#group = undefined
  }
}
