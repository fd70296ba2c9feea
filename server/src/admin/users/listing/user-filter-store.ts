import { type SelectQueryBuilder, sql } from 'kysely'
import { firstIdAt } from '../../../kit/index.ts'
import type { Queryable, Schema } from '../../../storage/index.ts'
import type { User } from '../../../users/index.ts'

/** Up to this many are read completely, which is quicker than searching all users for the first page of them. */
const FEW = 2_000

export type Users = SelectQueryBuilder<Schema, 'users', { id: string }>

export function withFilters(users: Users, db: Queryable, { role, disabled, producer, beta, ...created }: UserFilter): Users {
  let query = createdWithin(users, created)
  // Worded as in the partial indexes, so that a database uses them.
  if (role !== undefined) query = query.where('users.role', 'is not', null)
  if (role !== undefined && role !== 'any') query = query.where('users.role', '=', role)
  if (disabled !== undefined) query = query.where('users.disabled_at', disabled ? 'is not' : 'is', null)
  if (producer !== undefined) query = query.where('users.id', producer ? 'in' : 'not in', producers(db))
  if (beta !== undefined) query = query.where('users.id', beta ? 'in' : 'not in', betaUsers(db))
  return query
}

function createdWithin(users: Users, { createdSince, createdUntil }: Pick<UserFilter, 'createdSince' | 'createdUntil'>): Users {
  let query = users
  if (createdSince !== undefined) query = query.where('users.id', '>=', firstIdAt(createdSince))
  if (createdUntil !== undefined) query = query.where('users.id', '<', firstIdAt(createdUntil))
  return query
}

const producers = (db: Queryable) => db.selectFrom('users_company').select('user_id').where('is_producer', '=', sql.lit(1))
const betaUsers = (db: Queryable) => db.selectFrom('beta_users').select('user_id')

/** Whether a filter lets only few pass, and has no index in the order of addresses. */
export async function areFew(db: Queryable, { producer, beta, ...created }: UserFilter): Promise<boolean> {
  if (producer === true && (await isShort(producers(db)))) return true
  if (beta === true && (await isShort(betaUsers(db)))) return true
  const isTimed = created.createdSince !== undefined || created.createdUntil !== undefined
  return isTimed && isShort(createdWithin(db.selectFrom('users').select('users.id'), created))
}

async function isShort<TB extends keyof Schema>(query: SelectQueryBuilder<Schema, TB, object>): Promise<boolean> {
  return (await query.limit(1).offset(FEW).executeTakeFirst()) === undefined
}

export type UserSort = 'created_at' | 'email'

export type Match = 'beginning' | 'whole'

export interface UserFilter {
  /** The typed words: each is the beginning of one of the user's terms, or one of them. No words find nobody. */
  terms?: readonly string[] | undefined
  match?: Match | undefined
  /** Finds the one user who had this id in another system, in place of the terms. */
  externalId?: string | undefined
  role?: NonNullable<User['role']> | 'any' | undefined
  disabled?: boolean | undefined
  producer?: boolean | undefined
  beta?: boolean | undefined
  /** Ms. */
  createdSince?: number | undefined
  createdUntil?: number | undefined
}
