import ArrowBack from '@mui/icons-material/ArrowBack'
import { Box, Button, Stack, Typography } from '@mui/material'
import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'
import { useTexts } from '../i18n/use-texts.ts'
import { kitTexts } from './texts.ts'

/** The only `h1` of a page, its name in the tab, and its actions. `back` is the path of its list. */
export function PageHeading({ title, back, actions }: { title: string; back?: string; actions?: ReactNode }) {
  const texts = useTexts(kitTexts)
  return (
    <Box sx={{ mb: 2.5 }}>
      <title>{`${title} · Portaria`}</title>
      {back !== undefined && (
        <Button component={Link} to={back} size="small" startIcon={<ArrowBack />} sx={{ mb: 0.5, ml: -0.5 }}>
          {texts.back}
        </Button>
      )}
      <Stack direction="row" spacing={1} useFlexGap sx={{ flexWrap: 'wrap', alignItems: 'center', justifyContent: 'space-between' }}>
        <Typography variant="h1" sx={{ minWidth: 0 }}>
          {title}
        </Typography>
        {actions !== undefined && (
          <Stack data-actions direction="row" spacing={1} useFlexGap sx={{ flexWrap: 'wrap' }}>
            {actions}
          </Stack>
        )}
      </Stack>
    </Box>
  )
}
