import ArrowDropDown from '@mui/icons-material/ArrowDropDown'
import { Box, Button, Chip, Menu, MenuItem, Popover, TextField } from '@mui/material'
import { type FormEvent, useId, useState } from 'react'
import { useLocale } from 'react-admin'
import { useTimeZone } from '../../../console-context.ts'
import { localeOf } from '../../../i18n/locales.ts'
import { useTexts } from '../../../i18n/use-texts.ts'
import { dayOf, endOfDay, startOfDay } from '../../days.ts'
import { kitTexts } from '../../texts.ts'
import { type Filter, isOfDays, shownValue, typedValue } from './filter.ts'

interface FilterChipProps {
  filter: Exclude<Filter, { kind: 'text' }>
  value: string | undefined
  onChoose: (value: string | undefined) => void
}

/**
 * A filter as a chip: its name, and its value where it holds. A click opens its values. The cross ends it, and so do Delete on the keyboard
 * and the first of its values.
 */
export function FilterChip({ filter, value, onChoose }: FilterChipProps) {
  const locale = localeOf(useLocale())
  const zone = useTimeZone()
  const [anchor, setAnchor] = useState<HTMLElement>()
  const close = () => setAnchor(undefined)
  const choose = (chosen: string | undefined) => {
    close()
    onChoose(chosen)
  }
  return (
    <>
      <Chip
        clickable
        label={value === undefined ? filter.label : `${filter.label}: ${shownValue(filter, value, { locale, zone })}`}
        variant={value === undefined ? 'outlined' : 'filled'}
        color={value === undefined ? 'default' : 'primary'}
        aria-haspopup={filter.kind === 'choice' ? 'menu' : 'dialog'}
        aria-expanded={anchor !== undefined}
        onClick={({ currentTarget }) => setAnchor(currentTarget)}
        onDelete={value === undefined ? ({ currentTarget }) => setAnchor(currentTarget.parentElement) : () => onChoose(undefined)}
        {...(value === undefined && { deleteIcon: <ArrowDropDown /> })}
        sx={chipLook}
      />
      {filter.kind === 'choice' ? (
        <ChoiceMenu filter={filter} value={value} anchor={anchor} onClose={close} onChoose={choose} />
      ) : (
        <Popover
          open={anchor !== undefined}
          anchorEl={anchor ?? null}
          onClose={close}
          anchorOrigin={{ vertical: 'bottom', horizontal: 'left' }}
          slotProps={{ paper: { role: 'dialog', 'aria-label': filter.label, sx: { p: 2, mt: 0.5 } } }}
        >
          <ValueForm filter={filter} value={value} onChoose={choose} />
        </Popover>
      )}
    </>
  )
}

/** A value that is as long as a sentence breaks into lines. */
const chipLook = { height: 'auto', minHeight: 32, maxWidth: '100%', '& .MuiChip-label': { whiteSpace: 'normal', py: 0.5 } } as const

interface ChoiceMenuProps extends FilterChipProps {
  filter: Extract<Filter, { kind: 'choice' | 'suggestion' }>
  anchor: HTMLElement | undefined
  onClose: () => void
}

function ChoiceMenu({ filter: { label, choices, none }, value, anchor, onClose, onChoose }: ChoiceMenuProps) {
  const texts = useTexts(kitTexts)
  return (
    <Menu
      open={anchor !== undefined}
      anchorEl={anchor ?? null}
      onClose={onClose}
      slotProps={{
        list: { 'aria-label': label, dense: true },
        // Outside of the page's landmarks only a dialog is found by those who go from one to the next.
        paper: { role: 'dialog', 'aria-label': label, sx: { maxHeight: 420 } },
      }}
    >
      <MenuItem role="menuitemradio" aria-checked={value === undefined} selected={value === undefined} onClick={() => onChoose(undefined)}>
        {none ?? texts.all}
      </MenuItem>
      {choices.map((choice) => (
        <MenuItem
          key={choice.value}
          role="menuitemradio"
          aria-checked={choice.value === value}
          selected={choice.value === value}
          onClick={() => onChoose(choice.value)}
        >
          {choice.label}
        </MenuItem>
      ))}
    </Menu>
  )
}

/** A day, or a text with suggestions. It applies with Enter or the button. */
function ValueForm({ filter, value, onChoose }: FilterChipProps) {
  const texts = useTexts(kitTexts)
  const locale = localeOf(useLocale())
  const zone = useTimeZone()
  const id = useId()
  const isDay = isOfDays(filter)
  const [typed, setTyped] = useState(() => {
    if (value === undefined) return ''
    if (filter.kind === 'day') return value
    return isDay ? dayOf(value, zone) : shownValue(filter, value, { locale, zone })
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    // A form around this one, though elsewhere on the page, would hear of it as well.
    event.stopPropagation()
    onChoose(chosenValue(filter, typed, zone) || undefined)
  }
  return (
    <Box component="form" onSubmit={submit} sx={{ display: 'flex', gap: 1.5, alignItems: 'center' }}>
      <TextField
        autoFocus
        margin="none"
        label={filter.label}
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
        {...(isDay
          ? { type: 'date', slotProps: { inputLabel: { shrink: true } } }
          : { slotProps: { htmlInput: { list: id, maxLength: 100 } }, sx: { minWidth: 'min(320px, 60vw)' } })}
      />
      {'choices' in filter && (
        <datalist id={id}>
          {filter.choices.map((choice) => (
            <option key={choice.value} value={choice.label} label={choice.value} />
          ))}
        </datalist>
      )}
      <Button type="submit" variant="outlined">
        {texts.apply}
      </Button>
    </Box>
  )
}

function chosenValue(filter: Filter, typed: string, zone: string): string | undefined {
  if (filter.kind === 'day') return typed
  if (!isOfDays(filter)) return typedValue(filter, typed)
  return filter.kind === 'from' ? startOfDay(typed, zone) : endOfDay(typed, zone)
}
