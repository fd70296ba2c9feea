import { type Queryable, removeInPortions } from '../../storage/index.ts'

/** Removes what waits for an endpoint and what was delivered there, in portions: there may be a million. */
export async function removeDeliveries(db: Queryable, endpointId: string): Promise<void> {
  await removeInPortions(db, 'event_deliveries', (e) => e('endpoint_id', '=', endpointId))
  await removeInPortions(db, 'event_attempts', (e) => e('endpoint_id', '=', endpointId))
}
