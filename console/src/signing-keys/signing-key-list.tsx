import { adminPath } from '../api/admin-http.ts'
import { useMay } from '../console-context.ts'
import { useTexts } from '../i18n/use-texts.ts'
import { ActionButton } from '../kit/form/action-button.tsx'
import type { Column } from '../kit/list/columns.ts'
import { ListPage } from '../kit/list/list-page.tsx'
import { CopyText } from '../kit/show/copy-text.tsx'
import { StatusChip, type Tone } from '../kit/show/status-chip.tsx'
import { Time } from '../kit/show/values.tsx'
import type { SigningKey } from './signing-key.ts'
import { signingKeyTexts } from './texts.ts'

const DAY_MS = 86_400_000
const tones = {
  next: 'neutral',
  signing: 'good',
  verifying: 'neutral',
  retired: 'neutral',
  revoked: 'bad',
} as const satisfies Record<SigningKey['state'], Tone>

/** The keys that sign tokens. */
export function SigningKeyList() {
  const texts = useTexts(signingKeyTexts)
  const mayChange = useMay('signing-keys:write')
  const columns: ReadonlyArray<Column<SigningKey>> = [
    { label: texts.kid, value: ({ kid }) => <CopyText text={kid} label={texts.kid} short={10} /> },
    { label: texts.state, value: ({ state }) => <StatusChip tone={tones[state]} label={texts.states[state]} /> },
    { label: texts.signsFrom, value: ({ signs_from }) => <Time at={signs_from} />, sortBy: 'signs_from' },
    { label: texts.age, value: ({ signs_from }) => <Age since={signs_from} /> },
  ]
  const revoke: Column<SigningKey> = { label: texts.actions, value: (key) => key.state !== 'revoked' && <Revoke signingKey={key} /> }
  return (
    <ListPage<SigningKey>
      title={texts.title}
      about={texts.about}
      columns={mayChange ? [...columns, revoke] : columns}
      sort={{ field: 'signs_from', order: 'DESC' }}
      empty={texts.empty}
      actions={mayChange && <Rotate />}
    />
  )
}

function Age({ since }: { since: string }) {
  const texts = useTexts(signingKeyTexts)
  const days = Math.floor((Date.now() - Date.parse(since)) / DAY_MS)
  return days < 0 ? texts.notYet : texts.days(days)
}

function Rotate() {
  const texts = useTexts(signingKeyTexts)
  const path = adminPath('signing-keys', 'rotate')
  return (
    <>
      <ActionButton
        label={texts.rotate}
        request={{ path }}
        explains={texts.rotateExplains}
        refusals={{ next_key_waits: texts.nextKeyWaits }}
      />
      <ActionButton label={texts.rotateNow} tone="danger" request={{ path, body: { at: 'once' } }} explains={texts.rotateNowExplains} />
    </>
  )
}

function Revoke({ signingKey: { id, state } }: { signingKey: SigningKey }) {
  const texts = useTexts(signingKeyTexts)
  return (
    <ActionButton
      label={texts.revoke}
      tone="danger"
      request={{ path: adminPath('signing-keys', id, 'revoke') }}
      explains={state === 'signing' ? `${texts.revokeExplains} ${texts.revokeSigning}` : texts.revokeExplains}
    />
  )
}
