import { Box, Dialog, InputBase, Typography } from '@mui/material'
import { type KeyboardEvent, useEffect, useId, useState } from 'react'
import { useTexts } from '../i18n/use-texts.ts'
import { hidden } from '../kit/show/values.tsx'
import type { PageAction } from './page-actions.ts'
import { paletteTexts } from './palette-texts.ts'
import { type Choice, type Group, useResults } from './use-results.ts'

/**
 * The command palette: a dialog of a combobox and its listbox (ARIA Authoring Practices). The focus stays in the field, and
 * `aria-activedescendant` names the chosen option. `actions` are those of the page below, read before it opened.
 */
export function Palette({ actions, onClose }: { actions: readonly PageAction[]; onClose: () => void }) {
  const texts = useTexts(paletteTexts)
  const [typed, setTyped] = useState('')
  const [at, setAt] = useState(0)
  const list = useId()
  const { groups, isSearching, hasFailed } = useResults(typed, actions)
  const all = groups.flatMap(({ choices }) => choices)
  const active = all[Math.min(at, all.length - 1)]
  const optionId = (id: string) => `${list}-${id}`
  const activeId = active && optionId(active.id)
  useEffect(() => {
    if (activeId !== undefined) document.getElementById(activeId)?.scrollIntoView({ block: 'nearest' })
  }, [activeId])
  const run = (choice: Choice) => {
    onClose()
    // The dialog gives the focus back first, so that what is opened has it afterwards.
    setTimeout(choice.run)
  }
  const press = (event: KeyboardEvent) => {
    const to = nextPlace(event.key, Math.min(at, all.length - 1), all.length)
    if (to !== undefined) setAt(to)
    else if (event.key === 'Enter' && active && !event.nativeEvent.isComposing) run(active)
    else return
    event.preventDefault()
  }
  return (
    <Dialog
      open
      onClose={onClose}
      slotProps={{ paper: { 'aria-label': texts.title } }}
      fullWidth
      maxWidth="sm"
      sx={{ '& .MuiDialog-container': { alignItems: 'flex-start' } }}
    >
      <InputBase
        autoFocus
        fullWidth
        value={typed}
        onChange={({ target }) => {
          setTyped(target.value)
          setAt(0)
        }}
        onKeyDown={press}
        placeholder={texts.input}
        sx={{ px: 2.5, py: 1.5, fontSize: '1.0625rem' }}
        inputProps={{
          role: 'combobox',
          'aria-label': texts.input,
          'aria-expanded': all.length > 0,
          'aria-controls': list,
          'aria-autocomplete': 'list',
          'aria-activedescendant': activeId,
          autoComplete: 'off',
          spellCheck: false,
          maxLength: 200,
        }}
      />
      <Box
        role="listbox"
        id={list}
        aria-label={texts.results}
        sx={{ borderTop: 1, borderColor: 'divider', maxHeight: 'min(420px, 60dvh)', overflowY: 'auto', py: all.length > 0 ? 1 : 0 }}
      >
        {groups.map((group) => (
          <GroupOf key={group.title} group={group} active={active} optionId={optionId} onChoose={run} />
        ))}
      </Box>
      <Box sx={{ px: 2.5, py: 1.25, borderTop: 1, borderColor: 'divider' }}>
        <Typography
          variant="body2"
          color="textSecondary"
          role="status"
          sx={all.length > 0 && !isSearching && !hasFailed ? hidden : undefined}
        >
          {hasFailed ? texts.failed : isSearching ? texts.searching : all.length === 0 ? texts.nothing : texts.count(all.length)}
        </Typography>
        <Typography variant="caption" color="textSecondary">
          {texts.hint}
        </Typography>
      </Box>
    </Dialog>
  )
}

interface GroupProps {
  group: Group
  active: Choice | undefined
  optionId: (id: string) => string
  onChoose: (choice: Choice) => void
}

function GroupOf({ group: { title, choices }, active, optionId, onChoose }: GroupProps) {
  const id = useId()
  return (
    <Box role="group" aria-labelledby={id}>
      <Typography id={id} variant="caption" component="div" color="textSecondary" sx={{ px: 2.5, pt: 1, pb: 0.5, fontWeight: 600 }}>
        {title}
      </Typography>
      {choices.map((choice) => (
        <Box
          key={choice.id}
          id={optionId(choice.id)}
          role="option"
          aria-selected={choice === active}
          // The field keeps the focus.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onChoose(choice)}
          sx={{
            ...{ mx: 1, px: 1.5, py: 0.75, borderRadius: 1.5, cursor: 'pointer' },
            '&:hover': { bgcolor: 'action.hover' },
            '&[aria-selected=true]': {
              bgcolor: 'action.selected',
              outline: '2px solid',
              outlineColor: 'primary.main',
              outlineOffset: '-2px',
            },
          }}
        >
          <Box component="span" sx={{ fontWeight: 550 }}>
            {choice.label}
          </Box>{' '}
          {choice.about !== undefined && choice.about !== '' && (
            <Typography component="span" variant="body2" color="textSecondary" sx={{ ml: 1 }}>
              {choice.about}
            </Typography>
          )}
        </Box>
      ))}
    </Box>
  )
}

/** Where a key leads in the list, round its ends; `undefined` for others. */
function nextPlace(key: string, at: number, count: number): number | undefined {
  if (count === 0) return undefined
  if (key === 'ArrowDown') return (at + 1) % count
  if (key === 'ArrowUp') return (at - 1 + count) % count
  if (key === 'PageDown') return count - 1
  return key === 'PageUp' ? 0 : undefined
}
