import type { AppearanceTables } from './appearance-rows.ts'
import type { CredentialTables } from './credential-rows.ts'
import type { EventTables } from './event-rows.ts'
import type { GatewayTables } from './gateway-rows.ts'
import type { NotificationTables } from './notification-rows.ts'
import type { OperationTables } from './operation-rows.ts'
import type { OutboxTables } from './outbox-rows.ts'
import type { PaymentTables } from './payments-rows.ts'
import type { ProductTables } from './products-rows.ts'
import type { ProviderTables } from './provider-rows.ts'
import type { ReportTables } from './report-rows.ts'
import type { ReportedTables } from './reported-rows.ts'
import type { SessionTables } from './session-rows.ts'
import type { UserTables } from './user-rows.ts'

export type * from './appearance-rows.ts'
export type * from './credential-rows.ts'
export type * from './event-rows.ts'
export type * from './gateway-rows.ts'
export type * from './notification-rows.ts'
export type * from './operation-rows.ts'
export type * from './outbox-rows.ts'
export type * from './payments-rows.ts'
export type * from './products-rows.ts'
export type * from './provider-rows.ts'
export type * from './report-rows.ts'
export type * from './reported-rows.ts'
export type * from './session-rows.ts'
export type * from './user-rows.ts'

// Ids are UUIDv7 text, times integer milliseconds, booleans 0 or 1, lists and objects JSON text: the same on both databases.

export interface Schema
  extends AppearanceTables,
    CredentialTables,
    EventTables,
    GatewayTables,
    NotificationTables,
    OperationTables,
    OutboxTables,
    PaymentTables,
    ProductTables,
    ProviderTables,
    ReportTables,
    ReportedTables,
    SessionTables,
    UserTables {}
