import { Box, Card, CardActionArea, Typography } from '@mui/material'
import { Link } from 'react-router-dom'
import { useTexts } from '../i18n/use-texts.ts'
import { galleryTexts } from './gallery-texts.ts'
import type { Preset } from './provider.ts'

/** Any other provider comes last, below them all. */
const GALLERY = {
  ...{ m: 0, p: 0, listStyle: 'none', display: 'grid', gap: 1.5 },
  gridTemplateColumns: { xs: '1fr', sm: '1fr 1fr', lg: '1fr 1fr 1fr' },
  '& > :last-child': { gridColumn: '1 / -1' },
}

/** The providers that are known by name, and any other. */
export function PresetGallery({ presets }: { presets: readonly Preset[] }) {
  const texts = useTexts(galleryTexts)
  const choices = [...presets.map(({ id, name }) => ({ id, name })), { id: 'other', name: texts.other }]
  return (
    <Box component="ul" aria-label={texts.choose} sx={GALLERY}>
      {choices.map(({ id, name }) => (
        <Card key={id} component="li" variant="outlined">
          <CardActionArea component={Link} to={`?preset=${id}`} sx={{ p: 2, height: '100%' }}>
            <Typography sx={{ fontWeight: 600 }}>{name}</Typography>
            <Typography variant="body2" color="textSecondary">
              {texts.about[id] ?? ''}
            </Typography>
          </CardActionArea>
        </Card>
      ))}
    </Box>
  )
}
