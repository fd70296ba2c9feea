import { Box, Button, MenuItem, Stack, TextField, Typography } from '@mui/material'
import { useListContext } from 'react-admin'
import { useTexts } from '../../i18n/use-texts.ts'
import { kitTexts } from '../texts.ts'

const lengths = [10, 25, 50, 100] as const

/**
 * One page back, one on, and the length of a page; nothing below a list shorter than any page. Lists have no total: it would need a count
 * of all rows.
 */
export function ListPages() {
  const texts = useTexts(kitTexts)
  const { data = [], page, perPage, setPage, setPerPage, hasNextPage, hasPreviousPage } = useListContext()
  if (!hasNextPage && !hasPreviousPage && data.length <= lengths[0]) return undefined
  return (
    <Box
      component="nav"
      aria-label={texts.pages}
      sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', justifyContent: 'space-between', gap: 1, px: 2, py: 1 }}
    >
      <TextField
        select
        margin="none"
        label={texts.perPage}
        value={perPage}
        onChange={({ target }) => setPerPage(Number(target.value))}
        sx={{ minWidth: 110 }}
      >
        {lengths.map((length) => (
          <MenuItem key={length} value={length}>
            {length}
          </MenuItem>
        ))}
      </TextField>
      <Stack direction="row" spacing={1} sx={{ alignItems: 'center' }}>
        <Button disabled={!hasPreviousPage} onClick={() => setPage(page - 1)}>
          {texts.previous}
        </Button>
        <Typography variant="body2" aria-live="polite">
          {texts.page(page)}
        </Typography>
        <Button disabled={!hasNextPage} onClick={() => setPage(page + 1)}>
          {texts.next}
        </Button>
      </Stack>
    </Box>
  )
}
