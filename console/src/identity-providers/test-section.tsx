import { Alert, Box, Button, Typography } from '@mui/material'
import { useEffect, useRef, useState } from 'react'
import { adminPath } from '../api/admin-http.ts'
import { useCallAdmin } from '../console-context.ts'
import { EngineersNote } from '../faults/engineers-note.tsx'
import { sentenceOf } from '../faults/fault.ts'
import { networkTexts } from '../faults/network-texts.ts'
import { useTexts } from '../i18n/use-texts.ts'
import { Failed } from '../kit/failed.tsx'
import { Section } from '../kit/show/section.tsx'
import { StatusChip } from '../kit/show/status-chip.tsx'
import { providerFaultTexts } from './fault-texts.ts'
import { findingTexts } from './finding-texts.ts'
import type { Finding, Findings } from './provider.ts'

/** Tests a provider as far as possible without a user, and explains each answer. `startsNow`: it was just connected. */
export function TestSection({ id, startsNow }: { id: string; startsNow: boolean }) {
  const texts = useTexts(findingTexts)
  const callAdmin = useCallAdmin()
  const [found, setFound] = useState<Findings>()
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
  const isStarted = useRef(false)
  useEffect(() => {
    if (!startsNow || isStarted.current) return
    isStarted.current = true
    void test()
  })
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
    </Section>
  )
}

function FindingList({ findings }: Pick<Findings, 'findings'>) {
  const texts = useTexts(findingTexts)
  return (
    <Box component="ul" aria-label={texts.findings} sx={{ m: 0, mt: 1.5, p: 0, listStyle: 'none' }}>
      {findings.map((finding) => (
        <OneFinding key={finding.check} finding={finding} />
      ))}
    </Box>
  )
}

const tones = { ok: 'good', warn: 'warning', fail: 'bad' } as const

function OneFinding({ finding }: { finding: Finding }) {
  const texts = useTexts(findingTexts)
  const { check, result, says } = finding
  const exactly = sentenceOf(finding, useTexts(networkTexts), useTexts(providerFaultTexts))
  return (
    <Box component="li" sx={{ py: 1.25, display: 'flex', flexWrap: 'wrap', gap: 1.5, borderTop: '1px solid', borderColor: 'divider' }}>
      <Box sx={{ flex: '0 0 6.5rem' }}>
        <StatusChip tone={tones[result]} label={texts.results[result]} />
      </Box>
      <Box sx={{ flex: '1 1 16rem', minWidth: 0 }}>
        <Typography sx={{ fontWeight: 600 }}>{texts.checks[check]}</Typography>
        {texts.explains[check][result]}
        {exactly !== undefined && <Typography sx={{ mt: 0.5, overflowWrap: 'anywhere' }}>{exactly}</Typography>}
        {result === 'fail' && <EngineersNote says={says} />}
      </Box>
    </Box>
  )
}
