import { Button, Stack, Typography } from '@mui/material'
import { Link } from 'react-router-dom'
import { useMe } from '../console-context.ts'
import { useTexts } from '../i18n/use-texts.ts'
import { frameTexts } from '../texts.ts'
import { PageHeading } from './page-heading.tsx'

/** Shown instead of a page that the user's role may not see: the role that may, who can help, and the way back. */
export function DeniedPage() {
  const { denied, roles } = useTexts(frameTexts)
  const { role } = useMe()
  return (
    <Stack spacing={2} sx={{ maxWidth: 720, alignItems: 'flex-start' }}>
      <PageHeading title={denied.title} />
      <Typography>{denied.text(roles[role])}</Typography>
      <Button component={Link} to="/" variant="contained">
        {denied.back}
      </Button>
    </Stack>
  )
}
