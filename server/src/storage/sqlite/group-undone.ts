/** The transaction was undone with its group, since another one of it rolled back. It may be run again. */
export class GroupUndone extends Error {
  constructor() {
    super('the transaction was undone with others that were to be committed with it')
  }
}
