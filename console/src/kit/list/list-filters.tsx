import { Box, Button, MenuItem, TextField } from '@mui/material'
import { type FormEvent, useEffect, useId, useState } from 'react'
import { useListContext } from 'react-admin'
import { useTimeZone } from '../../console-context.ts'
import { useTexts } from '../../i18n/use-texts.ts'
import { dayOf, endOfDay, startOfDay } from '../days.ts'
import { kitTexts } from '../texts.ts'

/** A filter of a list, by the API's name: free text, one of some values (or another typed one: `suggestion`), or a first or last day. */
export type Filter = { name: string; label: string } & (
  | { kind: 'text' }
  | { kind: 'choice' | 'suggestion'; choices: ReadonlyArray<Choice> }
  | { kind: 'from' | 'until' }
)

interface Choice {
  value: string
  label: string
}

/** Choices and days apply at once, texts with Enter or the button. On phones a button opens them. */
export function ListFilters({ filters }: { filters: readonly Filter[] }) {
  const texts = useTexts(kitTexts)
  const { filterValues, setFilters } = useListContext()
  const asTyped = (values: Record<string, string>) => translate(values, filters, ({ value, label }) => [value, label])
  const asAsked = (typed: Record<string, string>) => translate(typed, filters, ({ value, label }) => [label, value])
  const [draft, setDraft] = useState<Record<string, string>>(() => asTyped(filterValues))
  const [isOpen, setOpen] = useState(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a draft ends when other filters hold, not with every rendering
  useEffect(() => setDraft(asTyped(filterValues)), [filterValues])

  const change = (name: string, value: string) => {
    const next = Object.fromEntries(Object.entries({ ...draft, [name]: value }).filter(([, text]) => text !== ''))
    setDraft(next)
    return next
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setFilters(asAsked(draft), {})
  }
  return (
    <Box component="form" onSubmit={submit} aria-label={texts.filters} sx={{ mb: 2 }}>
      <Button onClick={() => setOpen(!isOpen)} aria-expanded={isOpen} sx={{ display: { md: 'none' } }}>
        {texts.filters}
        {Object.keys(filterValues).length > 0 && ` (${Object.keys(filterValues).length})`}
      </Button>
      <Box
        sx={{
          display: { xs: isOpen ? 'grid' : 'none', md: 'flex' },
          gridTemplateColumns: '1fr',
          flexWrap: 'wrap',
          gap: 1.5,
          alignItems: 'center',
          mt: { xs: 1, md: 0 },
        }}
      >
        {filters.map((filter) => (
          <FilterField
            key={filter.name}
            filter={filter}
            value={draft[filter.name] ?? ''}
            onType={(value) => void change(filter.name, value)}
            onChoose={(value) => setFilters(asAsked(change(filter.name, value)), {})}
          />
        ))}
        <Button type="submit" variant="outlined">
          {texts.apply}
        </Button>
        {Object.keys(filterValues).length > 0 && <Button onClick={() => setFilters({}, {})}>{texts.clear}</Button>}
      </Box>
    </Box>
  )
}

interface FieldProps {
  filter: Filter
  value: string
  onType: (value: string) => void
  onChoose: (value: string) => void
}

function FilterField({ filter, value, onType, onChoose }: FieldProps) {
  const texts = useTexts(kitTexts)
  const zone = useTimeZone()
  const id = useId()
  const look = { margin: 'none', label: filter.label, sx: { minWidth: `max(180px, ${filter.label.length + 6}ch)` } } as const
  switch (filter.kind) {
    case 'text':
      return <TextField {...look} value={value} onChange={({ target }) => onType(target.value)} />
    case 'suggestion':
      return (
        <>
          <TextField {...look} value={value} onChange={({ target }) => onType(target.value)} slotProps={{ htmlInput: { list: id } }} />
          <datalist id={id}>
            {filter.choices.map((choice) => (
              <option key={choice.value} value={choice.label} label={choice.value} />
            ))}
          </datalist>
        </>
      )
    case 'choice':
      return (
        <TextField {...look} select value={value} onChange={({ target }) => onChoose(target.value)}>
          <MenuItem value="">{texts.all}</MenuItem>
          {filter.choices.map((choice) => (
            <MenuItem key={choice.value} value={choice.value}>
              {choice.label}
            </MenuItem>
          ))}
        </TextField>
      )
    case 'from':
    case 'until': {
      const edge = filter.kind === 'from' ? startOfDay : endOfDay
      return (
        <TextField
          {...look}
          type="date"
          value={dayOf(value, zone)}
          onChange={({ target }) => onChoose(edge(target.value, zone) ?? '')}
          slotProps={{ inputLabel: { shrink: true } }}
        />
      )
    }
  }
}

/** The field shows a suggestion in words; the address and the API use its name. */
function translate(
  values: Record<string, string>,
  filters: readonly Filter[],
  pairOf: (choice: Choice) => readonly [string, string],
): Record<string, string> {
  const translated = filters.flatMap((filter) => {
    const value = values[filter.name]
    if (filter.kind !== 'suggestion' || value === undefined) return []
    return [[filter.name, new Map(filter.choices.map(pairOf)).get(value) ?? value] as const]
  })
  return { ...values, ...Object.fromEntries(translated) }
}
