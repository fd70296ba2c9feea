import { type Queryable, removeInPortions, type TicketRow } from '../../storage/index.ts'
import type { TicketPurpose } from './ticket-purpose.ts'

interface TicketRecord {
  id: string
  purpose: TicketPurpose
  userId: string | undefined
  email: string
  secretHash: string
  codeHash: string
  payloadSealed: string
  createdAt: number
  expiresAt: number
}

export function ticketStore(db: Queryable) {
  const live = (purpose: TicketPurpose, now: number) =>
    db.selectFrom('tickets').selectAll().where('purpose', '=', purpose).where('expires_at', '>', now)
  const taking = (purpose: TicketPurpose, now: number) =>
    db.deleteFrom('tickets').where('purpose', '=', purpose).where('expires_at', '>', now).returningAll()
  return {
    async insert(ticket: TicketRecord): Promise<void> {
      await db
        .insertInto('tickets')
        .values({
          id: ticket.id,
          purpose: ticket.purpose,
          user_id: ticket.userId ?? null,
          email: ticket.email,
          secret_hash: ticket.secretHash,
          code_hash: ticket.codeHash,
          code_tries: 0,
          payload_sealed: ticket.payloadSealed,
          created_at: ticket.createdAt,
          expires_at: ticket.expiresAt,
        })
        .execute()
    },
    async find(secretHash: string, purpose: TicketPurpose, now: number) {
      return fromRow(await live(purpose, now).where('secret_hash', '=', secretHash).executeTakeFirst(), purpose)
    },
    /** Takes a ticket in one statement: of any number of concurrent calls, on any nodes, exactly one gets it. */
    async takeBySecret(secretHash: string, purpose: TicketPurpose, now: number) {
      return fromRow(await taking(purpose, now).where('secret_hash', '=', secretHash).executeTakeFirst(), purpose)
    },
    async takeById(id: string, purpose: TicketPurpose, now: number) {
      return fromRow(await taking(purpose, now).where('id', '=', id).executeTakeFirst(), purpose)
    },
    /**
     * Counts a try of a code and answers the hash to compare with, in one statement; `undefined` when there is no such ticket or its tries
     * are used up.
     */
    async countTry(id: string, purpose: TicketPurpose, now: number, most: number): Promise<string | undefined> {
      const row = await db
        .updateTable('tickets')
        .set((e) => ({ code_tries: e('code_tries', '+', 1) }))
        .where('id', '=', id)
        .where('purpose', '=', purpose)
        .where('expires_at', '>', now)
        .where('code_tries', '<', most)
        .returning('code_hash')
        .executeTakeFirst()
      return row?.code_hash ?? undefined
    },
    /**
     * Voids the tickets of a user after a change of what they rested on. The links of "this wasn't me" and of a requested deletion stay
     * valid.
     */
    async removeOfUser(userId: string): Promise<void> {
      const lasting: TicketPurpose[] = ['report_sign_in', 'undo_deletion']
      await db.deleteFrom('tickets').where('user_id', '=', userId).where('purpose', 'not in', lasting).execute()
    },
    /** Voids the links that would give a user this one address. */
    async removeEmailChanges(userId: string, email: string): Promise<void> {
      const purpose: TicketPurpose = 'change_email'
      await db.deleteFrom('tickets').where('user_id', '=', userId).where('purpose', '=', purpose).where('email', '=', email).execute()
    },
    /** Voids the link that undoes a deletion, once it is undone. */
    async removeUndo(userId: string): Promise<void> {
      const purpose: TicketPurpose = 'undo_deletion'
      await db.deleteFrom('tickets').where('user_id', '=', userId).where('purpose', '=', purpose).execute()
    },
    /**
     * Voids the tickets of a user after one of their mailboxes has reported a change as not theirs. A former mailbox of the account keeps
     * its own link: otherwise the thief who moved the account could void it.
     */
    async removeReported(userId: string, { id, email }: { id: string; email: string }): Promise<void> {
      await db
        .deleteFrom('tickets')
        .where('user_id', '=', userId)
        .where((e) => e.or([e('purpose', '!=', 'report_sign_in'), e('email', '=', email), e('id', '>', id)]))
        .execute()
    },
    async removeAllOfUser(userId: string): Promise<void> {
      await db.deleteFrom('tickets').where('user_id', '=', userId).execute()
    },
    /** The unused links that were mailed to a user or at their wish, the newest first. Their content stays sealed. */
    async listOfUser(
      userId: string,
      limit: number,
    ): Promise<Array<{ purpose: string; email: string; createdAt: number; expiresAt: number }>> {
      const rows = await db
        .selectFrom('tickets')
        .select(['purpose', 'email', 'created_at', 'expires_at'])
        .where('user_id', '=', userId)
        .orderBy('id', 'desc')
        .limit(limit)
        .execute()
      return rows.map((row) => ({ purpose: row.purpose, email: row.email, createdAt: row.created_at, expiresAt: row.expires_at }))
    },
    /** A page of sealed contents, in the order of the ids. */
    async listSealed({ limit, cursor }: { limit: number; cursor: string }): Promise<Array<{ id: string; sealed: string }>> {
      return db
        .selectFrom('tickets')
        .select(['id', 'payload_sealed as sealed'])
        .where('id', '>', cursor)
        .orderBy('id')
        .limit(limit)
        .execute()
    },
    async reseal(id: string, sealed: string): Promise<void> {
      await db.updateTable('tickets').set({ payload_sealed: sealed }).where('id', '=', id).execute()
    },
    async forgetExpired(now: number): Promise<void> {
      await removeInPortions(db, 'tickets', (e) => e('expires_at', '<=', now))
    },
  }
}

function fromRow(row: TicketRow | undefined, purpose: TicketPurpose) {
  return (
    row && {
      id: row.id,
      purpose,
      userId: row.user_id ?? undefined,
      email: row.email,
      createdAt: row.created_at,
      payloadSealed: row.payload_sealed,
    }
  )
}
