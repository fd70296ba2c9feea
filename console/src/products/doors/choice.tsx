import { MenuItem, TextField } from '@mui/material'

interface ChoiceProps<T extends string> {
  label: string
  value: T
  values: readonly T[]
  names: Readonly<Record<T, string>>
  onChoose: (value: T) => void
  disabled?: boolean
}

/** One of several names. */
export function Choice<T extends string>({ label, value, values, names, onChoose, disabled = false }: ChoiceProps<T>) {
  return (
    <TextField
      select
      fullWidth
      label={label}
      value={value}
      onChange={({ target }) => onChoose(values.find((one) => one === target.value) ?? value)}
      disabled={disabled}
    >
      {values.map((one) => (
        <MenuItem key={one} value={one}>
          {names[one]}
        </MenuItem>
      ))}
    </TextField>
  )
}

/** Names with spaces, commas or lines between them; addresses may have commas. */
export function splitList(text: string, between: RegExp = /[\s,]+/): string[] {
  return text.split(between).filter((part) => part !== '')
}
