import { Box } from '@mui/material'

/** Names of events, one below the other on a phone. */
export function EventNames({ types }: { types: readonly string[] }) {
  return (
    <Box component="ul" sx={{ m: 0, p: 0, listStyle: 'none', display: 'flex', flexWrap: 'wrap', columnGap: 1.5 }}>
      {types.map((type) => (
        <li key={type}>
          <code>{type}</code>
        </li>
      ))}
    </Box>
  )
}
