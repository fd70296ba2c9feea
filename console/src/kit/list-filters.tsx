import { Box, Button, MenuItem, TextField } from '@mui/material'
import { type FormEvent, useEffect, useState } from 'react'
import { useListContext } from 'react-admin'
import { useTexts } from '../i18n/use-texts.ts'
import { dayOf, endOfDay, startOfDay } from './days.ts'
import { kitTexts } from './texts.ts'

/** A filter of a list, by the API's name: free text, one of some values, or a day from which or until which. */
export type Filter = { name: string; label: string } & (
  | { kind: 'text' }
  | { kind: 'choice'; choices: ReadonlyArray<{ value: string; label: string }> }
  | { kind: 'from' | 'until' }
)

/** Choices and days hold at once, texts with Enter or the button. On phones they open by a button. */
export function ListFilters({ filters }: { filters: readonly Filter[] }) {
  const texts = useTexts(kitTexts)
  const { filterValues, setFilters } = useListContext()
  const [draft, setDraft] = useState<Record<string, string>>(filterValues)
  const [isOpen, setOpen] = useState(false)
  useEffect(() => setDraft(filterValues), [filterValues])

  const change = (name: string, value: string) => {
    const next = Object.fromEntries(Object.entries({ ...draft, [name]: value }).filter(([, text]) => text !== ''))
    setDraft(next)
    return next
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setFilters(draft, {})
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
            onChoose={(value) => setFilters(change(filter.name, value), {})}
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
  const look = { margin: 'none', label: filter.label, sx: { minWidth: 180 } } as const
  switch (filter.kind) {
    case 'text':
      return <TextField {...look} value={value} onChange={({ target }) => onType(target.value)} />
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
          value={dayOf(value)}
          onChange={({ target }) => onChoose(edge(target.value) ?? '')}
          slotProps={{ inputLabel: { shrink: true } }}
        />
      )
    }
  }
}
