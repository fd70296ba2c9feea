import type { AuditEntry } from './audit-entry.ts'
import { MASKED } from './change/change-rows.ts'

/**
 * The kind of thing that a target names. `single`: there is only one. `text`: a name or an address. `id`: it has no name.
 */
type TargetKind =
  | 'user'
  | 'product'
  | 'plan'
  | 'endpoint'
  | 'provider'
  | 'subscription'
  | 'notification'
  | 'event'
  | 'job'
  | 'list'
  | 'token'
  | 'single'
  | 'text'
  | 'id'

const kinds: Readonly<Record<string, TargetKind>> = {
  appearance: 'product',
  client: 'text',
  configuration: 'text',
  database: 'single',
  endpoint: 'endpoint',
  handoff: 'id',
  identity_provider: 'provider',
  list: 'list',
  master_key: 'single',
  notification: 'notification',
  outbox: 'job',
  plan: 'plan',
  product: 'product',
  purchase: 'id',
  session: 'id',
  settings: 'single',
  setup_link: 'single',
  sign_in: 'user',
  signing_key: 'id',
  subscription: 'subscription',
  support: 'user',
  token: 'token',
  user: 'user',
  webhook: 'single',
}

/** Actions with another target than those of their noun. */
const others: Readonly<Record<string, TargetKind>> = {
  'appearance.add_image': 'id',
  'database.copy': 'id',
  'database.copy_give_up': 'id',
  'endpoint.replay_event': 'event',
  'notification.run': 'id',
  'notification.stop_run': 'id',
  'outbox.retry_all': 'single',
  'session.end': 'user',
  'session.revoke_all': 'single',
  'setup_link.use': 'user',
  'subscription.rebuild': 'single',
  'user.export_all': 'id',
  'user.import': 'id',
}

/** The fields that name a target at the time of the entry. */
const naming: Readonly<Partial<Record<TargetKind, string>>> = { endpoint: 'url', provider: 'name', job: 'kind', token: 'name' }

/** The kind of an entry's target, and its name as far as the entry has one: what was removed has none elsewhere. */
export function targetOf({ action, before, after }: Pick<AuditEntry, 'action' | 'before' | 'after'>): {
  kind: TargetKind
  known: string | undefined
} {
  const kind = others[action] ?? kinds[action.split('.')[0] ?? ''] ?? 'id'
  const field = naming[kind]
  const known = field === undefined ? undefined : (after?.[field] ?? before?.[field])
  return { kind, known: typeof known === 'string' && known !== MASKED ? known : undefined }
}
