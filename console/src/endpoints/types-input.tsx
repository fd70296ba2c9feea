import { Box, Checkbox, FormControl, FormControlLabel, FormHelperText, FormLabel, LinearProgress, Typography } from '@mui/material'
import { useId } from 'react'
import { useInput, useTranslate } from 'react-admin'
import { useWatch } from 'react-hook-form'
import { useTexts } from '../i18n/use-texts.ts'
import { Failed } from '../kit/failed.tsx'
import { kitTexts } from '../kit/texts.ts'
import { useRead } from '../kit/use-read.ts'
import { labelOf } from '../payments/label-of.ts'
import { eventTypeTexts } from './event-type-texts.ts'
import { endpointTexts } from './texts.ts'

/** One event of the service's catalogue; `when` is English. */
interface Catalogued {
  type: string
  when: string
  /** An endpoint of a product can't choose it. */
  operator_only?: boolean
}

/** The events that an endpoint can hear of, each with a sentence. Another one is shown for as long as it is chosen, to be taken out. */
export function TypesInput() {
  const texts = useTexts(endpointTexts)
  const kit = useTexts(kitTexts)
  const sentences = useTexts(eventTypeTexts)
  const translate = useTranslate()
  const id = useId()
  const { data, error, refetch } = useRead<{ data: Catalogued[] }>('endpoints/types')
  const { field, fieldState } = useInput<string[]>({
    source: 'types',
    defaultValue: [],
    validate: (chosen: unknown) => (Array.isArray(chosen) && chosen.length > 0 ? undefined : texts.typesMissing),
  })
  const product = useWatch<Record<string, unknown>>({ name: 'product' })
  const chosen = Array.isArray(field.value) ? field.value : []
  const isOfOperator = product === undefined || product === null || product === ''
  const offered = data?.data.filter(({ type, operator_only }) => isOfOperator || operator_only !== true || chosen.includes(type))
  const toggle = (type: string) => field.onChange(chosen.includes(type) ? chosen.filter((one) => one !== type) : [...chosen, type])
  const message = fieldState.error?.message
  return (
    <FormControl component="fieldset" error={fieldState.invalid} aria-describedby={`${id}-help`} sx={{ mt: 1, mb: 1 }}>
      <FormLabel component="legend">{texts.types}</FormLabel>
      {error && <Failed error={error} onRetry={refetch} />}
      {!data && !error && <LinearProgress aria-label={kit.loading} />}
      {offered?.map(({ type, when }, i) => (
        <FormControlLabel
          key={type}
          sx={{ alignItems: 'flex-start', mr: 0, mt: 0.5 }}
          control={
            <Checkbox
              checked={chosen.includes(type)}
              onChange={() => toggle(type)}
              onBlur={field.onBlur}
              {...(i === 0 && { inputRef: field.ref })}
              sx={{ py: 0.25 }}
            />
          }
          label={
            <>
              <code>{type}</code>
              <Typography component="div" variant="body2" color="textSecondary">
                {labelOf({ [type]: when, ...sentences }, type)}
              </Typography>
            </>
          }
        />
      ))}
      <FormHelperText id={`${id}-help`} component={Box}>
        {message ? translate(message) : texts.typesHelp}
      </FormHelperText>
    </FormControl>
  )
}
