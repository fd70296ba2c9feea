import { randomInt } from 'node:crypto'
import { constantTimeEqual, DAY_MS, hmacSha256, MINUTE_MS, mintSecret, newId, type Sealer, sha256Hex } from '../../kit/index.ts'
import type { Queryable } from '../../storage/index.ts'
import type { TicketPurpose } from './ticket-purpose.ts'
import { ticketStore } from './ticket-store.ts'

/** The life of a ticket. */
export const TICKET_MS = {
  sign_up: 60 * MINUTE_MS,
  reset_password: 30 * MINUTE_MS,
  change_email: 60 * MINUTE_MS,
  invitation: 7 * DAY_MS,
  report_sign_in: 7 * DAY_MS,
  undo_deletion: 7 * DAY_MS,
} as const satisfies Record<TicketPurpose, number>

/** A one-time permission sent by mail: a link and, where a browser waits for it, a code of six digits. */
export interface Ticket {
  id: string
  purpose: TicketPurpose
  /** Its user; `undefined` before there is an account. */
  userId: string | undefined
  email: string
  /** In ms. */
  createdAt: number
  /** The data for its purpose, sealed at rest. */
  payload: unknown
}

export interface MintedTicket {
  id: string
  /** For the link: 256 random bits, stored as a hash. */
  secret: string
  /** For typing, only in the browser that requested it. Six digits, five tries. */
  code: string
}

export interface TicketDeps {
  sealer: Sealer
  codeKey: Uint8Array
  at: number
}

const MAX_CODE_TRIES = 5

export async function mintTicket(
  db: Queryable,
  { purpose, userId, email, payload }: Omit<Ticket, 'id' | 'createdAt'>,
  { sealer, codeKey, at }: TicketDeps,
): Promise<MintedTicket> {
  const id = newId()
  const secret = mintSecret()
  const code = String(randomInt(1_000_000)).padStart(6, '0')
  await ticketStore(db).insert({
    id,
    purpose,
    userId,
    email,
    secretHash: sha256Hex(secret),
    codeHash: hashCode(id, code, codeKey),
    payloadSealed: sealer.seal(JSON.stringify(payload), place(id)),
    createdAt: at,
    expiresAt: at + TICKET_MS[purpose],
  })
  return { id, secret, code }
}

/** The ticket of a link, to show what it would do. It is not used up, since mail scanners open links too. */
export async function findTicket(
  db: Queryable,
  secret: string,
  purpose: TicketPurpose,
  { sealer, at }: Omit<TicketDeps, 'codeKey'>,
): Promise<Ticket | undefined> {
  const row = await ticketStore(db).find(sha256Hex(secret), purpose, at)
  return row && openTicket(row, sealer)
}

/** Uses the ticket of a link up: of any number of concurrent calls exactly one gets it. */
export async function takeTicket(
  db: Queryable,
  secret: string,
  purpose: TicketPurpose,
  { sealer, at }: Omit<TicketDeps, 'codeKey'>,
): Promise<Ticket | undefined> {
  const row = await ticketStore(db).takeBySecret(sha256Hex(secret), purpose, at)
  return row && openTicket(row, sealer)
}

/** Uses a ticket up by its code. Each call counts as a try before the comparison; after the fifth wrong one the ticket is void. */
export async function takeTicketByCode(
  db: Queryable,
  { id, code, purpose }: { id: string; code: string; purpose: TicketPurpose },
  { sealer, codeKey, at }: TicketDeps,
): Promise<Ticket | 'wrong_code' | 'no_ticket'> {
  const tickets = ticketStore(db)
  const expected = await tickets.countTry(id, purpose, at, MAX_CODE_TRIES)
  if (expected === undefined) return 'no_ticket'
  if (!constantTimeEqual(expected, hashCode(id, code.replace(/\D/g, ''), codeKey))) return 'wrong_code'
  const row = await tickets.takeById(id, purpose, at)
  return (row && openTicket(row, sealer)) ?? 'no_ticket'
}

/** A code has few possible values: its hash is keyed, and valid for its own ticket only. */
function hashCode(id: string, code: string, codeKey: Uint8Array): string {
  return hmacSha256(codeKey, `${id}:${code}`).toString('hex')
}

function openTicket(row: Omit<Ticket, 'payload'> & { payloadSealed: string }, sealer: Sealer): Ticket | undefined {
  const { payloadSealed, ...ticket } = row
  const payload = sealer.open(payloadSealed, place(row.id))
  return payload === undefined ? undefined : { ...ticket, payload: JSON.parse(payload) }
}

function place(id: string): string {
  return `tickets.payload_sealed.${id}`
}
