import Search from '@mui/icons-material/Search'
import { InputAdornment, TextField } from '@mui/material'
import { useEffect, useRef, useState } from 'react'
import { useLocation, useNavigate } from 'react-router-dom'
import { useTexts } from '../i18n/use-texts.ts'
import { frameTexts } from '../texts.ts'

/** The one box: what is typed goes to the page `search`, whose address holds it. */
export function SearchBox() {
  const texts = useTexts(frameTexts)
  const navigate = useNavigate()
  const { pathname, search } = useLocation()
  const asked = pathname === '/search' ? (new URLSearchParams(search).get('q') ?? '') : ''
  const [typed, setTyped] = useState(asked)
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
          if (typed.trim() !== '') void navigate(`/search?q=${encodeURIComponent(typed.trim())}`)
        }}
      >
        <TextField
          fullWidth
          margin="none"
          type="search"
          placeholder={texts.search}
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
            },
          }}
        />
      </form>
    </search>
  )
}

/** A `/` that nobody types anywhere, with no dialog in the way. */
function isForTheBox({ key, ctrlKey, metaKey, altKey, target, defaultPrevented }: KeyboardEvent): boolean {
  if (key !== '/' || ctrlKey || metaKey || altKey || defaultPrevented) return false
  const isTyped = target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea, select, [role=combobox]'))
  return !isTyped && document.querySelector('[role=dialog]') === null
}
