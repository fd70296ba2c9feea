import { Alert, Box, Button, Typography } from '@mui/material'
import { useState } from 'react'
import { adminPath } from '../../api/admin-http.ts'
import { useCallAdmin } from '../../console-context.ts'
import { useTexts } from '../../i18n/use-texts.ts'
import { Failed } from '../../kit/failed.tsx'
import { Section } from '../../kit/show/section.tsx'
import type { Findings } from '../provider.ts'
import { FindingList } from './finding-list.tsx'
import { findingTexts } from './finding-texts.ts'

/** Tests a provider as far as possible without a user, and explains each answer. `first`: what was found before it was connected. */
export function TestSection({ id, first }: { id: string; first: Findings | undefined }) {
  const texts = useTexts(findingTexts)
  const callAdmin = useCallAdmin()
  const [found, setFound] = useState(first)
  const [fault, setFault] = useState<unknown>()
  const [isBusy, setBusy] = useState(false)
  const test = async () => {
    setBusy(true)
    setFault(undefined)
    setFound(undefined)
    try {
      setFound(await callAdmin<Findings>({ path: adminPath('identity-providers', id, 'test'), method: 'POST' }))
    } catch (error) {
      setFault(error)
    } finally {
      setBusy(false)
    }
  }
  const button = (
    <Button variant="contained" disabled={isBusy} onClick={() => void test()}>
      {isBusy ? texts.testing : texts.test}
    </Button>
  )
  return (
    <Section title={texts.testTitle} actions={button}>
      <Typography variant="body2" color="textSecondary">
        {texts.testAbout}
      </Typography>
      <Box role="status" sx={{ mt: 1.5 }}>
        {fault !== undefined && <Failed error={fault} onRetry={test} />}
        {found && <Alert severity={found.ok ? 'success' : 'error'}>{found.ok ? texts.works : texts.broken}</Alert>}
      </Box>
      {found && <FindingList findings={found.findings} />}
      {found?.findings.some(({ check, result }) => check === 'discovery' && result === 'fail') && texts.otherIssuer}
    </Section>
  )
}
