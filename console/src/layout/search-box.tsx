import Search from '@mui/icons-material/Search'
import { InputAdornment, TextField } from '@mui/material'
import { useEffect, useState } from 'react'
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
          onChange={({ target }) => setTyped(target.value)}
          slotProps={{
            htmlInput: { 'aria-label': texts.searchLabel, enterKeyHint: 'search', maxLength: 200 },
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
