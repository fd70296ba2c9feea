import { type SchemaModule, sql } from 'kysely'

/** An index of the deliveries that were given up, which are few among those of 90 days. */
export function failedDeliveries(schema: SchemaModule) {
  const failed = schema.createIndex('event_deliveries_failed').on('event_deliveries').columns(['endpoint_id', 'event_id'])
  return failed.where(sql.ref('state'), '=', sql.lit('failed'))
}
