import type { Queryable } from '../../storage/index.ts'
import type { Span, StreamLists } from './lists.ts'

/** Rows of one insert: a stream has few, and SQLite takes 32,766 values. */
const MAX_ROWS = 500
/** A moment that never comes: a column holds no infinity. */
const NEVER = Number.MAX_SAFE_INTEGER

interface Stream extends Readonly<StreamLists> {
  id: string
}

interface Ids {
  subscription_id: string
  stream_id: string
}

/** Replaces what the lists have of these streams by what they have now; changes in the zone that is counted. */
export async function putLists(db: Queryable, zone: string, streams: readonly Stream[]): Promise<void> {
  const ids = streams.map(({ id }) => id)
  const known = await db.selectFrom('subscriptions').select(['id', 'stream_id', 'number']).where('stream_id', 'in', ids).execute()
  const idOf = new Map(known.map(({ id, stream_id, number }) => [`${stream_id} ${number}`, id]))
  const { changes, spans, prices, money } = rowsOf(streams, { zone, idOf: (stream, number) => idOf.get(`${stream} ${number}`) })
  for (const table of ['report_changes', 'report_spans', 'report_prices', 'report_movements'] as const)
    await db.deleteFrom(table).where('stream_id', 'in', ids).execute()
  for (const some of inParts(changes)) await db.insertInto('report_changes').values(some).execute()
  for (const some of inParts(spans)) await db.insertInto('report_spans').values(some).execute()
  for (const some of inParts(prices)) await db.insertInto('report_prices').values(some).execute()
  for (const some of inParts(money)) await db.insertInto('report_movements').values(some).execute()
}

function rowsOf(
  streams: readonly Stream[],
  { zone, idOf }: { zone: string; idOf: (stream: string, number: number) => string | undefined },
) {
  const listed = <T extends { number: number }, Row>(
    listOf: (stream: Stream) => readonly T[],
    row: (one: T, of: Ids, place: number) => Row,
  ) =>
    streams.flatMap((stream) =>
      listOf(stream).flatMap((one, place) => {
        const id = idOf(stream.id, one.number)
        return id === undefined ? [] : [row(one, { subscription_id: id, stream_id: stream.id }, place)]
      }),
    )
  return {
    changes: listed(
      ({ changes }) => changes,
      ({ name, day, planId }, of) => ({ zone, name, day, plan_id: planId ?? '', ...of }),
    ),
    spans: listed(
      ({ spans }) => spans,
      (span, of) => ({ ...of, ...timeOf(span) }),
    ),
    prices: listed(
      ({ prices }) => prices,
      (price, of) => ({ ...of, ...timeOf(price), currency: price.currency, monthly: price.monthly }),
    ),
    money: listed(
      ({ money }) => money,
      ({ planId, paymentId, amount, at, figure, kind, currency }, of, place) => ({
        ...{ id: `${of.stream_id}.${place}`, ...of, at, figure, kind, currency },
        ...{ amount: amount ?? null, plan_id: planId ?? null, payment_id: paymentId ?? null },
      }),
    ),
  }
}

function timeOf({ planId, from, until }: Span) {
  return { plan_id: planId ?? null, from_at: from, until_at: Math.min(until, NEVER) }
}

function inParts<Row>(rows: readonly Row[]): Row[][] {
  return Array.from({ length: Math.ceil(rows.length / MAX_ROWS) }, (_, part) => rows.slice(part * MAX_ROWS, (part + 1) * MAX_ROWS))
}
