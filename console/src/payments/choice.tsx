import { MenuItem, TextField } from '@mui/material'

interface ChoiceProps {
  label: string
  value: string
  choices: ReadonlyArray<{ value: string; label: string }>
  onChoose: (value: string) => void
  /** The label for no choice; shown while nothing is chosen, if given. */
  none?: string
  required?: boolean
}

/** One of some. */
export function Choice({ label, value, choices, onChoose, none, required = false }: ChoiceProps) {
  return (
    <TextField
      select
      fullWidth
      required={required}
      label={label}
      value={value}
      onChange={({ target }) => onChoose(target.value)}
      {...(none !== undefined && { slotProps: { select: { displayEmpty: true }, inputLabel: { shrink: true } } })}
    >
      {none !== undefined && <MenuItem value="">{none}</MenuItem>}
      {choices.map((choice) => (
        <MenuItem key={choice.value} value={choice.value}>
          {choice.label}
        </MenuItem>
      ))}
    </TextField>
  )
}
