import { Stack, TextField, Typography } from '@mui/material'
import { useNotify, useRedirect, useRefresh } from 'react-admin'
import { adminPath } from '../../api/admin-http.ts'
import { useTexts } from '../../i18n/use-texts.ts'
import { ActionButton } from '../../kit/form/action-button.tsx'
import { Section } from '../../kit/show/section.tsx'
import { actionTexts } from '../actions/action-texts.ts'
import { useMayActOn } from '../actions/use-may-act-on.ts'
import type { UserDetails } from '../user.ts'

/** A user's rights by law: a copy of all their data, and its deletion. */
export function PrivacySection({ user }: { user: UserDetails }) {
  const texts = useTexts(actionTexts)
  const mayExport = useMayActOn(user, 'users:export')
  const mayDelete = useMayActOn(user, 'users:delete')
  if (!mayExport && !mayDelete) return undefined
  return (
    <Section title={texts.privacy}>
      <Typography color="textSecondary" sx={{ mb: 1.5 }}>
        {texts.privacyText}
      </Typography>
      <Stack direction="row" useFlexGap sx={{ flexWrap: 'wrap', gap: 1 }}>
        {mayExport && <ExportButton user={user} />}
        {mayDelete && <DeleteButton user={user} />}
      </Stack>
    </Section>
  )
}

function ExportButton({ user: { id } }: { user: UserDetails }) {
  const texts = useTexts(actionTexts)
  const notify = useNotify()
  const refresh = useRefresh()
  const onDone = (data: object) => {
    save(`portaria-${id}.json`, JSON.stringify(data, undefined, 2))
    notify(texts.exported, { type: 'info' })
    refresh()
  }
  return (
    <ActionButton<object>
      label={texts.export}
      reason="required"
      request={{ path: adminPath('users', id, 'export') }}
      explains={texts.exportExplains}
      onDone={onDone}
    />
  )
}

/** Asks for the address in full: a name is easily mistaken for another. */
function DeleteButton({ user: { id, name, email } }: { user: UserDetails }) {
  const texts = useTexts(actionTexts)
  const notify = useNotify()
  const redirect = useRedirect()
  const onDone = () => {
    notify(texts.removed, { type: 'info' })
    redirect('/users')
  }
  const explains = (
    <>
      {texts.removeExplains(name)}
      <TextField
        fullWidth
        required
        label={texts.typeToConfirm}
        helperText={email}
        slotProps={{
          htmlInput: { pattern: patternOf(email), title: texts.typeExactly(email), autoComplete: 'off', spellCheck: false },
        }}
        sx={{ mt: 2 }}
      />
    </>
  )
  return (
    <ActionButton
      label={texts.remove}
      tone="danger"
      reason="required"
      request={{ path: adminPath('users', id), method: 'DELETE' }}
      explains={explains}
      onDone={onDone}
      refusals={texts.refusals}
    />
  )
}

/** Of the very text, as the attribute `pattern` has it. */
function patternOf(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')
}

function save(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'application/json' }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  URL.revokeObjectURL(url)
}
