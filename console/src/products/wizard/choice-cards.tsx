import { FormControl, FormControlLabel, FormHelperText, FormLabel, Radio, RadioGroup, Typography } from '@mui/material'
import { useId } from 'react'

interface ChoiceProps<Option extends string> {
  title: string
  hint?: string
  options: readonly Option[]
  /** The name and meaning of each, in plain words. */
  labels: Readonly<Record<Option, readonly string[]>>
  value: Option
  onChange: (option: Option) => void
}

/** One of a few, each explained. */
export function ChoiceCards<Option extends string>({ title, hint, options, labels, value, onChange }: ChoiceProps<Option>) {
  const id = useId()
  return (
    <FormControl component="fieldset" fullWidth sx={{ mt: 2.5 }}>
      <FormLabel id={id} component="legend" sx={{ color: 'text.primary', fontWeight: 600, '&.Mui-focused': { color: 'text.primary' } }}>
        {title}
      </FormLabel>
      <RadioGroup aria-labelledby={id} value={value}>
        {options.map((option) => (
          <OneChoice
            key={option}
            option={option}
            name={labels[option][0] ?? option}
            meaning={labels[option][1] ?? ''}
            isChosen={value === option}
            onChoose={() => onChange(option)}
          />
        ))}
      </RadioGroup>
      {hint !== undefined && <FormHelperText sx={{ mx: 0 }}>{hint}</FormHelperText>}
    </FormControl>
  )
}

interface OneProps {
  option: string
  name: string
  meaning: string
  isChosen: boolean
  onChoose: () => void
}

function OneChoice({ option, name, meaning, isChosen, onChoose }: OneProps) {
  const id = useId()
  return (
    <FormControlLabel
      value={option}
      control={<Radio onChange={onChoose} slotProps={{ input: { 'aria-label': name, 'aria-describedby': id } }} />}
      label={
        <>
          <Typography sx={{ fontWeight: 600 }}>{name}</Typography>
          <Typography id={id} variant="body2" color="textSecondary">
            {meaning}
          </Typography>
        </>
      }
      sx={{
        m: 0,
        mt: 1,
        p: 1.25,
        alignItems: 'flex-start',
        border: '1px solid',
        borderColor: isChosen ? 'primary.main' : 'divider',
        borderRadius: 1,
        '& .MuiRadio-root': { py: 0 },
      }}
    />
  )
}
