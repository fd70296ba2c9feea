import { Box, Typography } from '@mui/material'
import { EngineersNote } from '../../faults/engineers-note.tsx'
import { sentenceOf } from '../../faults/fault.ts'
import { networkTexts } from '../../faults/network-texts.ts'
import { useTexts } from '../../i18n/use-texts.ts'
import { StatusChip } from '../../kit/show/status-chip.tsx'
import type { Finding, Findings } from '../provider.ts'
import { providerFaultTexts } from './fault-texts.ts'
import { findingTexts } from './finding-texts.ts'

/** Each step of a provider's test, with its result and what it means. */
export function FindingList({ findings }: Pick<Findings, 'findings'>) {
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
