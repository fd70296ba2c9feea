// The states that events have reported.

export interface ReportedTables {
  reported_access: ReportedAccessRow
  access_scans: AccessScanRow
  reported_subscriptions: ReportedSubscriptionRow
  reported_users: ReportedUserRow
  user_scans: UserScanRow
}

export interface ReportedAccessRow {
  product_id: string
  /** An account's id, or the product's own id of a user. */
  subject: string
  sequence: number
  /** JSON; null: not looked at yet, and the first look reports nothing. */
  state: string | null
  /** When to look again: at once after a change, or when what was paid for ends. */
  due_at: number | null
}

/** A look at all users of a product, in portions. */
export interface AccessScanRow {
  product_id: string
  /** The id of the last subscription that was looked at. */
  position: string
  /** PostgreSQL: it begins when all transactions up to this one are over. */
  after_transaction: string | null
  started_at: number
}

export interface ReportedSubscriptionRow {
  id: string
  sequence: number
  /** JSON of what was reported; empty for nothing; null where that is not known. */
  state: string | null
  /** 1: to be looked at. */
  due: number | null
}

export interface ReportedUserRow {
  /** Empty: the operator. */
  product_id: string
  user_id: string
  sequence: number
  /** A hash of what was reported; empty for nothing; null: not looked at yet, and the first look reports nothing. */
  state: string | null
  /** 1: to be looked at. */
  due: number | null
}

/** A look at the users of a product, or at all of them for the operator (empty), in portions. */
export interface UserScanRow {
  product_id: string
  /** The id of the last user that was looked at. */
  position: string
  /** 1: the users are older than the endpoint, so the first look at each reports nothing. */
  is_first: number
  /** PostgreSQL: it begins when all transactions up to this one are over. */
  after_transaction: string | null
}
