import { Button, Typography } from '@mui/material'
import { Link } from 'react-router-dom'
import { useMay } from '../console-context.ts'
import { useTexts } from '../i18n/use-texts.ts'
import { Section } from '../kit/show/section.tsx'
import { homeTexts } from './texts.ts'

/** The first task on an installation without apps. */
export function FirstSteps() {
  const texts = useTexts(homeTexts)
  const mayCreate = useMay('products:write')
  return (
    <Section title={texts.welcome}>
      <Typography>{mayCreate ? texts.welcomeText : texts.welcomeAsk}</Typography>
      {mayCreate && (
        <Button component={Link} to="/products/create" variant="contained" sx={{ mt: 2 }}>
          {texts.createProduct}
        </Button>
      )}
    </Section>
  )
}
