import { DatabaseAway } from '../away.ts'

/** The transaction was undone with its group, since another one of it rolled back. It may be run again. */
export class GroupUndone extends DatabaseAway {
  constructor() {
    super('the transaction was undone with others that were to be committed with it')
  }
}

/** A statement of it met a fault, such as a full disk, for which the database ended the whole transaction. */
export class RolledBack extends DatabaseAway {
  constructor() {
    super('the transaction was rolled back by the database')
  }
}
