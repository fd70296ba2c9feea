import { type GatewayPaymentRow, prepareWithList, type Queryable } from '../../storage/index.ts'

/** A gateway's payment under one or more names: its id here, and its present stream. */
export interface KnownPayment {
  paymentId: string
  streamRef: string
  /** Streams are numbered in the order in which they were made. */
  streamId: string
}

/** The names by which gateways call a payment. */
export function paymentStore(db: Queryable) {
  return {
    /** The payments with these names: more than one until an event shows that they are one. */
    async find(gateway: string, productId: string, names: readonly string[]): Promise<KnownPayment[]> {
      if (names.length === 0) return []
      const { rows } = await findPayment(db, { gateway, product_id: productId }, names)
      return rows.map((row) => ({ paymentId: row.payment_id, streamRef: row.stream_ref, streamId: row.stream_id }))
    },
    /** Remembers the names of a payment; a known name stays with its payment. */
    async remember(
      gateway: string,
      productId: string,
      names: readonly string[],
      { paymentId, streamRef }: Pick<KnownPayment, 'paymentId' | 'streamRef'>,
    ): Promise<void> {
      if (names.length === 0) return
      await rememberPayment(db, { gateway, product_id: productId, payment_id: paymentId, stream_ref: streamRef }, names)
    },
    /** Whether each of these is a name of a payment that is known. */
    async knows(gateway: string, productId: string, names: readonly string[]): Promise<boolean> {
      if (names.length === 0) return true
      const { count } = await db
        .selectFrom('gateway_payments')
        .select((e) => e.fn.countAll().as('count'))
        .where('gateway', '=', gateway)
        .where('product_id', '=', productId)
        .where('alias', 'in', names)
        .executeTakeFirstOrThrow()
      return Number(count) === names.length
    },
    /** Gives all names of some payments of streams, and of the parts of those, to one payment: they are the same. */
    async unite(
      { gateway, productId, streamIds }: { gateway: string; productId: string; streamIds: readonly string[] },
      paymentIds: readonly string[],
      paymentId: string,
    ): Promise<void> {
      const ofStream = db
        .selectFrom('event_streams')
        .select('ref')
        .where('source', '=', gateway)
        .where((e) => e.or([e('id', 'in', streamIds), e('merged_into', 'in', streamIds)]))
      await db
        .updateTable('gateway_payments')
        .set({ payment_id: paymentId })
        .where('gateway', '=', gateway)
        .where('product_id', '=', productId)
        .where('payment_id', 'in', paymentIds)
        .where('stream_ref', 'in', ofStream)
        .execute()
    },
  }
}

const findPayment = prepareWithList((db, { gateway, product_id }: Pick<GatewayPaymentRow, 'gateway' | 'product_id'>, names) =>
  db
    .selectFrom('gateway_payments as payment')
    .innerJoin('event_streams as stream', (join) =>
      join.onRef('stream.source', '=', 'payment.gateway').onRef('stream.ref', '=', 'stream_ref'),
    )
    .leftJoin('event_streams as whole', 'whole.id', 'stream.merged_into')
    .select((e) => [
      'payment_id',
      e.fn.coalesce('whole.ref', 'stream.ref').as('stream_ref'),
      e.fn.coalesce('whole.id', 'stream.id').as('stream_id'),
    ])
    .distinct()
    .where('gateway', '=', gateway)
    .where('payment.product_id', '=', product_id)
    .where('alias', 'in', names),
)

const rememberPayment = prepareWithList((db, { gateway, product_id, payment_id, stream_ref }: Omit<GatewayPaymentRow, 'alias'>, names) =>
  db
    .insertInto('gateway_payments')
    .values(names.map((alias) => ({ gateway, product_id, alias, payment_id, stream_ref })))
    .onConflict((conflict) => conflict.doNothing()),
)
