import type { Kysely } from 'kysely'
import { operationTables } from './0001-initial/operation.ts'
import { paymentsTables } from './0001-initial/payments.ts'
import { productsTables } from './0001-initial/products.ts'
import { sessionsTables } from './0001-initial/sessions.ts'
import { signInTables } from './0001-initial/sign-in.ts'
import { usersTables } from './0001-initial/users.ts'

/** The tables of 0.1.0. A table comes after those that it refers to. */
export async function up(db: Kysely<unknown>, dialect: 'sqlite' | 'postgres'): Promise<void> {
  await productsTables(db)
  await usersTables(db)
  await signInTables(db)
  await sessionsTables(db)
  await paymentsTables(db, dialect)
  await operationTables(db, dialect)
}
