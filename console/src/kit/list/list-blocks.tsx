import { Box, List, ListItem, Typography } from '@mui/material'
import type { RaRecord } from 'react-admin'
import { ChooseAll, ChooseOne } from './choosing.tsx'
import type { ShownRows } from './columns.ts'
import { RowLink } from './row-link.tsx'

/** Names beside values, which have more room than the longest name: on a tablet two pairs in a line. */
const FACTS = { xs: 'fit-content(38%) minmax(0, 1fr)', sm: 'fit-content(22%) minmax(0, 1fr) fit-content(22%) minmax(0, 1fr)' }

/** The rows as one block each, where a table has no room. */
export function ListBlocks<Item extends RaRecord>({ label, columns: [first, ...rest], pathOf, choosing, items }: ShownRows<Item>) {
  return (
    <List aria-label={label} disablePadding>
      {choosing && (
        <ListItem divider sx={{ py: 0 }}>
          <ChooseAll choosing={choosing} items={items} isNamed />
        </ListItem>
      )}
      {items.map((item) => (
        <ListItem key={item.id} divider sx={{ display: 'block', py: 1.5 }}>
          <Box sx={{ fontWeight: 600, mb: 0.5 }}>
            {choosing && <ChooseOne choosing={choosing} item={item} />}
            <RowLink to={pathOf?.(item)}>{first?.value(item)}</RowLink>
          </Box>
          <Box component="dl" sx={{ m: 0, display: 'grid', gridTemplateColumns: FACTS, columnGap: 2, rowGap: 0.25 }}>
            {rest.map(({ label: name, value }) => {
              const shown = value(item)
              return (
                shown !== false && (
                  <Box key={name} sx={{ display: 'contents' }}>
                    <Typography component="dt" variant="body2" color="textSecondary">
                      {name}
                    </Typography>
                    <Typography component="dd" variant="body2" sx={{ m: 0, minWidth: 0 }}>
                      {shown}
                    </Typography>
                  </Box>
                )
              )
            })}
          </Box>
        </ListItem>
      ))}
    </List>
  )
}
