import { useTexts } from '../i18n/use-texts.ts'
import { StatusChip, type Tone } from '../kit/show/status-chip.tsx'
import type { Job } from './job.ts'
import { jobTexts } from './texts.ts'

const tones = { pending: 'neutral', running: 'neutral', dead: 'bad' } as const satisfies Record<Job['state'], Tone>

/** The state of a job. */
export function JobChip({ state }: { state: Job['state'] }) {
  return <StatusChip tone={tones[state]} label={useTexts(jobTexts).states[state]} />
}
