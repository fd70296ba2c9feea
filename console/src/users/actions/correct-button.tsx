import { TextField } from '@mui/material'
import { useState } from 'react'
import { adminPath } from '../../api/admin-http.ts'
import { useTexts } from '../../i18n/use-texts.ts'
import { ActionButton } from '../../kit/form/action-button.tsx'
import type { UserDetails } from '../user.ts'
import { actionTexts } from './action-texts.ts'

type Field = 'email' | 'phone' | 'tax_id'

const NOTHING: Record<Field, string> = { email: '', phone: '', tax_id: '' }

/**
 * Corrects data that the user can't: an address whose mailbox is gone, a phone, a tax id with swapped digits. Empty fields stay as they
 * are.
 */
export function CorrectButton({ user: { id, name } }: { user: UserDetails }) {
  const texts = useTexts(actionTexts)
  const [typed, setTyped] = useState(NOTHING)
  const body = Object.fromEntries(Object.entries(typed).filter(([, text]) => text.trim() !== ''))
  const labels = { email: texts.newEmail, phone: texts.newPhone, tax_id: texts.newTaxId }
  const input = (field: Field, type: string, help?: string) => (
    <TextField
      fullWidth
      type={type}
      label={labels[field]}
      helperText={help}
      value={typed[field]}
      onChange={({ target }) => setTyped({ ...typed, [field]: target.value })}
      autoComplete="off"
      sx={{ mt: 2 }}
    />
  )
  return (
    <ActionButton
      label={texts.correct}
      reason="required"
      request={{ path: adminPath('users', id, 'correct'), body }}
      refusals={texts.refusals}
      fields={labels}
      onOpen={() => setTyped(NOTHING)}
      explains={
        <>
          {texts.correctExplains(name)}
          {input('email', 'email', texts.newEmailHelp)}
          {input('phone', 'tel')}
          {input('tax_id', 'text')}
        </>
      }
    />
  )
}
