import { Button, Typography } from '@mui/material'
import { Link } from 'react-router-dom'
import { useTexts } from '../i18n/use-texts.ts'
import { Section } from '../kit/show/section.tsx'
import { appearanceTexts } from './texts.ts'

/** On a product's page: the way to its own look. */
export function AppearanceSection({ product: { id } }: { product: { id: string } }) {
  const texts = useTexts(appearanceTexts)
  return (
    <Section
      title={texts.title}
      actions={
        <Button component={Link} to={`/products/${encodeURIComponent(id)}/appearance`} size="small">
          {texts.open}
        </Button>
      }
    >
      <Typography variant="body2" color="textSecondary">
        {texts.ofProduct}
      </Typography>
    </Section>
  )
}
