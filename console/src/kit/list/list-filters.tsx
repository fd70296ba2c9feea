import Search from '@mui/icons-material/Search'
import { Box, Button, Chip, InputAdornment, TextField } from '@mui/material'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { useListContext } from 'react-admin'
import { useTexts } from '../../i18n/use-texts.ts'
import { kitTexts } from '../texts.ts'
import type { Filter } from './filters/filter.ts'
import { FilterChip } from './filters/filter-chip.tsx'
import { ViewsMenu } from './views/views-menu.tsx'

export type { Filter } from './filters/filter.ts'

/** The filters of a list: fields for texts, which apply with Enter, and chips for all others. The address holds what applies. */
export function ListFilters({ filters }: { filters: readonly Filter[] }) {
  const texts = useTexts(kitTexts)
  const { filterValues, setFilters } = useListContext()
  // The filters that were asked for last. The address has them only a moment later, and two that are set quickly must both stay.
  const asked = useRef(filterValues)
  useEffect(() => {
    asked.current = filterValues
  }, [filterValues])
  const ask = (values: Record<string, unknown>) => {
    asked.current = values
    setFilters(values, {})
  }
  const set = (name: string, value: string | undefined) => {
    const { [name]: _former, ...others } = asked.current
    ask(value === undefined ? without(name, others, filters) : { ...others, [name]: value })
  }
  const known = new Set(filters.map(({ name }) => name))
  return (
    <Box role="group" aria-label={texts.filters} sx={barLook}>
      <Box sx={{ flex: 1, minWidth: 0, display: 'flex', flexWrap: 'wrap', gap: 1, alignItems: 'center' }}>
        {filters
          .filter(({ needs }) => needs === undefined || needs in filterValues)
          .map((filter) =>
            filter.kind === 'text' ? (
              <TextFilter
                key={filter.name}
                label={filter.label}
                value={filterValues[filter.name] ?? ''}
                onAsk={(value) => set(filter.name, value)}
              />
            ) : (
              <FilterChip
                key={filter.name}
                filter={filter}
                value={filterValues[filter.name]}
                onChoose={(value) => set(filter.name, value)}
              />
            ),
          )}
        {Object.entries(filterValues)
          .filter(([name]) => !known.has(name))
          .map(([name, value]) => (
            // A filter of an address that somebody wrote: it applies, so it is shown.
            <Chip key={name} color="primary" label={`${name}: ${String(value)}`} onDelete={() => set(name, undefined)} />
          ))}
        {Object.keys(filterValues).length > 0 && (
          <Button size="small" onClick={() => ask({})}>
            {texts.clear}
          </Button>
        )}
      </Box>
      <ViewsMenu filters={filters} />
    </Box>
  )
}

/** The views stay at the end of the first line, however many lines the filters take. */
const barLook = {
  display: 'flex',
  flexDirection: { xs: 'column', sm: 'row' },
  alignItems: { xs: 'stretch', sm: 'flex-start' },
  gap: 1,
  mb: 2,
} as const

/** Without the values that meant something with this filter alone, or with one that did. */
function without(name: string, values: Record<string, unknown>, filters: readonly Filter[]): Record<string, unknown> {
  const lost = new Set([name])
  for (const one of lost) for (const filter of filters) if (filter.needs === one) lost.add(filter.name)
  return Object.fromEntries(Object.entries(values).filter(([other]) => !lost.has(other)))
}

function TextFilter({ label, value, onAsk }: { label: string; value: string; onAsk: (value: string | undefined) => void }) {
  const [typed, setTyped] = useState(value)
  useEffect(() => setTyped(value), [value])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onAsk(typed.trim() || undefined)
  }
  return (
    <Box component="form" onSubmit={submit} sx={{ width: { xs: '100%', sm: 'auto' } }}>
      <TextField
        fullWidth
        margin="none"
        label={label}
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
        slotProps={{
          htmlInput: { enterKeyHint: 'search', maxLength: 254 },
          input: {
            endAdornment: (
              <InputAdornment position="end">
                <Search fontSize="small" color="disabled" />
              </InputAdornment>
            ),
          },
        }}
        sx={{ minWidth: { sm: `max(200px, ${label.length + 8}ch)` } }}
      />
    </Box>
  )
}
