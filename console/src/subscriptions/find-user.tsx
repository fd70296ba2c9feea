import { Autocomplete, Box, TextField, Typography } from '@mui/material'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { adminPath } from '../api/admin-http.ts'
import { useCallAdmin } from '../console-context.ts'
import { useTexts } from '../i18n/use-texts.ts'
import type { User } from '../users/user.ts'
import { actionTexts } from './action-texts.ts'

const PAUSE_MS = 250
const MIN_LETTERS = 2
const MAX_SHOWN = 10

/** Finds an account by the user's name or address, and takes the one that is chosen. */
export function FindUser({ user, onChoose }: { user: User | null; onChoose: (user: User | null) => void }) {
  const texts = useTexts(actionTexts)
  const [typed, setTyped] = useState('')
  const { found, isFinding } = useFound(typed)
  return (
    <Autocomplete<User>
      value={user}
      onChange={(_event, chosen) => onChoose(chosen)}
      inputValue={typed}
      onInputChange={(_event, text) => setTyped(text)}
      options={found}
      filterOptions={(options) => options}
      getOptionLabel={({ name, email }) => `${name} (${email})`}
      getOptionKey={({ id }) => id}
      isOptionEqualToValue={(one, other) => one.id === other.id}
      renderOption={({ key, ...props }, { name, email }) => (
        <Box key={key} component="li" {...props}>
          <span>
            {name}
            <Typography variant="body2" color="textSecondary">
              {email}
            </Typography>
          </span>
        </Box>
      )}
      loading={isFinding}
      loadingText={texts.finding}
      noOptionsText={typed.trim().length < MIN_LETTERS ? texts.findHelp : texts.nobody}
      slotProps={{ paper: { variant: 'outlined' } }}
      openText={texts.open}
      closeText={texts.shut}
      clearText={texts.clear}
      renderInput={(params) => <TextField {...params} required label={texts.find} helperText={texts.findHelp} />}
      sx={{ mt: 2 }}
    />
  )
}

/** Asked once the user pauses: not with every letter. */
function useFound(typed: string): { found: readonly User[]; isFinding: boolean } {
  const callAdmin = useCallAdmin()
  const [asked, setAsked] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setAsked(typed.trim()), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [typed])
  const path = `${adminPath('users')}?${new URLSearchParams({ q: asked, limit: String(MAX_SHOWN) })}`
  const { data, isFetching } = useQuery({
    queryKey: ['read', path],
    queryFn: ({ signal }) => callAdmin<{ data: User[] }>({ path, signal }),
    enabled: asked.length >= MIN_LETTERS,
  })
  const isWaiting = typed.trim() !== asked && typed.trim().length >= MIN_LETTERS
  return { found: data?.data ?? [], isFinding: isFetching || isWaiting }
}
