import { adminPath } from '../api/admin-http.ts'
import { useTexts } from '../i18n/use-texts.ts'
import { ActionButton } from '../kit/form/action-button.tsx'
import type { Column } from '../kit/list/columns.ts'
import { StatusChip } from '../kit/show/status-chip.tsx'
import { TwoLines } from '../kit/show/two-lines.tsx'
import { Time } from '../kit/show/values.tsx'
import { useProductName } from '../kit/use-product-name.ts'
import { labelOf } from '../payments/label-of.ts'
import { deviceLabel } from './device.ts'
import type { Session } from './session.ts'
import { sessionTexts } from './texts.ts'

/** The columns of a session but its user. `ends`: each live one gets a button that ends it. */
export function useSessionColumns(kind: 'shows' | 'ends'): ReadonlyArray<Column<Session>> {
  const texts = useTexts(sessionTexts)
  const productName = useProductName()
  const ends: ReadonlyArray<Column<Session>> = [
    { label: texts.actions, value: (session) => session.live && <EndSession session={session} /> },
  ]
  return [
    { label: texts.device, value: (session) => <Device session={session} /> },
    { label: texts.where, value: ({ product }) => (product === null ? texts.ofDomain : productName(product)) },
    { label: texts.state, value: (session) => <SessionState session={session} /> },
    { label: texts.createdAt, value: (session) => <Beginning session={session} />, sortBy: 'created_at' },
    { label: texts.lastSeenAt, value: ({ last_seen_at }) => <Time at={last_seen_at} /> },
    ...(kind === 'ends' ? ends : []),
  ]
}

/** When it began, and how its user signed in. */
function Beginning({ session: { created_at, sign_in_method } }: { session: Session }) {
  const { methods } = useTexts(sessionTexts)
  return <TwoLines first={<Time at={created_at} />} second={sign_in_method && methods[sign_in_method]} />
}

/** The device, and its network address. */
function Device({ session }: { session: Session }) {
  return <TwoLines first={<span title={session.user_agent}>{useDevice(session)}</span>} second={session.ip} />
}

/** A product's own session is begun by its server, in exchange for a token, so its browser is unknown. */
function useDevice({ product, user_agent }: Session): string {
  const texts = useTexts(sessionTexts)
  return product === null ? deviceLabel(user_agent) || texts.unknownDevice : texts.appServer
}

function SessionState({ session: { live, impersonator_id, ended_at, ended_reason } }: { session: Session }) {
  const texts = useTexts(sessionTexts)
  if (live && impersonator_id !== null) return <StatusChip tone="warning" label={texts.impersonation} />
  if (live) return <StatusChip tone="good" label={texts.live} />
  if (ended_at === null) return <StatusChip tone="neutral" label={texts.expired} />
  const why = ended_reason === null ? null : labelOf(texts.reasons, ended_reason)
  return <StatusChip tone="neutral" label={why === null ? texts.over : `${texts.over}: ${why}`} />
}

function EndSession({ session }: { session: Session }) {
  const texts = useTexts(sessionTexts)
  const { id, email, product } = session
  const device = useDevice(session)
  const productName = useProductName()
  return (
    <ActionButton
      label={texts.end}
      request={{ path: adminPath('sessions', id, 'end') }}
      explains={product === null ? texts.endExplains(device, email) : texts.endProductExplains(productName(product), email)}
    />
  )
}
