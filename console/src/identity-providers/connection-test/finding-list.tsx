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

/** The service's own words have the library's objection beside these, and are all there is for a code of a newer service. */
const furtherSaid = new Set<string | null>(['no_description', 'keys_unreadable'])

/** Whether the service's own words, in English, say more than the sentences above them. */
function isSaidFurther(code: string | null, exactly: string | undefined): boolean {
  return furtherSaid.has(code) || (code !== null && exactly === undefined)
}

const tones = { ok: 'good', warn: 'warning', fail: 'bad' } as const

function OneFinding({ finding }: { finding: Finding }) {
  const texts = useTexts(findingTexts)
  const { check, result, says, code } = finding
  const network = useTexts(networkTexts)
  const exactly = sentenceOf(finding, network, useTexts(providerFaultTexts))
  const isNotReached = check === 'discovery' && code !== null && Object.hasOwn(network, code)
  return (
    <Box component="li" sx={{ py: 1.25, display: 'flex', flexWrap: 'wrap', gap: 1.5, borderTop: '1px solid', borderColor: 'divider' }}>
      <Box sx={{ flex: '0 0 6.5rem' }}>
        <StatusChip tone={tones[result]} label={texts.results[result]} />
      </Box>
      <Box sx={{ flex: '1 1 16rem', minWidth: 0 }}>
        <Typography sx={{ fontWeight: 600 }}>{texts.checks[check]}</Typography>
        {isNotReached ? texts.notReached : texts.explains[check][result]}
        {exactly !== undefined && <Typography sx={{ mt: 0.5, overflowWrap: 'anywhere' }}>{exactly}</Typography>}
        {result === 'fail' && isSaidFurther(code, exactly) && <EngineersNote says={says} />}
      </Box>
    </Box>
  )
}
