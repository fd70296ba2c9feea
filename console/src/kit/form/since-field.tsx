import { TextField } from '@mui/material'
import { useState } from 'react'
import { useTimeZone } from '../../console-context.ts'
import { useTexts } from '../../i18n/use-texts.ts'
import { fieldOf, momentOf } from '../days.ts'
import { kitTexts } from '../texts.ts'

const DAY_MS = 86_400_000

interface Since {
  /** ISO; `undefined` while the field is not whole. */
  since: string | undefined
  typed: string
  type: (text: string) => void
  reset: () => void
}

/** A moment that the user chooses, in the operator's zone: a day ago unless they do. */
export function useSince(): Since {
  const zone = useTimeZone()
  const aDayAgo = () => fieldOf(new Date(Date.now() - DAY_MS).toISOString(), zone)
  const [typed, setTyped] = useState(aDayAgo)
  return { since: momentOf(typed, zone), typed, type: setTyped, reset: () => setTyped(aDayAgo()) }
}

/** The field of such a moment, in a dialog. */
export function SinceField({ label, since: { typed, type } }: { label: string; since: Since }) {
  const zone = useTimeZone()
  return (
    <TextField
      fullWidth
      required
      autoFocus
      type="datetime-local"
      label={label}
      helperText={useTexts(kitTexts).dayAndTime(zone)}
      value={typed}
      onChange={({ target }) => type(target.value)}
      slotProps={{ inputLabel: { shrink: true } }}
      sx={{ mt: 2 }}
    />
  )
}
