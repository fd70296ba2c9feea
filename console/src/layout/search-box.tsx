import Search from '@mui/icons-material/Search'
import { Box, InputAdornment, TextField, Typography, useMediaQuery } from '@mui/material'
import type { Theme } from '@mui/material/styles'
import { useEffect, useRef, useState } from 'react'
import { useLocation, useNavigate } from 'react-router-dom'
import { useTexts } from '../i18n/use-texts.ts'
import { isDialogOpen, isTypedInto, readKey } from '../palette/keys.ts'
import { BY_ENTER } from '../search/only-result.ts'
import { frameTexts } from '../texts.ts'

/** The search box: its text goes to the page `search`, whose address holds it. */
export function SearchBox() {
  const texts = useTexts(frameTexts)
  const navigate = useNavigate()
  const { pathname, search } = useLocation()
  const asked = pathname === '/search' ? (new URLSearchParams(search).get('q') ?? '') : ''
  const [typed, setTyped] = useState(asked)
  const isWide = useMediaQuery<Theme>((theme) => theme.breakpoints.up('sm'), { noSsr: true })
  useEffect(() => setTyped(asked), [asked])
  const box = useRef<HTMLInputElement>(null)
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (!isForTheBox(event)) return
      event.preventDefault()
      box.current?.focus()
      box.current?.select()
    }
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [])
  return (
    <search>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (typed.trim() !== '') void navigate(`/search?q=${encodeURIComponent(typed.trim())}`, { state: BY_ENTER })
        }}
      >
        <TextField
          fullWidth
          margin="none"
          type="search"
          placeholder={isWide ? texts.search : texts.searchShort}
          value={typed}
          inputRef={box}
          onChange={({ target }) => setTyped(target.value)}
          slotProps={{
            htmlInput: { 'aria-label': texts.searchLabel, 'aria-keyshortcuts': '/', enterKeyHint: 'search', maxLength: 200 },
            input: {
              startAdornment: (
                <InputAdornment position="start">
                  <Search fontSize="small" />
                </InputAdornment>
              ),
              endAdornment:
                isWide && typed.trim() !== asked && typed.trim() !== '' ? <EnterHint /> : isWide && typed === '' && <SlashHint />,
            },
          }}
        />
      </form>
    </search>
  )
}

function EnterHint() {
  const texts = useTexts(frameTexts)
  return (
    <InputAdornment position="end">
      <Typography variant="caption" color="textSecondary">
        {texts.searchEnter}
      </Typography>
    </InputAdornment>
  )
}

/** The visible hint of the key; screen readers use `aria-keyshortcuts`. */
function SlashHint() {
  return (
    <InputAdornment position="end" aria-hidden="true">
      <Box
        component="kbd"
        sx={{ px: 0.75, border: 1, borderColor: 'divider', borderRadius: 1, fontSize: '0.75rem', fontFamily: 'inherit' }}
      >
        /
      </Box>
    </InputAdornment>
  )
}

/** A `/` outside of inputs and of what is open above the page. */
function isForTheBox(event: KeyboardEvent): boolean {
  const read = readKey(event, { isTyping: isTypedInto(event.target), isWaiting: false, areOn: true })
  return read?.does === 'search' && !event.defaultPrevented && !isDialogOpen()
}
