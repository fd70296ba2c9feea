import { Button, Stack, Typography } from '@mui/material'
import { useTranslate } from 'react-admin'
import { Link } from 'react-router-dom'
import { useTexts } from '../i18n/use-texts.ts'
import { PageHeading } from '../kit/page-heading.tsx'
import { frameTexts } from '../texts.ts'

/** Shown at an address that the console does not have. */
export function LostPage() {
  const translate = useTranslate()
  const { denied } = useTexts(frameTexts)
  return (
    <Stack spacing={2} sx={{ maxWidth: 720, alignItems: 'flex-start' }}>
      <PageHeading title={translate('ra.page.not_found')} />
      <Typography>{translate('ra.message.not_found')}</Typography>
      <Button component={Link} to="/" variant="contained">
        {denied.back}
      </Button>
    </Stack>
  )
}
