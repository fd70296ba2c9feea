import { AsyncLocalStorage } from 'node:async_hooks'
import type { Kysely, KyselyPlugin, Transaction } from 'kysely'
import { withRawConnection } from './raw-connection.ts'
import { retryTransaction } from './retry-transaction.ts'

/**
 * Makes the root handle unusable inside a transaction's work. On SQLite it would wait for itself for ever; on PostgreSQL it would run on
 * another connection, outside the transaction. Queries of the transaction must go through `tx`.
 */
export function guardRootHandle<Schema>(db: Kysely<Schema>) {
  const inside = new AsyncLocalStorage<true>()
  const refuseInside = () => {
    if (inside.getStore()) throw new Error('the root handle was used inside a transaction: pass on the tx')
  }
  const refusing: KyselyPlugin = {
    transformQuery({ node }) {
      refuseInside()
      return node
    },
    transformResult: async ({ result }) => result,
  }
  return {
    db: db.withPlugin(refusing),
    async transaction<T>(work: (tx: Transaction<Schema>) => Promise<T>): Promise<T> {
      refuseInside()
      return retryTransaction(() => db.transaction().execute((tx) => inside.run(true, () => withRawConnection(tx, work))))
    },
  }
}
